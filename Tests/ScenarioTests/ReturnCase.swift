import Testing

/// A path over versions whose revert once lost something.
struct ReturnCase: CustomTestStringConvertible, Sendable {
  let name: String
  let versions: [String]
  var mappings: [String: String] = [:]
  /// What fills the first version.
  let rows: String
  /// What users write to later versions.
  var writes: [Int: String] = [:]
  /// The query of the first version, before and after the revert.
  let query: String
  /// The result after the revert, if it differs because of users' writes.
  var answer: [[String?]]?
  /// How many things are retained in the end, without those that are bound again.
  var leavings = 0
  /// The same after all versions at once.
  var leavingsAtOnce: Int?
  var testDescription: String { name }

  static let all =
    [
      removedAttribute(of: "B"), removedAttribute(of: "A"), manyToMany, orderedToMany,
      orderedManyToMany, inheritedAttribute, retainedGenerations, severalSubentities,
      movedUpAndBack, orderOfSuccessor, compositeElements,
      linksBesideMovedOnes, renamedOnTheWayUp,
      referenceMovedDown, referenceTakenOver,
    ] + [false, true].map(middleOfHierarchy) + moved + addedAgain + hierarchies

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
    query: "SELECT _id, x, y FROM public.a ORDER BY 1",
    leavings: 1
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

  /// An entity above others is removed, with an inherited attribute.
  private static func middleOfHierarchy(isAbstract: Bool) -> ReturnCase {
    let row = isAbstract ? "" : ", ('B', 'two', 'yes', NULL, 1)"
    return ReturnCase(
      name: "\(isAbstract ? "abstract " : "")middle of a hierarchy",
      versions: [
        """
        remodel: 1
        entities:
          A: { attributes: { x: string? } }
          B:
            parent: A
            abstract: \(isAbstract)
            attributes: { y: { type: string, default: none } }
            relationships: { other: { to: A? } }
          C: { parent: B, attributes: { z: string? } }
        """,
        """
        remodel: 1
        entities:
          A: { attributes: { x: string? } }
          C: { parent: A, attributes: { z: string? } }
        """,
      ],
      rows: """
        INSERT INTO public.a (_entity, x, b_y, c_z, b_other) VALUES ('A', 'one', NULL, NULL, NULL), \
        ('C', 'three', 'no', 'zed', 1)\(row)
        """,
      query: "SELECT _id, _entity, x, b_y, c_z, b_other FROM public.a ORDER BY 1"
    )
  }

  /// An attribute moves up and down again, and is written there.
  private static let movedUpAndBack = ReturnCase(
    name: "attribute moved up, back, written, and up again",
    versions: [true, false, true, false].map { isUp in
      """
      remodel: 1
      entities:
        A: { attributes: { x: string?\(isUp ? ", y: string?" : "") } }
        B: { parent: A, attributes: { z: string?\(isUp ? "" : ", y: string?") } }
      """
    },
    rows: """
      INSERT INTO public.a (_entity, x, y) VALUES ('A', 'one', 'first'), ('B', 'two', 'second'), \
      ('B', 'three', 'third')
      """,
    writes: [2: "UPDATE public.a SET b_y = 'new' WHERE x = 'two'"],
    query: "SELECT _id, _entity, x, y FROM public.a ORDER BY 1",
    answer: [
      ["1", "A", "one", "first"], ["2", "B", "two", "new"], ["3", "B", "three", "third"],
    ],
    leavings: 3
  )

  /// An entity is removed, and one below it takes its place in an order.
  private static let orderOfSuccessor = ReturnCase(
    name: "order of what takes the place of its parent",
    versions: [
      """
      remodel: 1
      entities:
        Shelf: { relationships: { books: { toMany: Book, ordered: true, inverse: shelves } } }
        Book: { attributes: { x: string? }, relationships: { shelves: { toMany: Shelf, inverse: books } } }
        Novel: { parent: Book }
      """,
      """
      remodel: 1
      entities:
        Shelf: { relationships: { books: { toMany: Novel, ordered: true, inverse: shelves } } }
        Novel: { attributes: { x: string? }, relationships: { shelves: { toMany: Shelf, inverse: books } } }
      """,
    ],
    rows: """
      INSERT INTO public.shelf (_id) VALUES (1);
      INSERT INTO public.book (_entity, x) VALUES ('Novel', 'one'), ('Book', 'two'), ('Novel', 'three');
      INSERT INTO public.book_shelves (books, shelves, _books_position) \
      VALUES (1, 1, 30), (2, 1, 20), (3, 1, 10)
      """,
    query: "SELECT books, _books_position FROM public.book_shelves ORDER BY 1"
  )

  /// Elements of composites go, one of them in a composite of a composite, and an attribute of one
  /// that has changed since.
  private static let compositeElements = ReturnCase(
    name: "elements of composites",
    versions: [
      """
      remodel: 1
      entities:
        A: { attributes: { x: string?, home: composite(Address)?, work: composite(Address)? } }
      composites:
        Address: { street: string?, city: string, place: composite(Place)? }
        Place: { north: double?, east: double? }
      """,
      """
      remodel: 1
      entities:
        A: { attributes: { x: string?, home: composite(Address)?, work: composite(Address)? } }
      composites:
        Address: { street: string?, place: composite(Place)? }
        Place: { east: double? }
      """,
      """
      remodel: 1
      entities:
        A: { attributes: { x: string?, home: composite(Address)? } }
      composites:
        Address: { place: composite(Place)? }
        Place: { east: double? }
      """,
    ],
    rows: """
      INSERT INTO public.a (home_street, home_city, home_place_north, home_place_east, work_city) \
      VALUES ('one', 'two', 3, 4, 'five'), ('six', NULL, 7, NULL, NULL)
      """,
    query: """
      SELECT _id, home_street, home_city, home_place_north, home_place_east, work_city FROM public.a \
      ORDER BY 1
      """
  )

