import ModelMapping
import ObjectModel
import SQLSyntax
import TestSupport
import Testing

@testable import MigrationPlanning

/// Displaced properties keep their positions in keys and indexes.
struct DisplacementTests {
  @Test
  func `a key names a relationship that is put aside by its new name`() throws {
    let first = try Self.version("1", isToMany: true)
    let second = try Self.version("2", isToMany: false)
    let mapping = try CompleteMapping(
      from: first.projection.model,
      to: second.projection.model
    )
    let step = try MigrationPlanner().step(from: first, to: second, by: mapping)
    let links = Set(first.projection.schema.tables.keys).subtracting(["author", "book"])

    let reinstatement = try #require(
      Reinstatement(of: second, to: first, step.retained, replacing: links)
    )

    let book = try #require(reinstatement.source.projection.model.entity(named: "Book"))
    let aside = try #require(book.relationships.first { !$0.isToMany }).name
    #expect(aside != "authors")
    #expect(book.relationships.contains { $0.name == "authors" && $0.isToMany })
    #expect(book.uniquenessConstraints == [["title", aside]])
  }

  private static func version(_ name: String, isToMany: Bool) throws -> PlannedVersion {
    let books = RelationshipDescription(
      name: "books",
      destinationEntityName: "Book",
      inverseName: "authors",
      isToMany: true
    )
    let authors = RelationshipDescription(
      name: "authors",
      destinationEntityName: "Author",
      inverseName: "books",
      isToMany: isToMany
    )
    let model = ManagedObjectModel(entities: [
      EntityDescription(name: "Author", relationships: [books]),
      EntityDescription(
        name: "Book",
        attributes: [AttributeDescription(name: "title", type: .string)],
        relationships: [authors],
        uniquenessConstraints: isToMany ? [] : [["title", "authors"]]
      ),
    ])
    return try PlannedVersion(model, named: name)
  }
}
