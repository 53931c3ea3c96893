import Testing

/// A way over versions after which something was lost once on the way back.
struct ReturnCase: CustomTestStringConvertible, Sendable {
  let name: String
  let versions: [String]
  /// What fills the first version.
  let rows: String
  /// What is asked of the first version, there and on the way back.
  let query: String
  var testDescription: String { name }

  static let all = [
    removedAttribute(of: "B"), removedAttribute(of: "A"), manyToMany, orderedToMany,
    orderedManyToMany, inheritedAttribute, retainedGenerations, severalSubentities,
  ]

  /// An attribute is removed, then the subentity that has it.
  private static func removedAttribute(of entity: String) -> ReturnCase {
    func version(_ a: String, _ b: String?) -> String {
      let subentity = b.map { "\n  B: { parent: A, attributes: { z: string?\($0) } }" } ?? ""
      return """
        remodel: 1
        entities:
          A: { attributes: { x: string?\(a) } }\(subentity)
        """
    }
    let isRoot = entity == "A"
    let column = isRoot ? "y" : "b_y"
    return ReturnCase(
      name: "removed attribute of \(entity), then subentity",
      versions: [
        version(isRoot ? ", y: string?" : "", isRoot ? "" : ", y: string?"), version("", ""),
        version("", nil),
      ],
      rows: """
        INSERT INTO public.a (_entity, x, b_z, \(column)) VALUES ('A', 'one', NULL, NULL), \
        ('B', 'two', 'zed', 'kept')
        """,
      query: "SELECT _id, _entity, x, b_z, \(column) FROM public.a ORDER BY 1"
    )
  }

  /// A subentity is removed that has a relationship with links in a table of their own.
  private static let manyToMany = ReturnCase(
    name: "subentity with many-to-many relationship",
    versions: [
      """
      remodel: 1
      entities:
        A: { attributes: { x: string? } }
        B: { parent: A, relationships: { tags: { toMany: T, inverse: owners } } }
        T:
          attributes: { t: string? }
          relationships: { owners: { toMany: B, inverse: tags } }
      """,
      """
      remodel: 1
      entities:
        A: { attributes: { x: string? } }
        T: { attributes: { t: string? } }
      """,
    ],
    rows: """
      INSERT INTO public.a (_entity, x) VALUES ('A', 'one'), ('B', 'two'), ('B', 'three');
      INSERT INTO public.t (t) VALUES ('s'), ('t');
      INSERT INTO public.b_tags (owners, tags) VALUES (2, 1), (2, 2), (3, 2)
      """,
    query: """
      SELECT a._id, a._entity, a.x, t.t FROM public.a LEFT JOIN public.b_tags AS j ON j.owners = a._id \
      LEFT JOIN public.t ON t._id = j.tags ORDER BY 1, 4
      """
  )

  /// A relationship loses its order, with links in a column.
  private static let orderedToMany = ReturnCase(
    name: "order of a to-many relationship",
    versions: ["ordered: true, ", ""].map { order in
      """
      remodel: 1
      entities:
        Shelf: { relationships: { books: { toMany: Book, \(order)inverse: shelf } } }
        Book: { relationships: { shelf: { to: Shelf?, inverse: books } } }
      """
    },
    rows: """
      INSERT INTO public.shelf (_id) VALUES (1);
      INSERT INTO public.book (shelf, _books_position) VALUES (1, 30), (1, 20), (1, 10), (NULL, NULL)
      """,
    query: "SELECT _id, shelf, _books_position FROM public.book ORDER BY 1"
  )

  /// A relationship loses its order, with links in a table of their own.
  private static let orderedManyToMany = ReturnCase(
    name: "order of a many-to-many relationship",
    versions: ["ordered: true, ", ""].map { order in
      """
      remodel: 1
      entities:
        Shelf: { relationships: { books: { toMany: Book, \(order)inverse: shelves } } }
        Book: { relationships: { shelves: { toMany: Shelf, inverse: books } } }
      """
    },
    rows: """
      INSERT INTO public.shelf (_id) VALUES (1);
      INSERT INTO public.book (_id) VALUES (1), (2), (3);
      INSERT INTO public.book_shelves (books, shelves, _books_position) \
      VALUES (1, 1, 30), (2, 1, 20), (3, 1, 10)
      """,
    query: "SELECT books, _books_position FROM public.book_shelves ORDER BY 1"
  )

  /// An entity loses its parent, and with it an attribute.
  private static let inheritedAttribute = ReturnCase(
    name: "inherited attribute",
    versions: [
      """
      remodel: 1
      entities:
        A: { abstract: true, attributes: { x: string?, y: string? } }
        B: { parent: A, attributes: { z: string? } }
      """,
      """
      remodel: 1
      entities:
        B: { attributes: { z: string? } }
      """,
    ],
    rows: """
      INSERT INTO public.a (_entity, x, b_z) VALUES ('B', NULL, 'three'), ('B', 'four', NULL)
      """,
    query: "SELECT _id, _entity, x, y, b_z FROM public.a ORDER BY 1"
  )

  /// An attribute is removed, added with another type, and removed again.
  private static let retainedGenerations = ReturnCase(
    name: "attribute removed, added, and removed again",
    versions: [", y: string?", "", ", y: integer32?", ""].map { attribute in
      "remodel: 1\nentities:\n  A: { attributes: { x: string?\(attribute) } }"
    },
    rows: "INSERT INTO public.a (x, y) VALUES ('one', 'first'), ('two', NULL)",
    query: "SELECT _id, x, y FROM public.a ORDER BY 1"
  )

  /// Of several subentities, all go.
  private static let severalSubentities = ReturnCase(
    name: "all subentities",
    versions: [
      """
      remodel: 1
      entities:
        A: { attributes: { x: string? } }
        B: { parent: A, attributes: { y: string }, relationships: { other: { to: C?, inverse: others } } }
        C: { parent: A, attributes: { y: integer32 }, relationships: { others: { toMany: B, inverse: other } } }
      """,
      "remodel: 1\nentities:\n  A: { attributes: { x: string? } }",
    ],
    rows: """
      INSERT INTO public.a (_entity, x, b_y, c_y, b_other) VALUES ('A', 'one', NULL, NULL, NULL), \
      ('C', 'two', NULL, 2, NULL), ('B', 'three', 'three', NULL, 2)
      """,
    query: "SELECT _id, _entity, x, b_y, c_y, b_other FROM public.a ORDER BY 1"
  )
}
