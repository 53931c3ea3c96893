import ModelMapping
import ObjectModel
import SQLSyntax
import TestSupport
import Testing

@testable import MigrationPlanning

/// Names that removed objects have, or that others have given.
@Suite
struct TakenNamesTests {
  @Test
  func `a table that decides which links move gives up its names first`() throws {
    let observation = EntityDescription(
      name: "Observation",
      relationships: [
        RelationshipDescription(
          name: "attachments",
          destinationEntityName: "Attachment",
          inverseName: "observations",
          isToMany: true
        )
      ]
    )
    func model(_ attachment: RelationshipDescription) -> ManagedObjectModel {
      var observation = observation
      observation.relationships[0].inverseName = attachment.name
      return ManagedObjectModel(entities: [
        observation,
        EntityDescription(name: "Attachment", relationships: [attachment]),
      ])
    }
    let source = model(
      RelationshipDescription(
        name: "observations",
        destinationEntityName: "Observation",
        inverseName: "attachments",
        isToMany: true
      )
    )
    let destination = model(
      RelationshipDescription(
        name: "observation",
        destinationEntityName: "Observation",
        inverseName: "attachments"
      )
    )
    // The attachments that there are go, and others come with nothing in them.
    let mapping = MappingModel(entityMappings: [
      EntityMapping(
        name: "Observations",
        type: .transform,
        sourceEntityName: "Observation",
        destinationEntityName: "Observation",
        relationshipMappings: [
          PropertyMapping(
            name: "attachments",
            valueExpression: .destinationInstances(sourceRelationship: "attachments")
          )
        ]
      ),
      EntityMapping(name: "Gone", type: .remove, sourceEntityName: "Attachment"),
      EntityMapping(name: "New", type: .add, destinationEntityName: "Attachment"),
    ])

    let step = try MigrationPlanner(removals: .drop).step(
      from: PlannedVersion(source, named: "1"),
      to: PlannedVersion(destination, named: "2"),
      by: CompleteMapping(completing: mapping, from: source, to: destination)
    )

    let summaries = step.operations.map(\.base.summary)
    let moved = "move links to column \"observation\" of table \"attachment\""
    let dropped = "drop table \"remodel_temporary_attachment\""
    let places = [moved, dropped].map { summaries.firstIndex(of: $0) ?? -1 }
    #expect(0 <= places[0] && places[0] < places[1], "\(summaries)")
  }

  @Test
  func `constraints that others have made follow their columns`() throws {
    let source = Samples.model(
      "Book",
      AttributeDescription(name: "isbn", type: .string),
      AttributeDescription(name: "pages", type: .integer32)
    )
    let destination = ManagedObjectModel(entities: [
      EntityDescription(
        name: "Volume",
        renamingIdentifier: "Book",
        attributes: [
          AttributeDescription(name: "code", type: .string, renamingIdentifier: "isbn"),
          AttributeDescription(name: "pages", type: .integer32, isOptional: false),
        ]
      )
    ])
    let found = NotNullConstraint(name: "nn", isValid: true)
    var planner = MigrationPlanner(serverMajor: 18)
    planner.foundNotNull = [
      ColumnReference(table: "book", column: "isbn"): found,
      ColumnReference(table: "book", column: "pages"): found,
    ]

    let step = try MigrationPlannerTests.step(from: source, to: destination, planner)

    #expect(step.script.contains("RENAME CONSTRAINT \"nn\" TO \"volume_pages_not_null\""))
    #expect(
      step.foundNotNullAfterwards(planner.foundNotNull)
        == [ColumnReference(table: "volume", column: "code"): found]
    )
  }
}
