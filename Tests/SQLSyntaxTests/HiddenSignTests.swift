import SQLSyntax
import TestSupport
import Testing

/// Quotes and other signs before combining marks, which the server sees.
@Suite
struct HiddenSignTests {
  static let texts = HiddenSigns.texts("'", "\"", "\\", "$", "$remodel$", "--", "/*", ";", "(", ")")

  @Test(arguments: texts)
  func `a constant and a name are one piece of SQL`(text: String) throws {
    for (sql, quote) in [
      (SQLLiteral.text(text).quoted, "'" as Unicode.Scalar), (SQLIdentifier(text).quoted, "\""),
    ] {
      let tokens = Array(SQLLexer(sql))
      let inside = Array(sql.unicodeScalars.dropFirst().dropLast())

      #expect(tokens.count == 1)
      #expect(tokens.first?.isTerminated == true)
      #expect(inside.count == text.unicodeScalars.reduce(0) { $0 + ($1 == quote ? 2 : 1) })
    }
  }

  @Test(arguments: texts)
  func `a body between dollars is one piece of SQL`(text: String) throws {
    let body: SQLFragment = "SELECT \(SQLLiteral.text(text))"
    let sql = body.dollarQuoted.text
    let tokens = Array(SQLLexer(sql))

    #expect(tokens.count == 1)
    #expect(tokens.first?.isTerminated == true)
  }

  @Test
  func `code points are found and replaced, and characters are not looked at`() {
    #expect("a'\u{301}".hasScalars("'"))
    #expect("a\r\nb".hasScalars("\n"))
    #expect(!"a\u{301}".hasScalars("á"))
    #expect("'\u{301}'".replacingScalars("'", with: "''").unicodeScalars.count == 5)
    #expect("a".replacingScalars("b", with: "c") == "a")
  }

  @Test
  func `a type is read up to a quote that a mark follows`() {
    #expect(SQLTypeParts("\"A\"\u{301}(3)").modifiers == [3])
    #expect(SQLTypeParts("numeric(10,\u{301}2)[]").modifiers == [10, 2])
  }
}
