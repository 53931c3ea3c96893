import ModelMapping
import ObjectModel
import PostgresClient
import SQLSyntax
import TestSupport

@testable import MigrationPlanning

/// Authors, books and chapters with rows, some of whose values are null.
enum ExpressionModel {
  static let model = ManagedObjectModel(entities: [
    EntityDescription(
      name: "Author",
      attributes: [
        AttributeDescription(name: "name", type: .string),
        AttributeDescription(name: "age", type: .integer16),
        AttributeDescription(name: "loud", type: .string, derivationExpression: "uppercase:(name)"),
      ],
      relationships: [
        RelationshipDescription(
          name: "books",
          destinationEntityName: "Book",
          inverseName: "author",
          isToMany: true
        ),
        RelationshipDescription(name: "mentor", destinationEntityName: "Author"),
      ]
    ),
    EntityDescription(
      name: "Book",
      attributes: [
        AttributeDescription(name: "title", type: .string),
        AttributeDescription(name: "note", type: .string),
        AttributeDescription(name: "number", type: .integer32),
        AttributeDescription(name: "price", type: .decimal),
        AttributeDescription(name: "weight", type: .double),
        AttributeDescription(name: "isNew", type: .boolean),
        AttributeDescription(name: "printed", type: .date),
        AttributeDescription(name: "tag", type: .uuid),
        AttributeDescription(name: "extra", type: .json),
        AttributeDescription(name: "nothing", type: .integer64),
      ],
      relationships: [
        RelationshipDescription(
          name: "author",
          destinationEntityName: "Author",
          inverseName: "books"
        ), RelationshipDescription(name: "editor", destinationEntityName: "Author"),
        RelationshipDescription(
          name: "chapters",
          destinationEntityName: "Chapter",
          inverseName: "book",
          isToMany: true,
          isOrdered: true
        ),
        RelationshipDescription(name: "fans", destinationEntityName: "Author", isToMany: true),
      ]
    ),
    EntityDescription(
      name: "Novel",
      superentityName: "Book",
      attributes: [AttributeDescription(name: "heroes", type: .integer16)]
    ),
    EntityDescription(
      name: "Chapter",
      attributes: [
        AttributeDescription(name: "heading", type: .string),
        AttributeDescription(name: "pages", type: .integer32),
      ],
      relationships: [
        RelationshipDescription(
          name: "book",
          destinationEntityName: "Book",
          inverseName: "chapters"
        ), RelationshipDescription(name: "writer", destinationEntityName: "Author"),
      ]
    ),
  ])

  static let rows: SQLFragment = """
    INSERT INTO s.author (_id, name, age, mentor) OVERRIDING SYSTEM VALUE
      VALUES (1, 'Ann', 40, NULL), (2, 'Bob', NULL, 1), (3, NULL, 30, NULL);
    INSERT INTO s.book (_id, _entity, title, number, price, weight, is_new, printed, tag, extra,
      author) OVERRIDING SYSTEM VALUE VALUES
      (1, 'Novel', '  Élan, vital ', 7, 12.50, 2.5, true, '2001-01-01 00:01:00Z',
        '00000000-0000-0000-0000-00000000000A', '{"a": {"b": "x"}, "l": [1, 2]}', 2),
      (2, 'Book', 'Other', 8, 3, 1, false, '2002-01-01 00:00:00Z', NULL, NULL, 2),
      (3, 'Book', 'Third', 9, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
    INSERT INTO s.chapter (_id, heading, pages, book, _chapters_position, writer)
      OVERRIDING SYSTEM VALUE VALUES (1, 'One', 10, 1, 1, 1), (2, 'Two', 30, 1, 0, 2),
      (3, NULL, NULL, 1, 2, NULL), (4, 'Solo', 10, 2, 0, 3);
    INSERT INTO s.book_fans VALUES (1, 1), (1, 3)
    """

  /// Creates the tables with their rows in schema `s`.
  static func create(_ connection: borrowing PostgresConnection) throws -> ModelProjection {
    let version = try PlannedVersion(model)
    try DerivedAttributeTests.create(version, connection)
    try connection.execute("SET search_path TO pg_catalog, pg_temp")
    try connection.execute(rows)
    return version.projection
  }

  /// Returns an expression over books, under the alias of a mapping, with another book as `$each`.
  static func row(_ projection: ModelProjection) throws -> RowExpression {
    guard let book = projection.model.entity(named: "Book"),
      let chapter = projection.model.entity(named: "Chapter")
    else { throw ExpressionFault.readsNothing }
    var row = RowExpression(projection, book, row: "src.", computesDerived: true)
    row.bind("each", chapter, row: "e.")
    return row
  }

  /// The rows that the expression is computed for: the first book with its first chapter.
  static let origin: SQLFragment =
    " FROM s.book AS src, s.chapter AS e WHERE src._id = 1 AND e._id = 1"
}
