import MigrationPlanning
import SQLSyntax
import TestSupport
import Testing

@Suite
struct SQLLexerTests {
  private func pieces(_ sql: String) -> [String] {
    let lexer = SQLLexer(sql)
    return lexer.filter { $0.kind != .space }.map { lexer.text(of: $0) }
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
    ("é$ü", ["é$ü"]),
  ])
  func `pieces are those of the server`(sql: String, expected: [String]) {
    #expect(pieces(sql) == expected)
  }

  @Test
  func `a comment ends at a carriage return, too`() {
    let written = WrittenSQL("SELECT 1 -- x\r; COMMIT")

    #expect(written.statements.count == 2)
    #expect(written.fault == .transactionCommand("COMMIT"))
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
