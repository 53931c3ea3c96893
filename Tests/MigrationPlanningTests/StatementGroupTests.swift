import ModelMapping
import ObjectModel
import TestSupport
import Testing

@testable import MigrationPlanning

/// Which statements the server gets in one round trip.
@Suite
struct StatementGroupTests {
  /// Returns the creation of a ring of entities.
  private func creation(entities count: Int) throws -> MigrationStep {
    let entities = (0..<count).map { number in
      EntityDescription(
        name: "E\(number)",
        attributes: [AttributeDescription(name: "size", type: .integer32)],
        relationships: [
          RelationshipDescription(name: "next", destinationEntityName: "E\((number + 1) % count)")
        ]
      )
    }
    return try MigrationPlanner()
      .step(creating: PlannedVersion(ManagedObjectModel(entities: entities), named: "1"))
  }

  @Test(arguments: [1, 60, 150, 10_000])
  func `each transaction has all of its statements once, in their order`(limit: Int) throws {
    let version = try PlannedVersion(DerivedModel().model, named: "1")
    let step = try MigrationPlanner().step(creating: version).divided(from: 0, limit: limit)

    #expect(step.groups.map { $0.flatMap(Array.init) } == step.transactions.map(Array.init))
  }

  @Test
  func `a creation needs few round trips`() throws {
    let step = try creation(entities: 10)

    #expect(step.statements.count > 20)
    #expect(try #require(step.groups.first).count == 1)
  }

  @Test
  func `a group stays small enough to be watched`() throws {
    let groups = try creation(entities: 150).groups

    #expect(groups.flatMap(\.self).allSatisfy { $0.count <= 100 })
    #expect(groups.flatMap(\.self).contains { $0.count == 100 })
  }

  @Test
  func `what works on rows, and authored SQL, is sent by itself`() throws {
    let versions = try [AttributeType.integer32, .integer64].enumerated().map { number, type in
      let entities = (0..<3).map { index in
        EntityDescription(
          name: "E\(index)",
          attributes: [AttributeDescription(name: "size", type: type, isOptional: true)]
        )
      }
      return try PlannedVersion(ManagedObjectModel(entities: entities), named: "\(number + 1)")
    }

    let step = try MigrationPlanner().step(
      from: versions[0],
      to: versions[1],
      by: CompleteMapping(
        from: versions[0].projection.model,
        to: versions[1].projection.model,
        earlierVersions: []
      )
    )

    #expect(step.statements.count >= 3)
    for group in step.groups.flatMap(\.self) where group.count > 1 {
      #expect(step.statements[group].allSatisfy { $0.impact.rewrites.isEmpty && !$0.isWritten })
    }
    let rewriting = step.statements.indices.filter { !step.statements[$0].impact.rewrites.isEmpty }
    #expect(rewriting.count == 3)
    #expect(rewriting.allSatisfy { step.groups[0].contains($0..<$0 + 1) })
  }
}
