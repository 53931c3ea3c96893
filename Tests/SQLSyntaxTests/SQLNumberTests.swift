import SQLSyntax
import Testing

struct SQLNumberTests {
  @Test(arguments: [
    "0", "7", "-7", "007", "1.5", "-0.5", "1e300", "1.5E-7", "-1e+2", "9223372036854775808",
  ])
  func `digits are a number`(text: String) {
    #expect(SQLNumber(text)?.text == text)
    #expect(SQLLiteral.number(text, of: "numeric").quoted == text)
  }

  @Test(arguments: [
    "", "-", ".5", "5.", "1e", "1e+", "+1", "--1", "1 ", " 1", "1_000", "0x1F", "NaN", "Infinity",
    "１",
    "1; DROP TABLE t", "1--", "1/**/", "1'", "1::text", "-0", "-0.0", "-0e5", "1\u{0}",
  ])
  func `anything else stays in quotes`(text: String) {
    #expect(SQLNumber(text) == nil)
    let quoted = SQLLiteral.text(text).quoted
    #expect(SQLLiteral.number(text, of: "numeric").quoted == quoted + "::numeric")
    #expect(SQLLiteral.typed(text, "double precision").quoted == quoted + "::double precision")
  }

  @Test
  func `a cast binds to the whole number`() {
    #expect(SQLLiteral.typed("-32768", "smallint").quoted == "(-32768)::smallint")
    let least = SQLLiteral.typed("-9223372036854775808", "bigint")
    #expect(least.quoted == "(-9223372036854775808)::bigint")
    #expect(SQLLiteral.typed("0.1", "double precision").quoted == "0.1::double precision")
    #expect(SQLLiteral.typed("0", "numeric(12,2)").quoted == "0::numeric(12,2)")
    #expect(SQLLiteral.typed("-32.5", "numeric").quoted == "(-32.5)")
    #expect(SQLLiteral.typed("5", "numeric").quoted == "5::numeric")
  }

  @Test
  func `a number is no constant of other types, and no rounded one`() {
    #expect(SQLLiteral.typed("1.5", "integer").quoted == "'1.5'::integer")
    #expect(SQLLiteral.typed("1", "text").quoted == "'1'::text")
    #expect(SQLLiteral.typed("1", "numeric[]").quoted == "'1'::numeric[]")
    #expect(SQLLiteral.typed("1", "public.amount").quoted == "'1'::public.amount")
  }
}

struct ParenthesesTests {
  @Test
  func `parentheses around the whole are taken off`() {
    let column: SQLIdentifier = "a)"
    let inner: SQLFragment = "\(column) > 3 AND (\(column) < 5)"
    #expect(("((\(inner)))" as SQLFragment).unparenthesised == inner)
    #expect(inner.unparenthesised == inner)
  }

  @Test(
    arguments: [
      "(\("a" as SQLIdentifier) > 1) OR (\("b" as SQLIdentifier) > 1)", "", "(", ")", "()a", "(a",
      SQLFragment(written: "(a = ')' OR b)"), SQLFragment(written: "(a) -- )"),
      SQLFragment(written: "(a /* ) */ )"), SQLFragment(written: "(a = $$)$$)"), "a + (b)",
      "(a) + (b)",
    ] as [SQLFragment]
  )
  func `all others stay`(fragment: SQLFragment) {
    #expect(fragment.unparenthesised == fragment)
  }
}
