extension ReturnCase {
  /// What was removed and is there again under the same name, but is something else.
  static let addedAgain =
    ["string?", "integer32?"].map(attributeAgain) + [
      entityAgain, manyToManyAgain, linksAgain, written, orderOfToOne, orderOfMoved, oneEnd,
      spelled, besideZero,
    ]

  /// An attribute is removed and added again.
  private static func attributeAgain(as type: String) -> ReturnCase {
    ReturnCase(
      name: "attribute removed and added again as \(type)",
      versions: [", y: string?", "", ", y: \(type)"].map { attribute in
        "remodel: 1\nentities:\n  A: { attributes: { x: string?\(attribute) } }"
      },
      rows: "INSERT INTO public.a (x, y) VALUES ('one', 'first'), ('two', NULL)",
      query: "SELECT _id, x, y FROM public.a ORDER BY 1",
      leavings: 1,
      leavingsAtOnce: 1
    )
  }

  /// An entity is removed and added again.
  private static let entityAgain = ReturnCase(
    name: "entity removed and added again",
    versions: [true, false, true].map { isThere in
      let entity = isThere ? "\n  B: { attributes: { y: string? } }" : ""
      return "remodel: 1\nentities:\n  A: { attributes: { x: string? } }\(entity)"
    },
    rows: "INSERT INTO public.b (y) VALUES ('one'), (NULL)",
    query: "SELECT _id, y FROM public.b ORDER BY 1",
    leavings: 1,
    leavingsAtOnce: 1
  )

  private static func links(_ a: String, _ b: String) -> String {
    """
    remodel: 1
    entities:
      A: { relationships: { \(a) } }
      B: { relationships: { \(b) } }
    """
  }

  /// A many-to-many relationship is removed and added again.
  private static let manyToManyAgain = ReturnCase(
    name: "many-to-many relationship removed and added again",
    versions: [
      links("bs: { toMany: B, inverse: as }", "as: { toMany: A, inverse: bs }"), links("", ""),
      links("bs: { toMany: B, inverse: as }", "as: { toMany: A, inverse: bs }"),
    ],
    rows: """
      INSERT INTO public.a (_id) VALUES (1), (2);
      INSERT INTO public.b (_id) VALUES (1), (2);
      INSERT INTO public.a_bs ("as", bs) VALUES (1, 1), (1, 2), (2, 2)
      """,
    query: "SELECT \"as\", bs FROM public.a_bs ORDER BY 1, 2",
    leavings: 1,
    leavingsAtOnce: 1
  )

  /// Links in a column are removed and added again.
  private static let linksAgain = ReturnCase(
    name: "to-one relationship removed and added again",
    versions: [
      links("bs: { toMany: B, inverse: a, ordered: true }", "a: { to: A?, inverse: bs }"),
      links("", ""),
      links("bs: { toMany: B, inverse: a, ordered: true }", "a: { to: A?, inverse: bs }"),
    ],
    rows: """
      INSERT INTO public.a (_id) VALUES (1), (2);
      INSERT INTO public.b (a, _bs_position) VALUES (1, 1), (1, 0), (2, 0), (NULL, NULL)
      """,
    query: "SELECT _id, a, _bs_position FROM public.b ORDER BY 1",
    leavings: 2,
    leavingsAtOnce: 2
  )

  /// What users wrote is computed later.
  private static let written = ReturnCase(
    name: "written attribute that becomes derived",
    versions: ["string?", "{ type: string?, derivation: \"lowercase:(x)\" }"].map { type in
      "remodel: 1\nentities:\n  A: { attributes: { x: string?, y: \(type) } }"
    },
    rows: "INSERT INTO public.a (x, y) VALUES ('One', 'first'), ('Two', NULL), (NULL, 'third')",
    query: "SELECT _id, x, y FROM public.a ORDER BY 1",
    leavings: 1
  )

