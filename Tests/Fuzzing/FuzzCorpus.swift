import FoundationEssentials
import ModelLoading
import ObjectModel

/// The seeds of inputs: files below some folders, by their kinds.
struct FuzzCorpus {
  /// A file as it was found.
  struct Seed {
    let path: String
    let bytes: [UInt8]
  }

  /// The inputs of the reader, small ones first.
  private(set) var seeds: [Seed] = []
  private let reader: FuzzedReader
  private var models: Set<String> = []

  init(folders: [String], for reader: FuzzedReader) {
    self.reader = reader
    for folder in folders {
      let paths = (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
      for path in paths.sorted() where !path.contains(".build/") { add("\(folder)/\(path)") }
    }
    seeds += Self.texts(of: reader).map { Seed(path: "", bytes: Array($0.utf8)) }
    seeds.sort { ($0.bytes.count, $0.path) < ($1.bytes.count, $1.path) }
    if reader == .modelArchive { seeds = seeds.prefix(150).compactMap(Self.archive) }
  }

  /// Returns an input, a small one more often, as each of its bytes counts for more.
  func pick(_ random: inout FuzzGenerator) -> Seed? {
    seeds.isEmpty ? nil : seeds[min(random.below(seeds.count), random.below(seeds.count))]
  }

  /// Returns the files of the versions that a mapping model is between.
  func ends(of mapping: Seed, source: String?, destination: String?) -> (String, String)? {
    let folder = mapping.path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
      .joined(separator: "/")
    func file(_ name: String?, _ other: String) -> String? {
      [name, other].compactMap(\.self).map { "\(folder)/\($0).yaml" }
        .first { models.contains($0) } ?? name.flatMap { nearest($0, to: mapping.path) }
    }
    guard let source = file(source, "before"), let destination = file(destination, "after") else {
      return nil
    }
    return (source, destination)
  }

  /// Returns the file of one of Xcode's versions that has the most of a path in common with another.
  private func nearest(_ name: String, to path: String) -> String? {
    models.filter { $0.hasSuffix("/\(name).xcdatamodel/contents") }
      .max {
        ($0.sharedCount(with: path), $1) < ($1.sharedCount(with: path), $0)
      }
  }

  private mutating func add(_ path: String) {
    let name = path.split(separator: "/").last ?? ""
    let suffixes = ["contents", ".xml", ".yaml", ".json", ".xccurrentversion"]
    guard name == "versions" || suffixes.contains(where: name.hasSuffix),
      let data = FileManager.default.contents(atPath: path), data.count < 1 << 20
    else { return }
    let found = Self.reader(of: String(decoding: data, as: UTF8.self), named: String(name))
    let isModel = found == .xcodeModel || found == .yamlModel
    if isModel { models.insert(path) }
    guard found == reader || isModel && reader == .modelArchive else { return }
    seeds.append(Seed(path: path, bytes: Array(data)))
  }

  private static func reader(of text: String, named name: String) -> FuzzedReader? {
    if name.hasSuffix(".json") { return text.contains("\n  \"seal\": \"sha256:") ? .plan : nil }
    if name == ".xccurrentversion" { return .currentVersion }
    if name == "versions" { return .versionOrder }
    if name.hasSuffix(".yaml") {
      if text.hasPrefix("remodelMapping:") { return .yamlMapping }
      return text.hasPrefix("remodel:") ? .yamlModel : nil
    }
    if text.contains("<model ") { return .xcodeModel }
    return text.contains("XDDEVMAPPINGMODEL") ? .xcodeMapping : nil
  }

  /// Returns a model file as the metadata schema keeps its model; nothing if it has faults.
  private static func archive(of file: Seed) -> Seed? {
    guard
      let model = file.path.hasSuffix(".yaml")
        ? try? ModelLoader.load(yaml: file.bytes, path: file.path).model
        : try? ModelLoader.load(xml: file.bytes, path: file.path).model,
      let text = try? ModelArchive.text(of: model)
    else { return nil }
    return Seed(path: file.path, bytes: Array(text.utf8))
  }
}

extension String {
  /// Returns how many bytes at the beginning are the same.
  fileprivate func sharedCount(with other: String) -> Int {
    zip(utf8, other.utf8).prefix { $0 == $1 }.count
  }
}
