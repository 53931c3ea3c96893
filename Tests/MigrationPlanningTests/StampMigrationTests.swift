import ModelMapping
import ObjectModel
import PostgresClient
import SQLSyntax
import TestSupport
import Testing

@testable import MigrationPlanning

/// Timestamps record writes of rows by applications, not by migrations.
@Suite
struct StampMigrationTests {
  @Test
  func `only where rows are written do stamps stand aside`() throws {
    var number = AttributeDescription(name: "n", type: .integer32)
    let memo = EntityDescription(name: "Memo", attributes: [Self.stamp])
    let before = ManagedObjectModel(entities: [
      EntityDescription(name: "Note", attributes: [number, Self.stamp]), memo,
    ])
    number.isOptional = false
    number.defaultValue = .integer(7)
    let after = ManagedObjectModel(entities: [
      EntityDescription(name: "Note", attributes: [number, Self.stamp]), memo,
    ])

    let step = try MigrationPlanner().step(
      from: PlannedVersion(before, named: "1"),
      to: PlannedVersion(after, named: "2"),
      by: CompleteMapping(from: before, to: after)
    )

    let quiet = step.operations.compactMap { operation in
      if case .dropTrigger(let drop) = operation { drop.table } else { nil }
    }
    #expect(quiet == ["note"])
    #expect(step.lockedTables.map(\.name.name) == ["note"])
  }

  @Test(
    .tags(.server),
    .enabled(if: TestServer.isAvailable),
    .timeLimit(.minutes(30)),
    arguments: [RemovalPolicy.retain, .drop]
  )
  func `stamps come along with their rows`(removals: RemovalPolicy) async throws {
    let apart = try PlannedVersion(Self.apart, named: "1")
    let together = try PlannedVersion(Self.together, named: "2")

    try await TestServer.withDatabase { url in
      let connection = try PostgresConnection(to: .url(url))
      try connection.prepareSession()
      var migration = LiveMigration(MigrationPlanner(removals: removals), name: "stamps")
      try migration.create(apart, connection)
      let mapping = try CompleteMapping(from: Self.apart, to: Self.together)
      try migration.migrate(from: apart, to: together, by: mapping, connection)
    }
  }

  // MARK: - Models

  private static let stamp = AttributeDescription(
    name: "changed",
    type: .date,
    derivationExpression: "now()"
  )

  private static var requiredStamp: AttributeDescription {
    var required = stamp
    required.isOptional = false
    return required
  }

  private static var loan: EntityDescription {
    EntityDescription(
      name: "Loan",
      attributes: [stamp],
      relationships: [RelationshipDescription(name: "note", destinationEntityName: "Note")]
    )
  }

  /// Stamps of siblings, and of one that is about to leave.
  private static var apart: ManagedObjectModel {
    ManagedObjectModel(entities: [
      EntityDescription(name: "Item", isAbstract: true),
      EntityDescription(name: "Book", superentityName: "Item", attributes: [stamp]),
      EntityDescription(name: "Film", superentityName: "Item", attributes: [stamp]),
      EntityDescription(name: "Note", superentityName: "Item", attributes: [requiredStamp]), loan,
    ])
  }

  private static var together: ManagedObjectModel {
    ManagedObjectModel(entities: [
      EntityDescription(name: "Item", isAbstract: true, attributes: [stamp]),
      EntityDescription(name: "Book", superentityName: "Item"),
      EntityDescription(name: "Film", superentityName: "Item"),
      EntityDescription(name: "Note", attributes: [requiredStamp]), loan,
    ])
  }
}
