import Diagnostics
import ModelMapping
import TestSupport
import Testing

@Suite
struct ExpressionTests {
  // MARK: - Round trip

  @Test
  func `an expression reads back from its text`() throws {
    for seed in UInt64(1)...500 {
      var generator = ExpressionGenerator(seed: seed)
      let expression = generator.expression(depth: 4)
      #expect(try Expression(parsing: expression.description) == expression, "\(expression)")
    }
  }

  @Test
  func `a predicate reads back from its text`() throws {
    for seed in UInt64(1)...500 {
      var generator = ExpressionGenerator(seed: seed)
      let predicate = generator.predicate(depth: 4)
      #expect(try Predicate(parsing: predicate.description) == predicate, "\(predicate)")
    }
  }

  // MARK: - Meaning

  @Test(arguments: [
    ("a = 1 OR b = 2 AND c = 3", "a == 1 OR b == 2 AND c == 3"),
    ("(a = 1 OR b = 2) AND c = 3", "(a == 1 OR b == 2) AND c == 3"),
    ("not a = 1 && b = 2", "NOT a == 1 AND b == 2"),
    ("((a)) = (1 + 2) * 3", "a == (1 + 2) * 3"),
    ("a - (b - c) <> 0x10", "a - (b - c) != 16"),
    ("a beginswith[dc] 'x\\'y'", "a BEGINSWITH[cd] \"x'y\""),
    ("a => 1e3 and a =< 1.50", "a >= 1000 AND a <= 1.5"),
    ("#in IN {yes, nil}", "#in IN {TRUE, NULL}"),
    ("chapters.@sum.pages > chapters.@count", "chapters.pages.@sum > chapters.@count"),
    ("!(TRUEPREDICATE || FALSEPREDICATE)", "NOT (TRUEPREDICATE OR FALSEPREDICATE)"),
    ("größe == CAST(1, 'NSDate')", "größe == CAST(1, \"NSDate\")"),
  ])
  func `a predicate is understood as Foundation does`(text: String, meaning: String) throws {
    #expect(try Predicate(parsing: text).description == meaning)
  }

  // MARK: - Errors

  @Test(arguments: [
    ("", 1), ("a ==", 5), ("a == 1 1", 8), ("a", 1), ("a == (1 == 2)", 7), ("a == 'x", 6),
    ("größe == §", 12), ("canonicl:(a) == 'x'", 1), ("length:(a, b) == 1", 1), ("a.@cout > 1", 3),
    ("a ==[n] 'x'", 6), ("ANY a.b == 1", 1), ("$x == 1", 1), ("a == 1x", 6), ("a.b. == 1", 6),
    ("a == 1 AND", 11), ("SUBQUERY(a, 1)", 1),
  ])
  func `an error tells the column`(text: String, column: Int) throws {
    let error = #expect(throws: ExpressionError.self) { try Predicate(parsing: text) }

    #expect(error?.column == column, "\(text): \(error?.diagnostic.description ?? "")")
    #expect(error?.diagnostic.hint != nil)
  }

  @Test(arguments: [
    String(repeating: "(", count: 5000), String(repeating: "-", count: 5000) + "a == 1",
    String(repeating: "NOT ", count: 2000) + "a == 1",
    "a == 1" + String(repeating: " + 1", count: 2000), String(repeating: "a", count: 20000),
  ])
  func `hostile texts end in an error`(text: String) {
    #expect(throws: ExpressionError.self) { try Predicate(parsing: text) }
  }
}

/// Makes expressions of everything that there is.
private struct ExpressionGenerator {
  private var random: SeededGenerator
  private static let names = ["a", "größe", "in", "max", "author", "first", "_x1", "AND", "now"]
  private static let texts = [
    "", "x", "say \"hi\"", "back\\slash", "line\nbreak\ttab", "it's", "é",
  ]

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
  }

  mutating func expression(depth: Int) -> Expression {
    let kind =
      depth == 0 ? Int.random(in: 0...1, using: &random) : .random(in: 0...6, using: &random)
    switch kind {
    case 0: return .constant(constant())
    case 1: return .keyPath(path())
    case 2:
      let function = pick(Expression.Function.allCases)
      let arguments = (0..<function.argumentCount).map { _ in expression(depth: depth - 1) }
      return .function(function, arguments)
    case 3: return .negation(expression(depth: depth - 1))
    case 4:
      return .arithmetic(
        expression(depth: depth - 1),
        pick(Expression.ArithmeticOperator.allCases),
        expression(depth: depth - 1)
      )
    case 5: return .cast(expression(depth: depth - 1), typeName: pick(Self.texts))
    default:
      let count = Int.random(in: 0...3, using: &random)
      return .list((0..<count).map { _ in expression(depth: depth - 1) })
    }
  }

  mutating func predicate(depth: Int) -> Predicate {
    switch depth == 0 ? Int.random(in: 0...1, using: &random) : .random(in: 0...4, using: &random) {
    case 0: return .constant(.random(using: &random))
    case 1:
      return .comparison(
        Predicate.Comparison(
          expression(depth: depth),
          pick(Predicate.Comparator.allCases),
          expression(depth: depth),
          options: Predicate.Options(
            ignoresCase: .random(using: &random),
            ignoresDiacritics: .random(using: &random)
          )
        )
      )
    case 2: return .not(predicate(depth: depth - 1))
    case 3: return .and(predicate(depth: depth - 1), predicate(depth: depth - 1))
    default: return .or(predicate(depth: depth - 1), predicate(depth: depth - 1))
    }
  }

  private mutating func constant() -> Expression.Constant {
    switch Int.random(in: 0...3, using: &random) {
    case 0: .number(pick(["0", "1", "12345678901234567890", "0.25"]))
    case 1: .string(pick(Self.texts))
    case 2: .boolean(.random(using: &random))
    default: .null
    }
  }

  private mutating func path() -> KeyPathExpression {
    let count = Int.random(in: 1...3, using: &random)
    let names = (0..<count).map { _ in pick(Self.names) }
    let isAggregate = Bool.random(using: &random)
    return KeyPathExpression(
      names,
      aggregate: isAggregate ? pick(KeyPathExpression.Aggregate.allCases) : nil
    )
  }

  private mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int.random(in: elements.indices, using: &random)]
  }
}
