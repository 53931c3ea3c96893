/// A model in two versions between which a mapping model copies the rows of all books.
package enum CopiedBooks {
  /// The version before.
  package static let first = """
    remodel: 1
    entities:
      Book: { attributes: { title: string, pages: integer32? } }
    """

  /// The version after, which has the titles in capitals besides.
  package static let second = """
    remodel: 1
    entities:
      Book: { attributes: { title: string, pages: integer32?, shout: string? } }
    """

  /// The mapping model.
  package static let mapping = """
    remodelMapping: 1
    source: 1
    destination: 2
    entities:
      - source: Book
        destination: Book
        attributes: { title: title, pages: pages, shout: "uppercase(title)" }
    """
}
