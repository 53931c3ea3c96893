import RemodelKit
import TestSupport
import Testing

@testable import RemodelCommands

@Suite
struct SQLTokenTests {
  private func kinds(_ sql: String) -> [String] {
    SQLToken.tokens(in: sql).filter { $0.kind != .plain }.map { "\($0.kind.rawValue) \($0.text)" }
  }

  @Test
  func `pieces are what PostgreSQL takes them for`() {
    #expect(
      kinds(#"ALTER TABLE "public"."a""b" ADD "c" text DEFAULT 'it''s' -- "not" an 'identifier'"#)
        == [
          "keyword ALTER", "keyword TABLE", #"identifier "public""#, #"identifier "a""b""#,
          "keyword ADD", #"identifier "c""#, "keyword DEFAULT", "string 'it''s'",
          #"comment -- "not" an 'identifier'"#,
        ]
    )
    #expect(kinds("select 1, 2.5e3, a1, $1") == ["keyword select", "number 1", "number 2.5e3"])
    #expect(kinds(#"E'\'' 'a'"#) == [#"string E'\''"#, "string 'a'"])
    #expect(kinds("/* a /* b */ c */ 'd'") == ["comment /* a /* b */ c */", "string 'd'"])
    #expect(
      kinds("AS $x$BEGIN 'a' $$ END$x$;") == [
        "keyword AS", "string $x$", "keyword BEGIN", "string 'a'", "string $$", "string  END",
        "string $x$",
      ]
        || kinds("AS $x$BEGIN 'a' $$ END$x$;") == [
          "keyword AS", "string $x$", "keyword BEGIN", "string 'a'", "string $$ END",
          "string $x$",
        ]
    )
  }

  @Test(arguments: [
    "", "'", "\"", "$", "$$", "$a$", "/*", "--", "E'\\", "$1", "'a", "1.", "😀", "/**/-",
  ])
  func `no text is broken`(text: String) {
    #expect(SQLToken.tokens(in: text).map(\.text).joined() == text)
  }

  @Test
  func `no random text is broken`() {
    let alphabet = Array("ab1 '\"$-/*\\\nESELECT日.😀")
    for seed in 1...2_000 as ClosedRange<UInt64> {
      var generator = SeededGenerator(seed: seed)
      let count = Int.random(in: 0...60, using: &generator)
      let text = String((0..<count).compactMap { _ in generator.pick(alphabet) })
      #expect(SQLToken.tokens(in: text).map(\.text).joined() == text, "seed \(seed)")
    }
  }

  @Test
  func `colours keep the text`() throws {
    let sql = "SELECT '<b>' AS \"</pre>\" -- &amp;\nFROM a WHERE b < 1"

    let tree = try MarkupTree("<pre>\(SQLToken.markup(sql).text)</pre>")

    #expect(tree.text == sql)
    #expect(tree.elements(named: "b").map(\.text) == ["SELECT", "AS", "FROM", "WHERE"])
  }
}
