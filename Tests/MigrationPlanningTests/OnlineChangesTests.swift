import ModelMapping
import ObjectModel
import SQLSyntax
import TestSupport
import Testing

@testable import MigrationPlanning

@Suite
struct OnlineChangesTests {
  @Test
  func `a unique constraint under the name of a removed check is built concurrently`() throws {
    let code = AttributeDescription(name: "code", type: .string)
    var book = EntityDescription(name: "Book", attributes: [code])
    book.checks = [CheckDescription(name: "book_code_key", expression: "code <> ''")]
    let source = try PlannedVersion(ManagedObjectModel(entities: [book]), named: "1")
    book.checks = []
    book.uniquenessConstraints = [["code"]]
    let destination = try PlannedVersion(ManagedObjectModel(entities: [book]), named: "2")

    var planner = MigrationPlanner(strategy: .online)
    planner.isPhased = true
    let step = try planner.step(
      from: source,
      to: destination,
      by: CompleteMapping(
        from: source.projection.model,
        to: destination.projection.model,
        earlierVersions: []
      )
    )

    #expect(
      step.deferredWork.contains {
        if case .addUniqueConstraint(let build) = $0 {
          build.constraint.name == "book_code_key"
        } else {
          false
        }
      }
    )
  }
}
