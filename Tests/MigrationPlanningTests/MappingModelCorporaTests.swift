import Diagnostics
import FoundationEssentials
import ModelLoading
import ModelMapping
import ObjectModel
import PostgresClient
import SQLSyntax
import TestSupport
import Testing

@testable import MigrationPlanning

/// Real mapping models of Xcode's, carried out on rows in every table and held to the live law.
///
/// They are no part of the repository: skipped where they are absent. Those that call code of a
/// policy cannot run in a server.
@Suite(
  .tags(.server),
  .enabled(if: TestServer.isAvailable),
  .enabled(if: !Corpora.mappingModels.isEmpty, "there are no real mapping models here"),
  .timeLimit(.minutes(30))
)
struct MappingModelCorporaTests {
  @Test(.sampled(oneIn: 3))
  func `real mapping models without policies migrate as if created anew`() async throws {
    let mappings = try Corpora.mappingModels.compactMap { path -> MappedPair? in
      let mapping = try MappingLoader.load(try #require(MappingFile(path: path)))
      return mapping.openHoles().isEmpty ? try MappedPair(mapping) : nil
    }
    #expect(mappings.count == 37)

    let passed = try await TestServer.withDatabase { url in
      let connection = try PostgresConnection(to: .url(url))
      try connection.prepareSession()
      var passed = 0
      for pair in mappings {
        do {
          try pair.migrate(connection)
          passed += 1
        } catch let error as any DiagnosticError {
          Issue.record("\(pair.name):\n\(error.diagnostics.map(\.description))")
          try connection.execute("ROLLBACK")
        }
      }
      return passed
    }

    #expect(passed == mappings.count)
  }
}

/// A mapping model with the versions that it is between.
private struct MappedPair {
  let mapping: LoadedMapping
  let bundle: ModelBundle
  let source: ModelVersion
  let destination: ModelVersion

  var name: String { "\(bundle.name), \(mapping.name), \(source.name) to \(destination.name)" }

  init?(_ mapping: LoadedMapping) throws {
    for path in Corpora.bundles where Self.repository(path) == Self.repository(mapping.path) {
      let bundle = try ModelBundle(at: path)
      func model(_ version: ModelVersion) -> ManagedObjectModel? {
        try? bundle.load(version).model
      }
      guard let source = mapping.source.version(among: bundle.versions, model: model),
        let destination = mapping.destination.version(among: bundle.versions, model: model)
      else { continue }
      self.mapping = mapping
      self.bundle = bundle
      self.source = source
      self.destination = destination
      return
    }
    return nil
  }

  private static func repository(_ path: String) -> Substring? {
    path.dropFirst(Corpora.root.count).split(separator: "/").first
  }

  func migrate(_ connection: borrowing PostgresConnection) throws {
    let models = (try bundle.load(source).model, try bundle.load(destination).model)
    let earlier = try bundle.versions.prefix { $0.name != destination.name }
      .map { try bundle.load($0).model }
    let complete = try CompleteMapping(
      completing: mapping.mappingModel,
      from: models.0,
      to: models.1,
      earlierVersions: earlier
    )
    var migration = LiveMigration(MigrationPlanner(), name: name)
    let before = try PlannedVersion(models.0, named: source.name)
    try migration.create(before, connection)
    try migration.migrate(
      from: before,
      to: try PlannedVersion(models.1, named: destination.name),
      by: complete,
      connection
    )
  }
}
