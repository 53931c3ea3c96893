import TestSupport
import Testing

@testable import MigrationExecution

/// Statements of others are shown without their data.
@Suite
struct ForeignQueryTests {
  @Test(arguments: [
    (
      "SELECT a1 FROM \"public\".\"a\"\"b\" WHERE ssn = 123456789",
      #"SELECT a1 FROM "public"."a""b" WHERE ssn = …"#
    ),
    ("UPDATE a SET b = 'it''s secret', c = $1", "UPDATE a SET b = …, c = $1"),
    (#"SELECT E'it\'s secret', e'\\', d"#, "SELECT …, …, d"),
    (
      "SELECT U&'d\\0061ta', B'101', X'1F', N'secret', date '2020-01-01'",
      "SELECT …, …, …, …, date …"
    ),
    ("SELECT -1.5e-3, .5, 1_000, 0x1F, 2.5E+10, f(1,2)", "SELECT -…, …, …, …, …, f(…,…)"),
    ("DO $$secret$$; SELECT $a$ secret $$ $a$, a$b", "DO …; SELECT …, a$b"),
    ("/* don't */ ALTER ROLE x PASSWORD 'x' -- it's\n, y", "… ALTER ROLE x PASSWORD … …\n, y"),
    ("/* a /* b */ secret */ SELECT a", "… SELECT a"),
    ("", ""),
    ("<insufficient privilege>", "<insufficient privilege>"),
    (
      "autovacuum: VACUUM public.book (to prevent wraparound)",
      "autovacuum: VACUUM public.book (to prevent wraparound)"
    ),
  ])
  func `keywords, names and punctuation stay`(query: (sql: String, shown: String)) {
    #expect(withoutConstants(query.sql) == query.shown)
  }

  @Test(arguments: [
    "'secret", "\"secret", "/* secret", "/* /* */ secret", "$$secret", "$secret", "$a$secret$b$",
    #"E'\' secret"#, "-- secret", "'a' 'secret", #"'\'', 'secret'"#, #"'it\'s secret'"#,
    #"'\\', secret"#, "123secret", "1.secret",
  ])
  func `what has no end, or an unclear one, is not shown`(sql: String) {
    let shown = withoutConstants("SELECT a, " + sql)
    #expect(shown.hasPrefix("SELECT a, …"))
    #expect(!shown.contains("secret"), "\(shown)")
  }

  @Test
  func `no random text shows a quote`() {
    let alphabet = Array("ab1 '$-/*\\\nEU&日.😀")
    for seed in 1...2_000 as ClosedRange<UInt64> {
      var generator = SeededGenerator(seed: seed)
      let count = Int.random(in: 0...60, using: &generator)
      let text = String((0..<count).compactMap { _ in generator.pick(alphabet) })
      #expect(!withoutConstants(text).contains("'"), "seed \(seed)")
    }
  }
}
