import Testing

/// A change of a database behind the tool's back, its inverse, and the expected report.
struct DriftSample: CustomTestStringConvertible, Sendable {
  let name: String
  let sql: String
  let undo: String
  /// What is to be named: how it differs, the object, and what in the model it is.
  let finds: Set<String>

  init(_ name: String, _ sql: String, undo: String, _ finds: String...) {
    self.name = name
    self.sql = sql
    self.undo = undo
    self.finds = Set(finds)
  }

  var testDescription: String { name }

  /// The versions of the model; the second one leaves a column and a table retained.
  static let versions = [
    second
      .replacing("pages: integer32?\n", with: "pages: integer32?\n      subtitle: string?\n")
      .replacing("  Shelf:", with: "  Label:\n    attributes: { name: string }\n  Shelf:"),
    second,
  ]

  private static let second = """
    remodel: 1
    entities:
      Author:
        attributes:
          name: string
          bookCount: { type: integer64, derivation: "books.@count" }
        relationships:
          books: { toMany: Publication, inverse: author, ordered: true, delete: cascade }
        unique: [[name]]
      Publication:
        abstract: true
        attributes:
          title: { type: string, default: untitled }
          binding: { type: "enum(hard, soft)", default: soft }
          pages: integer32?
          doubled: { type: integer64?, derivation: "pages * 2" }
        relationships:
          author: { to: Author?, inverse: books }
          tags: { toMany: Tag, inverse: publications }
        indexes:
          byTitle: { elements: [title], where: "pages > 3" }
          byPages: [pages]
      Book:
        parent: Publication
        attributes: { isbn: string? }
        unique: [[isbn]]
      Magazine: { parent: Publication }
      Tag:
        attributes: { name: string }
        relationships:
          publications: { toMany: Publication, inverse: tags, maximum: 2 }
      Shelf:
        attributes: { place: string }
        relationships:
          favourite: { to: Book? }
    """

  static let all = columns + constraints + indexes + triggers + tables + others
}
