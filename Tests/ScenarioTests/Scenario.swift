import Diagnostics
import FoundationEssentials
import MigrationPlanning
import ModelLoading
import ModelMapping
import ObjectModel
import SQLSyntax
import TestSupport
import Testing

/// A case as a folder: two versions, the existing rows, and the expected results.
///
/// `before.yaml` and `after.yaml` are written by hand, `rows.sql` and `1-2.mapping.yaml` too;
/// `plan.txt`, `plan.sql`, `rows.txt`, and for refusals `refusal.txt`, are recorded with
/// `RECORD_GOLDEN=1`. A refusal may follow from objects of users in the database, which
/// `objects.sql` creates.
struct Scenario: CustomTestStringConvertible, Sendable {
  let folder: URL

  static let all: [Scenario] = {
    let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Scenarios")
    let names = (try? FileManager.default.contentsOfDirectory(atPath: root.path)) ?? []
    return names.sorted().map { Scenario(folder: root.appending(path: $0)) }
  }()

  /// The scenarios that can be planned.
  static let planned = all.filter { !$0.isRefused }

  var name: String { folder.lastPathComponent }
  var testDescription: String { name }
  var isRefused: Bool { name.hasPrefix("refuse-") }

  var rows: String? {
    try? String(contentsOf: folder.appending(path: "rows.sql"), encoding: .utf8)
  }

  var objects: String? {
    try? String(contentsOf: folder.appending(path: "objects.sql"), encoding: .utf8)
  }

  func version(_ file: String, named name: String? = nil) throws -> PlannedVersion {
    let model = try ModelLoader.load(folder.appending(path: "\(file).yaml").path).model
    return try PlannedVersion(model, named: name ?? file, in: "public")
  }

  func step(
    _ strategy: CopyStrategy = .locked,
    stagingSchema: SQLIdentifier? = nil,
    isPhased: Bool = false,
    serverMajor: Int = MigrationPlanner.oldestServerMajor
  ) throws -> MigrationStep {
    let source = try version("before")
    let destination = try version("after")
    let models = (from: source.projection.model, to: destination.projection.model)
    let mapping =
      try authoredMapping().map {
        try CompleteMapping(completing: $0, from: models.from, to: models.to)
      } ?? CompleteMapping(from: models.from, to: models.to)
    var planner = MigrationPlanner(strategy: strategy, serverMajor: serverMajor)
    planner.isPhased = isPhased
    if let stagingSchema { planner.stagingSchema = stagingSchema }
    return try planner.step(from: source, to: destination, by: mapping)
  }

  /// Whether its rows do not allow the migration.
  var isViolated: Bool {
    FileManager.default.fileExists(atPath: folder.appending(path: "violation.txt").path)
  }

  /// Whether a mapping model says what inference cannot know.
  var isMapped: Bool { mappingPath != nil }

  /// Whether the mapping model runs statements on the rows as a whole.
  var runsStatements: Bool {
    guard let mappingPath, let text = try? String(contentsOfFile: mappingPath, encoding: .utf8)
    else { return false }
    return text.split(separator: "\n").contains {
      $0.hasPrefix("before:") || $0.hasPrefix("after:")
    }
  }

  /// The words that the mapping model compares values with.
  var mappingWords: [String] {
    guard let mappingPath, let text = try? String(contentsOfFile: mappingPath, encoding: .utf8)
    else { return [] }
    let parts = text.split(separator: "\"", omittingEmptySubsequences: false)
    return stride(from: 1, to: parts.count, by: 2).map { String(parts[$0]) }
      .filter { !$0.isEmpty && $0.allSatisfy(\.isLetter) }
  }

  private var mappingPath: String? {
    let path = folder.appending(path: "1-2.mapping.yaml").path
    return FileManager.default.fileExists(atPath: path) ? path : nil
  }

  private func authoredMapping() throws -> MappingModel? {
    try mappingPath.flatMap(MappingFile.init).map { try MappingLoader.load($0).mappingModel }
  }

  func expect(_ text: String, in name: String) {
    expectGolden(text, at: folder.appending(path: name))
  }

  /// Makes a bundle of both versions, under the names by which they sort.
  func withBundle<Result>(_ body: (String) async throws -> Result) async throws -> Result {
    let temporary = FileManager.default.temporaryDirectory
      .appending(path: "scenario-\(UUID().uuidString)")
    let bundle = temporary.appending(path: "Scenario.remodel")
    try FileManager.default.createDirectory(at: bundle, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: temporary) }
    for (source, target) in [("before", "1"), ("after", "2")] {
      try FileManager.default.copyItem(
        at: folder.appending(path: "\(source).yaml"),
        to: bundle.appending(path: "\(target).yaml")
      )
    }
    if let mappingPath {
      try FileManager.default.copyItem(
        at: URL(filePath: mappingPath),
        to: bundle.appending(path: "1-2.mapping.yaml")
      )
    }
    return try await body(bundle.path)
  }
}