  /// An order is lost while links come to a column.
  private static let orderOfToOne = ReturnCase(
    name: "order of a many-to-many relationship that becomes to-one",
    versions: [
      links(
        "bs: { toMany: B, inverse: as, ordered: true }",
        "as: { toMany: A, inverse: bs, ordered: true }"
      ),
      links("bs: { to: B?, inverse: as }", "as: { toMany: A, inverse: bs }"),
    ],
    rows: """
      INSERT INTO public.a (_id) VALUES (1), (2), (3);
      INSERT INTO public.b (_id) VALUES (1);
      INSERT INTO public.a_bs ("as", bs, _bs_position, _as_position) \
      VALUES (1, 1, 0, 30), (2, 1, 0, 20), (3, 1, 0, 10)
      """,
    query: "SELECT \"as\", bs, rank() OVER (ORDER BY _as_position) FROM public.a_bs ORDER BY 1",
    // The column, and the table that the links moved from, whose links are older.
    leavings: 2
  )

  /// An order is lost while links go to a table of their own.
  private static let orderOfMoved = ReturnCase(
    name: "order of links that move to a table of their own",
    versions: [
      links("bs: { toMany: B, inverse: as, ordered: true }", "as: { to: A?, inverse: bs }"),
      links("bs: { toMany: B, inverse: as }", "as: { toMany: A, inverse: bs }"),
    ],
    rows: """
      INSERT INTO public.a (_id) VALUES (1), (2);
      INSERT INTO public.b ("as", _bs_position) VALUES (1, 30), (1, 20), (1, 10), (2, 10), (NULL, NULL)
      """,
    query: """
      SELECT _id, "as", rank() OVER (PARTITION BY "as" ORDER BY _bs_position) FROM public.b ORDER BY 1
      """,
    // The table, and the columns that the links moved from, whose links are older.
    leavings: 3
  )

  /// One end of a relationship is removed, and users change the links of the other one.
  private static let oneEnd = ReturnCase(
    name: "links changed while there was one end",
    versions: [
      links("bs: { toMany: B, inverse: a }", "a: { to: A?, inverse: bs }"),
      links("bs: { toMany: B }", ""),
    ],
    rows: """
      INSERT INTO public.a (_id) VALUES (1), (2);
      INSERT INTO public.b (a) VALUES (1), (1), (NULL), (2)
      """,
    writes: [
      2: """
      DELETE FROM public.a_bs WHERE bs = 2;
      UPDATE public.a_bs SET a = 2 WHERE bs = 1;
      INSERT INTO public.a_bs (a, bs) VALUES (1, 3)
      """
    ],
    query: "SELECT _id, a FROM public.b ORDER BY 1",
    answer: [["1", "2"], ["2", nil], ["3", "1"], ["4", "2"]],
    leavings: 2
  )

  /// A mapping model converts values, and the reverse cannot be inferred.
  private static let spelled = ReturnCase(
    name: "numbers that a mapping model spells",
    versions: ["integer64?", "string?"].map { type in
      "remodel: 1\nentities:\n  Item: { attributes: { number: \(type) } }"
    },
    mappings: [
      "1-2": """
      remodelMapping: 1
      source: "1"
      destination: "2"
      entities:
        - source: Item
          destination: Item
          attributes: { number: 'CAST($source.number, "NSString")' }
      """
    ],
    rows: "INSERT INTO public.item (number) VALUES (1), (2), (NULL)",
    query: "SELECT _id, number FROM public.item ORDER BY 1",
    // The table that the mapping model has filled.
    leavings: 1
  )

  /// Numbers that are less than those with all digits have types with more of them for a while.
  private static let besideZero = ReturnCase(
    name: "numbers beside zero",
    versions: ["x: float?, y: double?", "x: double?, y: decimal?"].map { attributes in
      "remodel: 1\nentities:\n  A: { attributes: { \(attributes) } }"
    },
    rows: "INSERT INTO public.a (x, y) VALUES (1e-45, 1e-310), (-1.1e-38, 5e-324), (0, NULL)",
    query: "SELECT _id, x, y FROM public.a ORDER BY 1"
  )
}