  /// Links move to a table of their own, and some of the rows that they lead to go.
  private static let linksBesideMovedOnes = ReturnCase(
    name: "links to rows that went while links moved",
    versions: [
      """
      remodel: 1
      entities:
        A: { relationships: { b: { to: B?, inverse: all } } }
        B: { attributes: { x: string? }, relationships: { all: { toMany: A, ordered: true, inverse: b } } }
        C: { parent: B }
      """,
      """
      remodel: 1
      entities:
        A: { relationships: { b: { toMany: B, inverse: all } } }
        B: { attributes: { x: string? }, relationships: { all: { toMany: A, ordered: true, inverse: b } } }
      """,
    ],
    rows: """
      INSERT INTO public.b (_entity, x) VALUES ('B', 'one'), ('C', 'two');
      INSERT INTO public.a (b, _all_position) VALUES (1, 20), (2, 20), (1, 10), (2, 10), (NULL, NULL)
      """,
    query: """
      SELECT _id, b, rank() OVER (PARTITION BY b ORDER BY _all_position) FROM public.a ORDER BY 1
      """,
    // The table of links, and the column that they moved from, whose links are older.
    leavings: 3
  )

  /// An attribute of several entities moves to the one above them, under another name.
  private static let renamedOnTheWayUp = ReturnCase(
    name: "attribute moved up and renamed at once",
    versions: [
      """
      remodel: 1
      entities:
        A: { attributes: { x: string? } }
        B: { parent: A, attributes: { y: string? } }
        C: { parent: A, attributes: { y: string? } }
        D: { parent: C }
      """,
      """
      remodel: 1
      entities:
        A: { attributes: { x: string?, w: { type: string?, renamingIdentifier: y } } }
        B: { parent: A }
        C: { parent: A }
        D: { parent: C }
      """,
    ],
    rows: """
      INSERT INTO public.a (_entity, x, b_y, c_y) VALUES ('A', 'one', NULL, NULL), \
      ('B', 'two', 'second', NULL), ('C', 'three', NULL, 'third'), ('D', 'four', NULL, 'fourth')
      """,
    writes: [2: "UPDATE public.a SET w = 'new' WHERE x = 'two'"],
    query: "SELECT _id, _entity, x, b_y, c_y FROM public.a ORDER BY 1",
    answer: [
      ["1", "A", "one", nil, nil], ["2", "B", "two", "new", nil],
      ["3", "C", "three", nil, "third"], ["4", "D", "four", nil, "fourth"],
    ],
    // What only the second version has.
    leavings: 1
  )

  /// A relationship moves down a hierarchy, and other entities than before have links.
  private static let referenceMovedDown = ReturnCase(
    name: "reference moved down and written",
    versions: [
      """
      remodel: 1
      entities:
        A: { attributes: { x: string? }, relationships: { o: { to: A? } } }
        B: { parent: A }
      """,
      """
      remodel: 1
      entities:
        A: { attributes: { x: string? } }
        B: { parent: A, relationships: { o: { to: A? } } }
      """,
    ],
    rows: """
      INSERT INTO public.a (_entity, x) VALUES ('A', 'one'), ('B', 'two'), ('B', 'three'), ('A', 'four');
      UPDATE public.a SET o = 5 - _id
      """,
    writes: [
      2: """
      UPDATE public.a SET b_o = 1 WHERE x = 'two';
      UPDATE public.a SET b_o = NULL WHERE x = 'three'
      """
    ],
    query: "SELECT _id, o FROM public.a ORDER BY 1",
    answer: [["1", "4"], ["2", "1"], ["3", nil], ["4", "1"]],
    // The column that only the second version has.
    leavings: 1
  )

  /// A reference is taken over from a new parent, which has one of the same name, and written there.
  private static let referenceTakenOver = ReturnCase(
    name: "reference taken over from a parent and written",
    versions: ["A, relationships: { l: { to: U? } }", "O"].map { parent in
      """
      remodel: 1
      entities:
        A: { attributes: { x: string? } }
        O: { parent: A, relationships: { l: { to: U? } } }
        X: { parent: \(parent) }
        U: {}
      """
    },
    rows: """
      INSERT INTO public.u SELECT FROM generate_series(1, 2);
      INSERT INTO public.a (_entity, o_l, x_l) VALUES ('O', 1, NULL), ('X', NULL, 1), ('X', NULL, 2)
      """,
    writes: [2: "UPDATE public.a SET o_l = 2 WHERE _id = 2"],
    query: "SELECT _id, o_l, x_l FROM public.a ORDER BY 1",
    answer: [["1", "1", nil], ["2", nil, "2"], ["3", nil, "2"]],
    // The column that only the first version has, and the parent's with links of both.
    leavings: 2
  )
}
