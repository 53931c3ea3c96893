extension ReturnCase {
  /// What is retained apart from the rows that it is of, since these are elsewhere meanwhile.
  static let moved = [false, true].map(lostParent)

  /// Subentities lose their parent, with links that others still have.
  private static func lostParent(isRequired: Bool) -> ReturnCase {
    let type = isRequired ? "{ type: string, default: none }" : "string?"
    func version(_ parent: String) -> String {
      """
      remodel: 1
      entities:
        R: { attributes: { r: string? } }
        T: { attributes: { t: string? } }
        A:
          parent: R
          attributes: { a: \(type) }
          relationships: { next: { to: R? }, ts: { toMany: T } }
        B: { parent: \(parent), attributes: { b: string? } }
        C: { parent: A, attributes: { c: string? } }
        D: { parent: \(parent) }
        E: { parent: D }
      """
    }
    return ReturnCase(
      name: "\(isRequired ? "required " : "")attribute of subentities that lose their parent",
      versions: [version("A"), version("R")],
      rows: """
        INSERT INTO public.r (_entity, a_a, b_b, c_c, a_next) VALUES \
        ('A', 'one', NULL, NULL, NULL), ('B', 'two', 'b', NULL, 1), ('C', 'three', NULL, 'c', 1), \
        ('B', 'four', NULL, NULL, NULL), ('D', 'five', NULL, NULL, 1), ('E', 'six', NULL, NULL, 5);
        INSERT INTO public.t (_id) VALUES (1), (2);
        INSERT INTO public.a_ts (a, ts) VALUES (1, 1), (2, 1), (3, 1), (3, 2), (5, 2)
        """,
      writes: [
        2: """
        UPDATE public.r SET a_a = 'new', a_next = 2 WHERE c_c = 'c';
        DELETE FROM public.a_ts WHERE a = 3 AND ts = 2
        """
      ],
      query: """
        SELECT _id, _entity, a_a, b_b, c_c, a_next, \
        (SELECT string_agg(ts::text, ',' ORDER BY ts) FROM public.a_ts WHERE a = _id) \
        FROM public.r ORDER BY 1
        """,
      answer: [
        ["1", "A", "one", nil, nil, nil, "1"], ["2", "B", "two", "b", nil, "1", "1"],
        ["3", "C", "new", nil, "c", "2", "1"], ["4", "B", "four", nil, nil, nil, nil],
        ["5", "D", "five", nil, nil, "1", "2"], ["6", "E", "six", nil, nil, "5", nil],
      ],
      // What only the second version has.
      leavings: 3
    )
  }
}
