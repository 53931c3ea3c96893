import FoundationEssentials
import ModelLoading
import ModelMapping
import ObjectModel
import PostgresClient
import TestSupport
import Testing

@testable import MigrationPlanning

/// Two versions that follow one another.
struct VersionPair {
  let bundle: ModelBundle
  let position: Int

  var name: String {
    "\(bundle.name), \(bundle.versions[position - 1].name) to \(bundle.versions[position].name)"
  }

  static func all() throws -> [VersionPair] {
    try Corpora.bundles.flatMap { path in
      let bundle = try ModelBundle(at: path)
      return bundle.versions.indices.dropFirst().map { VersionPair(bundle: bundle, position: $0) }
    }
  }

  /// Returns both versions laid out as tables.
  func versions() throws -> (source: PlannedVersion, destination: PlannedVersion) {
    func version(_ position: Int) throws -> PlannedVersion {
      let version = bundle.versions[position]
      return try PlannedVersion(bundle.load(version).model, named: version.name)
    }
    return (try version(position - 1), try version(position))
  }

  /// Migrates rows of the first version in schema `s`, and holds them to the live law.
  ///
  /// - Returns: The version that the schema is at, and what it retains of the one before.
  @discardableResult
  func migrate(
    _ connection: borrowing PostgresConnection,
    by planner: MigrationPlanner = MigrationPlanner()
  ) throws -> (version: PlannedVersion, retained: [RetainedObject]) {
    var migration = LiveMigration(planner, name: name)
    return (try migrate(&migration, connection), migration.retained)
  }

  /// Migrates rows of the first version in schema `s`.
  ///
  /// - Returns: The version that the schema is at.
  @discardableResult
  func migrate(
    _ migration: inout LiveMigration,
    _ connection: borrowing PostgresConnection
  ) throws -> PlannedVersion {
    let models = try bundle.versions[...position].map { try bundle.load($0).model }
    let source = try PlannedVersion(models[position - 1], named: bundle.versions[position - 1].name)
    let destination = try PlannedVersion(models[position], named: bundle.versions[position].name)
    let mapping = try CompleteMapping(
      from: models[position - 1],
      to: models[position],
      earlierVersions: Array(models[..<position])
    )
    try migration.create(source, connection)
    try migration.migrate(from: source, to: destination, by: mapping, connection)

    let again = try CompleteMapping(from: models[position], to: models[position])
    let second = try MigrationPlanner().step(from: destination, to: destination, by: again)
    #expect(second.statements.isEmpty, "\(name): the second plan is not empty")
    return destination
  }
}

extension [VersionPair] {
  /// A seeded sample; all of them if `REMODEL_CASES` is `all`.
  func sample() -> [VersionPair] {
    let wish = ProcessInfo.processInfo.environment["REMODEL_CASES"] ?? ""
    if wish == "all" { return self }
    var random = SeededGenerator(seed: RandomCases.sampleSeed)
    return Array(shuffled(using: &random).prefix(RandomCases.count(orElse: 6) * 3))
  }
}
