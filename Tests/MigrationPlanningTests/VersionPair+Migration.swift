import ModelLoading
import ModelMapping
import ObjectModel
import PostgresClient
import TestSupport
import Testing

@testable import MigrationPlanning

extension VersionPair {
  /// Returns both versions laid out as tables.
  func planned() throws -> (source: PlannedVersion, destination: PlannedVersion) {
    func planned(_ version: ModelVersion) throws -> PlannedVersion {
      try PlannedVersion(bundle.load(version).model, named: version.name)
    }
    return (try planned(versions.source), try planned(versions.destination))
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
