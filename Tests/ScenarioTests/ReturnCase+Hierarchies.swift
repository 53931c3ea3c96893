extension ReturnCase {
  /// Entities are removed, and their properties belong to those below, above or beside them.
  static let hierarchies = [
    goneRoot, otherRoot, abstractRoot, linkOfAbstractRoot, elementOfGoneRoot, renamedRest,
    linksOfGone,
    tableOfLinksWithoutEnd,
    linksTakenOver, orderOfOtherEnd, soleLink, otherInverse,
  ]

  /// The root is removed with an entity that links refer to, and one entity of the hierarchy
  /// remains.
  private static let goneRoot = ReturnCase(
    name: "root gone, with an entity that links lead to",
    versions: [
      """
      remodel: 1
      entities:
        R: { abstract: true, relationships: { o: { to: X?, inverse: rs } } }
        M: { parent: R, attributes: { m: string? } }
        L: { parent: M, relationships: { k: { to: X? } } }
        X: { parent: M, relationships: { k: { to: X? }, rs: { toMany: R, inverse: o } } }
      """,
      """
      remodel: 1
      entities:
        L: { attributes: { m: string? } }
      """,
    ],
    rows: """
      INSERT INTO public.r (_entity, m_m) VALUES ('M', 'm'), ('L', 'l'), ('X', 'x'), ('X', 'y');
      UPDATE public.r SET o = 7 - _id WHERE _id IN (3, 4);
      UPDATE public.r SET o = 3, l_k = 4 WHERE _id = 2;
      UPDATE public.r SET x_k = 3 WHERE _entity = 'X'
      """,
    query: "SELECT _id, _entity, m_m, o, l_k, x_k FROM public.r ORDER BY 1",
    // The links that the one which is left had among those of others.
    leavings: 1
  )

  /// Another root replaces the removed one.
  private static let otherRoot = ReturnCase(
    name: "root replaced by another one",
    versions: ["R: { attributes: { x: string? } }", "S: { attributes: { s: string? } }"].map {
      root in
      """
      remodel: 1
      entities:
        \(root)
        L: { parent: \(root.prefix(1)), attributes: { y: string? } }
      """
    },
    rows: "INSERT INTO public.r (_entity, x, l_y) VALUES ('L', 'x', 'y'), ('R', 'z', NULL)",
    query: "SELECT _id, _entity, x, l_y FROM public.r ORDER BY 1",
    // The other root and its attribute.
    leavings: 2
  )

  /// The root stays without rows, and keeps an attribute that the entity which leaves it loses.
  private static let abstractRoot = ReturnCase(
    name: "attribute of a root that has no rows any more",
    versions: [", parent: R", ""].map { parent in
      """
      remodel: 1
      entities:
        R: { abstract: true, attributes: { x: string? } }
        L: { attributes: { y: string? }\(parent) }
      """
    },
    rows: "INSERT INTO public.r (_entity, x, l_y) VALUES ('L', 'x', 'y'), ('L', NULL, 'z')",
    query: "SELECT _id, x, l_y FROM public.r ORDER BY 1"
  )

  /// The same with links, whose other end stays.
  private static let linkOfAbstractRoot = ReturnCase(
    name: "links of a root that has no rows any more",
    versions: [", parent: R", ""].map { parent in
      """
      remodel: 1
      entities:
        R: { abstract: true, relationships: { o: { to: X?, inverse: rs } } }
        L: { attributes: { y: string? }\(parent) }
        X: { relationships: { rs: { toMany: R, inverse: o } } }
      """
    },
    rows: """
      INSERT INTO public.x SELECT FROM generate_series(1, 2);
      INSERT INTO public.r (_entity, l_y, o) VALUES ('L', 'y', 2), ('L', 'z', NULL)
      """,
    query: "SELECT _id, l_y, o FROM public.r ORDER BY 1"
  )

  /// The root is removed with an element of a composite that the entity below it takes over.
  private static let elementOfGoneRoot = ReturnCase(
    name: "element of a composite that was the root's",
    versions: [
      """
      remodel: 1
      entities:
        R: { attributes: { c: composite(C)? } }
        L: { parent: R }
      composites:
        C: { a: string?, b: string? }
      """,
      """
      remodel: 1
      entities:
        L: { attributes: { c: composite(C)? } }
      composites:
        C: { a: string? }
      """,
    ],
    rows: "INSERT INTO public.r (_entity, c_a, c_b) VALUES ('L', 'a', 'b'), ('R', 'c', 'd')",
    query: "SELECT _id, _entity, c_a, c_b FROM public.r ORDER BY 1"
  )

  /// One of two subentities is removed, and the other one is renamed while there is no
  /// discriminator.
  private static let renamedRest = ReturnCase(
    name: "the only entity that is left is renamed",
    versions: [
      """
      remodel: 1
      entities:
        T: { abstract: true }
        O: { parent: T, attributes: { o: string? } }
        X: { parent: T, attributes: { x: string? } }
        H: { relationships: { x: { to: X? } } }
      """,
      """
      remodel: 1
      entities:
        T: { abstract: true }
        X: { parent: T, renamingIdentifier: O, attributes: { o: string? } }
      """,
    ],
    rows: """
      INSERT INTO public.t (_entity, o_o, x_x) VALUES ('O', 'o', NULL), ('X', NULL, 'x');
      INSERT INTO public.h (x) VALUES (2), (NULL)
      """,
    query: """
      SELECT t._id, t._entity, t.o_o, t.x_x, h.x FROM public.t LEFT JOIN public.h ON h._id = t._id \
      ORDER BY 1
      """
  )

  /// Links move to a subentity while rows at their ends go.
  private static let linksOfGone = ReturnCase(
    name: "links moved down while entities at their ends go",
    versions: [
      """
      remodel: 1
      entities:
        T: { relationships: { o: { toMany: T } } }
        U: { parent: T }
        S: { parent: T }
      """,
      """
      remodel: 1
      entities:
        T: {}
        S: { parent: T, relationships: { o: { toMany: T } } }
      """,
    ],
    rows: """
      INSERT INTO public.t (_entity) VALUES ('T'), ('U'), ('S'), ('U');
      INSERT INTO public.t_o SELECT a, b FROM generate_series(1, 4) a, generate_series(1, 4) b
      """,
    writes: [2: "DELETE FROM public.s_o WHERE o = 1"],
    query: """
      SELECT source, string_agg(target::text, ' ' ORDER BY target) FROM public.t_o GROUP BY 1 \
      ORDER BY 1
      """,
    answer: [["1", "1 2 3 4"], ["2", "1 2 3 4"], ["3", "2 3 4"], ["4", "1 2 3 4"]],
    // The table of links that the second version has.
    leavings: 1
  )

  /// The entity that links lead to has no rows for a while, and another one takes its only subentity's
  /// name.
  private static let tableOfLinksWithoutEnd = ReturnCase(
    name: "links to an entity that had no rows",
    versions: [
      """
      remodel: 1
      entities:
        A: { relationships: { bs: { toMany: B, ordered: true } } }
        B: { abstract: true }
        C: { parent: B }
        D: {}
      """,
      """
      remodel: 1
      entities:
        A: { relationships: { bs: { toMany: B, ordered: true } } }
        B: { abstract: true }
        C: { renamingIdentifier: D }
      """,
    ],
    rows: """
      INSERT INTO public.a DEFAULT VALUES;
      INSERT INTO public.b (_entity) VALUES ('C'), ('C');
      INSERT INTO public.a_bs (a, bs, _bs_position) VALUES (1, 1, 1), (1, 2, 0)
      """,
    query: "SELECT a, bs, _bs_position FROM public.a_bs ORDER BY 3"
  )

  /// Links are taken over from a new parent, which has a relationship of the same name.
  private static let linksTakenOver = ReturnCase(
    name: "links taken over from a parent and written",
    versions: ["A, relationships: { l: { toMany: U } }", "O"].map { parent in
      """
      remodel: 1
      entities:
        A: { attributes: { x: string? } }
        O: { parent: A, relationships: { l: { toMany: U } } }
        X: { parent: \(parent) }
        U: {}
      """
    },
    rows: """
      INSERT INTO public.u SELECT FROM generate_series(1, 2);
      INSERT INTO public.a (_entity) VALUES ('O'), ('X');
      INSERT INTO public.o_l VALUES (1, 1);
      INSERT INTO public.x_l VALUES (2, 1)
      """,
    writes: [2: "UPDATE public.o_l SET l = 2 WHERE o = 2"],
    query: "SELECT o AS a, l FROM public.o_l UNION ALL SELECT x, l FROM public.x_l ORDER BY 1",
    answer: [["1", "1"], ["2", "2"]],
    // The table that only the first version has, and the parent's with links of both.
    leavings: 2
  )

  /// An order is removed while the links move to the other end, which is in the same table.
  private static let orderOfOtherEnd = ReturnCase(
    name: "order of links that moved to the other end",
    versions: ["toMany: B, ordered: true", "to: B?"].map { bs in
      """
      remodel: 1
      entities:
        A: { relationships: { bs: { \(bs), inverse: a } } }
        B: { parent: A, relationships: { a: { to: A?, inverse: bs } } }
      """
    },
    rows: """
      INSERT INTO public.a (_entity) VALUES ('A'), ('B'), ('A'), ('B');
      UPDATE public.a SET b_a = _id - 1, _bs_position = 0 WHERE _entity = 'B'
      """,
    query: "SELECT _id, b_a, _bs_position FROM public.a ORDER BY 1",
    // What holds the links at either end.
    leavings: 3
  )

  /// While a row is removed, another one is linked to a row that only one may be linked to.
  private static let soleLink = ReturnCase(
    name: "link that another row has by now",
    versions: ["\n  B: { parent: A }", ""].map { subentity in
      """
      remodel: 1
      entities:
        A: { relationships: { u: { to: U?, inverse: a } } }\(subentity)
        U: { relationships: { a: { to: A?, inverse: u } } }
      """
    },
    rows: """
      INSERT INTO public.u SELECT FROM generate_series(1, 2);
      INSERT INTO public.a (_entity, u) VALUES ('A', NULL), ('B', 1), ('B', 2)
      """,
    writes: [2: "UPDATE public.a SET u = 1 WHERE _id = 1"],
    query: "SELECT _id, u FROM public.a ORDER BY 1",
    answer: [["1", "1"], ["2", nil], ["3", "2"]]
  )

  /// A relationship gets another inverse, and an end that lost its order stays with the links.
  private static let otherInverse = ReturnCase(
    name: "order of links whose end has another inverse",
    versions: [
      ("inverse: s, ordered: true", ", inverse: x", ""),
      ("inverse: h, ordered: true", "", ", inverse: x"),
    ].map { x, s, h in
      """
      remodel: 1
      entities:
        T:
          relationships:
            x: { toMany: T, \(x) }
            s: { toMany: T\(s) }
            h: { toMany: T\(h) }
      """
    },
    rows: """
      INSERT INTO public.t SELECT FROM generate_series(1, 5);
      INSERT INTO public.t_s (x, s, _x_position) \
      SELECT a, b, 3 - a FROM generate_series(1, 3) a, generate_series(1, 3) b
      """,
    writes: [2: "INSERT INTO public.t_h (x, h, _x_position) VALUES (4, 5, 1), (5, 5, 0)"],
    query:
      "SELECT s, string_agg(x::text, ' ' ORDER BY _x_position) FROM public.t_s GROUP BY 1 ORDER BY 1",
    answer: [["1", "3 2 1"], ["2", "3 2 1"], ["3", "3 2 1"], ["5", "5 4"]],
    // The order of either version.
    leavings: 2
  )
}
