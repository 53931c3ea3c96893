import SQLSyntax
import Testing

/// What SQL of people's names.
struct WrittenReferenceTests {
  private func names(_ text: String) -> [String] {
    WrittenReference.all(in: text).map { "\($0.kind.rawValue) \($0.spelling)" }
  }

  @Test(
    arguments: [
      ("public.slug(title)", ["function public.slug"]),
      ("gen_random_uuid()", ["function gen_random_uuid"]),
      ("a + f(b) - c.d", ["function f"]),
      ("'x'::public.mood", ["type public.mood"]),
      ("CAST(a AS public.\"Mood\")", ["type public.\"Mood\""]),
      (
        "SELECT x.a FROM s.t AS x, s.u JOIN s.v ON x.a = u.b",
        ["relation s.t", "relation s.u", "relation s.v"]
      ),
      (
        "INSERT INTO s.t (a, b) SELECT f(a), b FROM s.u",
        ["relation s.t", "function f", "relation s.u"]
      ),
      ("UPDATE s.t SET a = s.f(b) WHERE c", ["relation s.t", "function s.f"]),
      ("DELETE FROM s.t USING s.u WHERE t.a = u.a", ["relation s.t", "relation s.u"]),
      ("SELECT * FROM s.rows(1) AS r(a int, b text)", ["function s.rows"]),
      ("SELECT count(*) FROM (SELECT 1 FROM s.t) q", ["function count", "relation s.t"]),
    ]
  )
  func `functions, types and relations are distinguished from columns`(
    text: String,
    found: [String]
  ) {
    #expect(names(text) == found)
  }

  @Test(
    arguments: [
      "t.a", "a.b.c", "'f(x)'", "-- f(x)\n1", "$$ f(x) $$", "x IS DISTINCT FROM y",
      "(year FROM b.created)",
      "WITH q AS (SELECT 1) SELECT a FROM q", "WITH q(a) AS (SELECT 1) SELECT q.a FROM q",
      "SELECT q.a FROM (SELECT 1) AS q(a)",
      "INTERVAL '1 day'", "SELECT t.* FROM (SELECT 1) t", "numeric '1.5'",
      "SELECT 1 FROM (SELECT 1) q FOR UPDATE", "ORDER BY a, b",
    ]
  )
  func `what could be a column, an alias or syntax is left alone`(text: String) {
    #expect(names(text) == [])
  }
}
