import ModelMapping
import ObjectModel

@testable import MigrationPlanning

/// A library with derived attributes of all kinds, some of which can be left away.
struct DerivedModel {
  /// The derived attributes of books: the name, the type and the expression.
  var bookDerivations: [(String, AttributeType, String)] = [
    ("authorName", .string, "author.name"),
    ("chapterCount", .integer16, "chapters.@count"),
    ("cleanTitle", .string, "canonical:(title)"),
    ("pageSum", .integer64, "chapters.pages.@sum"),
    ("tagWeight", .decimal, "tags.weight.@sum"),
    ("titleLength", .integer32, "length:(cleanTitle) + price"),
    ("publisherCity", .string, "uppercase:(author.publisher.city)"),
  ]
  /// The type of the pages of a chapter.
  var pagesType = AttributeType.integer32

  var model: ManagedObjectModel {
    ManagedObjectModel(entities: [
      EntityDescription(
        name: "Author",
        attributes: [
          AttributeDescription(name: "name", type: .string),
          derived("friendCount", .integer32, "friends.@count"),
          derived("pupilCount", .integer32, "pupils.@count"),
        ],
        relationships: [
          toMany("books", "Book", inverse: "author"),
          toMany("friends", "Author", inverse: "friends"),
          RelationshipDescription(
            name: "teacher",
            destinationEntityName: "Author",
            inverseName: "pupils"
          ),
          toMany("pupils", "Author", inverse: "teacher"),
          RelationshipDescription(name: "publisher", destinationEntityName: "Publisher"),
        ]
      ),
      EntityDescription(
        name: "Publisher",
        attributes: [AttributeDescription(name: "city", type: .string)]
      ), book,
      EntityDescription(
        name: "Novel",
        superentityName: "Book",
        attributes: [
          derived("longest", .integer32, "chapters.pages.@max"),
          derived("loudTitle", .string, "uppercase:(title)"),
        ]
      ),
      EntityDescription(
        name: "Chapter",
        attributes: [AttributeDescription(name: "pages", type: pagesType)],
        relationships: [
          RelationshipDescription(
            name: "book",
            destinationEntityName: "Book",
            inverseName: "chapters"
          )
        ]
      ),
      EntityDescription(
        name: "Tag",
        attributes: [AttributeDescription(name: "weight", type: .decimal)],
        relationships: [toMany("books", "Book", inverse: "tags")]
      ),
    ])
  }

  private var book: EntityDescription {
    EntityDescription(
      name: "Book",
      attributes: [
        AttributeDescription(name: "title", type: .string),
        AttributeDescription(name: "price", type: .integer16),
      ] + bookDerivations.map { derived($0.0, $0.1, $0.2) },
      relationships: [
        RelationshipDescription(
          name: "author",
          destinationEntityName: "Author",
          inverseName: "books"
        ),
        RelationshipDescription(
          name: "chapters",
          destinationEntityName: "Chapter",
          inverseName: "book",
          isToMany: true,
          deleteRule: .cascade
        ), toMany("tags", "Tag", inverse: "books"),
      ]
    )
  }

  private func toMany(
    _ name: String,
    _ destination: String,
    inverse: String
  ) -> RelationshipDescription {
    RelationshipDescription(
      name: name,
      destinationEntityName: destination,
      inverseName: inverse,
      isToMany: true
    )
  }

  private func derived(
    _ name: String,
    _ type: AttributeType,
    _ expression: String
  ) -> AttributeDescription {
    AttributeDescription(name: name, type: type, derivationExpression: expression)
  }
}
