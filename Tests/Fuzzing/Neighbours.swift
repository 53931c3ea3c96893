import FoundationEssentials
import ModelLoading
import ObjectModel

/// The models that inputs are compared with, each read once.
final class Neighbours {
  /// A folder in place of a file.
  let folder: String
  private let corpus: FuzzCorpus
  private var models: [String: ManagedObjectModel?] = [:]
  private var paths: [String: (source: String, destination: String)?] = [:]

  init(_ corpus: FuzzCorpus, folder: String) {
    self.corpus = corpus
    self.folder = folder
  }

  /// Returns the model that a file has; none if it has faults.
  func model(at path: String) -> ManagedObjectModel? {
    if let known = models[path] { return known }
    let bytes = FileManager.default.contents(atPath: path).map(Array.init) ?? []
    let loaded =
      path.hasSuffix(".yaml")
      ? try? ModelLoader.load(yaml: bytes, path: path)
      : try? ModelLoader.load(xml: bytes, path: path)
    models[path] = .some(loaded?.model)
    return loaded?.model
  }

  /// Returns the models that a mapping model is between.
  func ends(
    of mapping: LoadedMapping,
    _ seed: FuzzCorpus.Seed
  ) -> (ManagedObjectModel, ManagedObjectModel)? {
    let ends: (source: String, destination: String)?
    if let known = paths[seed.path] {
      ends = known
    } else {
      // The first input of a seed may be damaged, so the seed itself is used.
      let original =
        seed.path.hasSuffix(".yaml")
        ? try? MappingLoader.load(yaml: seed.bytes, name: "a", path: seed.path)
        : try? MappingLoader.load(xml: seed.bytes, name: "a", path: seed.path)
      ends = corpus.ends(
        of: seed,
        source: original?.source.name,
        destination: original?.destination.name
      )
      paths[seed.path] = .some(ends)
    }
    guard let ends, let source = model(at: ends.source),
      let destination = model(at: ends.destination)
    else { return nil }
    return (source, destination)
  }
}
