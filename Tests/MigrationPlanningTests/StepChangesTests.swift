import ModelMapping
import ObjectModel
import SQLSyntax
import TestSupport
import Testing

@testable import MigrationPlanning

@Suite
struct StepChangesTests {
  private func model(_ attributes: AttributeDescription...) -> ManagedObjectModel {
    ManagedObjectModel(entities: [EntityDescription(name: "Book", attributes: attributes)])
  }

  private let name = AttributeDescription(name: "name", type: .string, renamingIdentifier: "title")

  @Test
  func `statements are described in terms of the model`() throws {
    let step = try MigrationPlannerTests.step(
      from: model(
        AttributeDescription(name: "title", type: .string),
        AttributeDescription(name: "pages", type: .integer16)
      ),
      to: model(
        name,
        AttributeDescription(name: "pages", type: .integer64),
        AttributeDescription(name: "isbn", type: .string, isIndexed: true)
      )
    )
    let changes = StepChanges(of: step)

    let subjects = step.statements.map { changes.subjects(of: $0).map(\.description) }
    let kinds = step.statements.map { changes.changes(of: $0).map(\.kind) }

    #expect(subjects == [["Book.name"], ["Book.pages", "Book.isbn"], ["Book.isbn"]])
    #expect(kinds[0].contains(.attributeRenamed))
    #expect(kinds[1].contains(.attributeAdded) && kinds[1].contains(.typeChanged))
    #expect(kinds[2].contains(.attributeAdded))
  }

  @Test
  func `a release on the previous version stumbles over the new name`() throws {
    let step = try MigrationPlannerTests.step(
      from: model(AttributeDescription(name: "title", type: .string)),
      to: model(name)
    )

    #expect(
      step.statements.flatMap(\.breakages) == [
        .columnRenamed("title", to: "name", table: "book")
      ]
    )
  }

  @Test
  func `a statement is about a property under either name, and about no other`() throws {
    let step = try MigrationPlannerTests.step(
      from: model(
        AttributeDescription(name: "title", type: .string),
        AttributeDescription(name: "pages", type: .integer16)
      ),
      to: model(name, AttributeDescription(name: "pages", type: .integer64))
    )
    let rename = try #require(step.statements.first)
    let rewrite = try #require(step.statements.last)
    func breaks(_ statement: PlannedStatement, _ property: String) -> Bool {
      StepElements(of: step).changes(
        statement,
        property,
        of: "Book",
        hazard: .breaksPreviousRelease
      )
    }

    #expect(breaks(rename, "title") && breaks(rename, "name"))
    #expect(!breaks(rename, "pages"))
    #expect(breaks(rewrite, "pages"))
    #expect(!breaks(rewrite, "name"))
    #expect(!StepElements(of: step).changes(rename, "title", of: "Book", hazard: .rewritesTable))
    #expect(
      !StepElements(of: step).changes(rename, "title", of: "Author", hazard: .breaksPreviousRelease)
    )
  }
}
