import SQLSyntax
import TestSupport
import Testing

@Suite
struct SQLLexerTests {
  private func pieces(_ sql: String) -> [String] {
    let lexer = SQLLexer(sql)
    return lexer.filter { $0.kind != .space }.map { lexer.text(of: $0) }
  }

  @Test
  func `a keyword is none in quotes or comments`() {
    #expect(("(SELECT 1)" as SQLFragment).hasKeyword("select"))
    #expect(("a + (select/**/b)" as SQLFragment).hasKeyword("select"))
    let (column, constant) = (SQLIdentifier("SELECT"), SQLLiteral.text("a 'SELECT'"))
    #expect(!("\(column) = \(constant) -- select" as SQLFragment).hasKeyword("select"))
    #expect(!("selected(E'\\' SELECT')" as SQLFragment).hasKeyword("select"))
  }

  @Test(arguments: [
    ("a$1 = $1", ["a$1", "=", "$1"]),
    ("price$net::text", ["price$net", "::", "text"]),
    (
      #"E'\'' U&'d\0061' B'1' x'F' "a""b" U&"c""#,
      [#"E'\''"#, #"U&'d\0061'"#, "B'1'", "x'F'", #""a""b""#, #"U&"c""#]
    ),
    ("f$$;$$", ["f$$", ";", "$$"]),
    ("$a$ ; $$ ; $a$;", ["$a$ ; $$ ; $a$", ";"]),
    ("1.5e-3-.5", ["1.5e-3", "-", ".5"]),
    ("a/* b /* c */ d */--e", ["a", "/* b /* c */ d */", "--e"]),
    ("é$ü a\u{A0}b", ["é$ü", "a\u{A0}b"]),
    ("a -- b\r+ c -- d\ne", ["a", "-- b", "+", "c", "-- d", "e"]),
    ("a+-- b", ["a", "+", "-- b"]),
    ("a*/**/b//*c*/", ["a", "*", "/**/", "b", "/", "/*c*/"]),
    ("/*/ * /*/**/ */ **/a", ["/*/ * /*/**/ */ **/", "a"]),
    ("1..10 1..n 1. .5 a.5", ["1", "..", "10", "1", "..", "n", "1.", ".5", "a", ".5"]),
    ("0x1F 0b01 1_000 1_0.5_0e+1", ["0x1F", "0b01", "1_000", "1_0.5_0e+1"]),
    ("1e5 1e-x 1.5.3", ["1e5", "1e", "-", "x", "1.5", ".3"]),
    ("$1$a$ $b$a$ $2a", ["$1", "$a$ $b$a$", "$2", "a"]),
    ("$a $ $é1$x$é1$", ["$", "a", "$", "$é1$x$é1$"]),
    (
      #"U&'\0041' UESCAPE '!' u&"x!0061" U & 'a'"#,
      [#"U&'\0041'"#, "UESCAPE", "'!'", #"u&"x!0061""#, "U", "&", "'a'"]
    ),
    ("e 'a' N'b' n'' bx'01'", ["e", "'a'", "N'b'", "n''", "bx", "'01'"]),
  ])
  func `pieces are those of the server`(sql: String, expected: [String]) {
    #expect(pieces(sql) == expected)
  }

  @Test
  func `a dollar sign belongs to the name that it stands in`() {
    let columns: Set<SQLIdentifier> = ["price", "price$net"]

    #expect(
      SQLFragment(written: "price$net > price", columns: columns).text
        == #""price$net" > "price""#
    )
  }

  @Test
  func `a string that continues another one has its backslashes`() {
    let lexer = SQLLexer("E'a'\n-- it's\n 'b\\'c', 'd' 'e'")

    let strings = lexer.compactMap { token -> Bool? in
      guard case .string(_, let isContinuation) = token.kind else { return nil }
      return isContinuation
    }

    #expect(strings == [false, true, false, false])
    #expect(lexer.allSatisfy { $0.isTerminated })
  }

  @Test(arguments: [
    ("'a' \t-- b\n\u{C} -- c\n 'd'", [false, true]),
    ("'a'\r'b'", [false, true]),
    ("X'a'\n'b'\n'c'", [false, true, true]),
    ("'a' /* \n */ 'b'", [false, false]),
    ("'a'\n/* */'b'", [false, false]),
    ("'a'\nE'b'", [false, false]),
    ("'a'\n$$b$$", [false]),
    ("'a' -- b\u{2028}'c'", [false]),
  ])
  func `a string continues after a line break, and nothing else`(sql: String, expected: [Bool]) {
    let continuations = SQLLexer(sql).compactMap { token -> Bool? in
      guard case .string(_, let isContinuation) = token.kind else { return nil }
      return isContinuation
    }

    #expect(continuations == expected)
  }

  @Test(arguments: [
    ("starts AT TIME ZONE zone < now()", ["starts", "zone"]),
    ("time::timestamp with time zone = at", ["time", "at"]),
    ("extract(year FROM at) = year", ["at", "year"]),
    ("(year::double precision) > precision", ["year", "precision"]),
    ("'x'::character varying || varying", ["varying"]),
    ("substring(year from 2) -- time", ["year"]),
    ("\"time\" || E'\\' time' || $$year$$", ["time"]),
  ])
  func `words of the language are no columns`(sql: String, expected: [String]) {
    let columns: Set<SQLIdentifier> = [
      "starts", "time", "zone", "at", "year", "precision", "varying",
    ]

    let fragment = SQLFragment(written: sql, columns: columns)

    #expect(fragment.identifiers.map(\.name) == expected)
  }

  @Test
  func `parentheses in quotes open nothing`() {
    let columns: [SQLIdentifier: [SQLIdentifier: SQLIdentifier]] = ["t": ["c": "d"]]
    let fragment: SQLFragment =
      "SELECT \(QualifiedName(schema: "s", name: "t")), E'\\'(' , $$)))$$ /* ( */, \("c" as SQLIdentifier)"

    let renamed = fragment.renaming(tables: ["t": "u"], columns: columns, in: "s")

    #expect(renamed.text == #"SELECT "s"."u", E'\'(' , $$)))$$ /* ( */, "d""#)
  }

  @Test
  func `no random text is broken`() {
    let alphabet = Array("ab1 '\"$-/*\\\r\nEU&:;.日😀")
    for seed in 1...2_000 as ClosedRange<UInt64> {
      var generator = SeededGenerator(seed: seed)
      let count = Int.random(in: 0...60, using: &generator)
      let text = String((0..<count).compactMap { _ in generator.pick(alphabet) })
      let lexer = SQLLexer(text)
      #expect(lexer.map { lexer.text(of: $0) }.joined() == text, "seed \(seed)")
    }
  }
}
