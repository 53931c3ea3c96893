import ModelMapping
import Testing

@Suite
struct ExpressionPresenceTests {
  @Test(arguments: [
    ("$source.there * 2 + 1", true),
    ("$source.there * $source.missing", false),
    ("concat($source.missing, $source.missing)", true),
    ("coalesce($source.missing, $source.there)", true),
    ("coalesce($source.missing, $source.missing)", false),
    ("uppercase($source.there)", true),
    ("uppercase($source.missing)", false),
    ("TERNARY($source.missing = 1, $source.there, 0)", true),
    ("TERNARY($source.there = 1, $source.there, $source.missing)", false),
    ("TERNARY($source.there = 1, $source.there, nil)", false),
    ("split($source.there, ' ', 1)", false),
    ("nullIf($source.there, 1)", false),
    ("CAST($source.there, 'NSNumber')", false),
    ("SQL('1')", false),
    ("now()", true),
    ("-$source.there", true),
  ])
  func `an expression shows whether it certainly has a value`(
    text: String,
    isPresent: Bool
  ) throws {
    let expression = try Expression(parsing: text)

    #expect(expression.isAlwaysPresent { $0.names == ["there"] } == isPresent)
  }
}
