import Diagnostics
import FoundationEssentials
import ModelLoading
import ModelMapping
import RemodelCommands
import RemodelKit

/// An input that is read and then used as the tool would.
///
/// That it is refused is an answer; anything that contradicts what the readers promise is a fault.
struct Trial {
  let reader: FuzzedReader
  let input: [UInt8]
  let neighbours: Neighbours
  /// The file that the input was made of.
  let seed: FuzzCorpus.Seed
  /// What else is decided by chance.
  var random: FuzzGenerator

  /// What is wrong.
  private(set) var faults: [String] = []
  /// How far it came.
  private(set) var progress = Progress.refused

  enum Progress: Int, CaseIterable {
    case refused, read, planned
  }

  init(
    _ reader: FuzzedReader,
    _ input: [UInt8],
    from seed: FuzzCorpus.Seed,
    _ neighbours: Neighbours,
    random: FuzzGenerator
  ) {
    self.reader = reader
    self.input = input
    self.seed = seed
    self.neighbours = neighbours
    self.random = random
  }

  mutating func run() {
    do {
      switch reader {
      case .xcodeModel:
        use(try ModelLoader.load(xml: input, path: "input"), of: .xcode)
      case .yamlModel:
        use(try ModelLoader.load(yaml: input, path: "input"), of: .yaml)
      case .modelArchive: try readArchive()
      case .currentVersion: try readBundle("A.xcdatamodeld", file: ".xccurrentversion")
      case .versionOrder: try readBundle("A.remodel", file: "versions")
      case .yamlMapping:
        try use(MappingLoader.load(yaml: input, name: "input", path: "input"))
      case .xcodeMapping:
        try use(MappingLoader.load(xml: input, name: "input", path: "input"))
      case .expression: try readExpression()
      case .predicate: try readPredicate()
      case .sqlTemplate: try readTemplate()
      case .plan: try readPlan()
      }
    } catch let error as any DiagnosticError {
      check(error.diagnostics, isError: true)
    } catch let error as ExpressionError {
      check([error.diagnostic], isError: true)
      if !(1...text.utf8.count + 1).contains(error.column) {
        faults.append("column \(error.column) is outside of the text")
      }
    } catch is SQLTemplate.Fault, is DecodingError {
      // The caller names their form.
    } catch {
      faults.append("error without words: \(error)")
    }
  }

  mutating func advance(to progress: Progress) {
    if progress.rawValue > self.progress.rawValue { self.progress = progress }
  }

  mutating func fault(_ message: String) { faults.append(message) }

  /// Everything that is said has words, and a place that there is.
  mutating func check(_ diagnostics: [Diagnostic], isError: Bool = false) {
    if isError, !diagnostics.contains(where: { $0.severity == .error }) {
      faults.append("error without a complaint")
    }
    let lineCount = input.count { $0 == UInt8(ascii: "\n") } + 1
    for diagnostic in diagnostics {
      _ = diagnostic.description
      guard let place = diagnostic.location, place.path == "input", let line = place.line else {
        continue
      }
      if line < 1 || line > lineCount || (place.column ?? 1) < 1 {
        faults.append("place \(place) is outside of the file: \(diagnostic.message)")
      }
    }
  }

  // MARK: - Readers of texts

  private var text: String { String(decoding: input, as: UTF8.self) }

  private mutating func readExpression() throws {
    let expression = try Expression(parsing: text)
    advance(to: .read)
    let words = expression.description
    do {
      guard try Expression(parsing: words) != expression else { return }
      faults.append("expression reads back as another: \(words)")
    } catch {
      expectTooLarge(error, words)
    }
  }

  private mutating func readPredicate() throws {
    let predicate = try Predicate(parsing: text)
    advance(to: .read)
    let words = predicate.description
    do {
      guard try Predicate(parsing: words) != predicate else { return }
      faults.append("predicate reads back as another: \(words)")
    } catch {
      expectTooLarge(error, words)
    }
  }

  /// What is long already can become longer than is read.
  private mutating func expectTooLarge(_ error: ExpressionError, _ words: String) {
    if error.fact != .tooLarge { faults.append("does not read back: \(error.message): \(words)") }
  }

  private mutating func readTemplate() throws {
    let template = try SQLTemplate(parsing: text)
    advance(to: .read)
    if try SQLTemplate(parsing: template.description) != template {
      faults.append("template reads back as another")
    }
  }

  private mutating func readPlan() throws {
    let approved = try PlanFile.read(random.once(in: 10) ? input : resealed, path: "input")
    advance(to: .read)
    _ = approved.record.hashValue
  }

  /// The file as an attacker would leave it, with a correct digest.
  private var resealed: [UInt8] {
    let mark = Array("\"seal\": \"".utf8)
    guard let start = input.firstRange(of: mark)?.upperBound,
      input.count >= start + PlanSeal.blank.utf8.count
    else { return input }
    var blanked = input
    blanked.replaceSubrange(start..<start + PlanSeal.blank.utf8.count, with: PlanSeal.blank.utf8)
    guard let text = String(validating: blanked, as: UTF8.self) else { return input }
    // The line break at the end came after the seal.
    return Array(PlanSeal.sealed(text.hasSuffix("\n") ? String(text.dropLast()) : text).utf8)
  }

  // MARK: - Bundles

  /// Reads the file that says which of three versions is the current one.
  private mutating func readBundle(_ name: String, file: String) throws {
    let folder = "\(neighbours.folder)/\(name)"
    let files = FileManager.default
    try? files.removeItem(atPath: folder)
    for version in ["1", "2", "3"] {
      let path =
        file == "versions" ? "\(folder)/\(version).yaml" : "\(folder)/\(version).xcdatamodel"
      try files.createDirectory(
        atPath: file == "versions" ? folder : path,
        withIntermediateDirectories: true
      )
      if file == "versions" { _ = files.createFile(atPath: path, contents: Data()) }
    }
    _ = files.createFile(atPath: "\(folder)/\(file)", contents: Data(input))
    let bundle = try ModelBundle(at: folder)
    advance(to: .read)
    check(bundle.warnings)
    if Set(bundle.versions.map(\.name)) != ["1", "2", "3"] {
      faults.append("versions \(bundle.versions.map(\.name)) of 1, 2 and 3")
    }
    if !bundle.versions.contains(where: { $0.name == bundle.currentVersion.name }) {
      faults.append("current version \(bundle.currentVersion.name) is none of them")
    }
  }
}
