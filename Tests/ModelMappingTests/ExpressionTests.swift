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
    ("a => 1e3 and a =< 1.50", "a >= 1000.0 AND a <= 1.5"),
    ("a == 2.0 / 9.2e-5 + 0o17 - 0b101 * 0XfF", "a == 2.0 / 0.000092 + 15 - 5 * 255"),
    ("a ** 2 ** 3 * -b == c - d", "a ** 2 ** 3 * -b == c - d"),
    ("(a * b) ** (c + 1) == -(d ** 2)", "(a * b) ** (c + 1) == -(d ** 2)"),
    ("SELF.a.first == $x.y AND SELF == $x", "a.#first == $x.y AND SELF == $x"),
    ("FUNCTION($source, 'valueForKey:', 'x') == 1", "$source.x == 1"),
    ("FUNCTION($source.a, 'valueForKeyPath:', 'b.@sum.c') = 1", "$source.a.b.c.@sum == 1"),
    ("FUNCTION(SELF, 'valueForKey:', 'x') == 1", "x == 1"),
    ("any a.b > 1 or some a.b > 2", "ANY a.b > 1 OR ANY a.b > 2"),
    ("not none a.b in {1} && all c = nil", "NOT NONE a.b IN {1} AND ALL c == NULL"),
    ("a ==[nl] 'x' && b <[ldnc] 'y'", "a ==[nl] \"x\" AND b <[cdnl] \"y\""),
    ("uppercase(a) = lowercase:(b)", "uppercase:(a) == lowercase:(b)"),
    ("sum(1, 2) = max({a, b})", "sum:({1, 2}) == max:({a, b})"),
    ("modulus(a, 2) = add:to:(b, 1)", "modulus:by:(a, 2) == add:to:(b, 1)"),
    ("castObject:toType:(a, 'NSDate') = b", "CAST(a, \"NSDate\") == b"),
    ("objectFrom:withIndex:(a, 1) = a[first]", "a[1] == a[FIRST]"),
    ("a[LAST].b.c = b[SIZE] - b[a + 1]", "a[LAST].b.c == b[SIZE] - b[a + 1]"),
    ("subquery(a, $b, $b.c > 1).@count = 0", "SUBQUERY(a, $b, $b.c > 1).@count == 0"),
    ("a.@distinctUnionOfObjects.b.c.@count > 1", "a.b.c.@distinctUnionOfObjects.@count > 1"),
    ("TERNARY(a > 1 OR b = 2, 'x', nil) = c", "TERNARY(a > 1 OR b == 2, \"x\", NULL) == c"),
    ("SQL('a + ${source.A.b}') = random()", "SQL(\"a + ${source.A.b}\") == random()"),
    ("#in IN {yes, nil}", "#in IN {TRUE, NULL}"),
    ("chapters.@sum.pages > chapters.@count", "chapters.pages.@sum > chapters.@count"),
    ("!(TRUEPREDICATE || FALSEPREDICATE)", "NOT (TRUEPREDICATE OR FALSEPREDICATE)"),
    ("größe == CAST(1, 'NSDate')", "größe == CAST(1, \"NSDate\")"),
  ])
  func `a predicate is understood as Foundation does`(text: String, meaning: String) throws {
    #expect(try Predicate(parsing: text).description == meaning)
  }

  @Test(arguments: [
    ("age > 18", "TERNARY(age > 18, TRUE, FALSE)"),
    ("a == (1 == 2)", nil), ("(a > 1) == (b > 1)", nil),
    ("coalesce(a CONTAINS 'x' AND b == 1, NO)", nil),
    ("NOT a == 1", "TERNARY(NOT a == 1, TRUE, FALSE)"),
  ])
  func `a condition as a value is a Boolean`(text: String, meaning: String?) throws {
    guard let meaning else {
      let expression = try Expression(parsing: text)
      #expect(try Expression(parsing: expression.description) == expression)
      return
    }
    #expect(try Expression(parsing: text).description == meaning)
  }

  @Test(arguments: [
    ("lower(a)", "lowercase"), ("UPPER(a)", "uppercase"), ("NOW()", "now"),
    ("substr(a, 1)", "substring"),
    ("if(a > 1, b, c)", "TERNARY"), ("IFNULL(a, b)", "coalesce"), ("len(a)", "length"),
    ("uppercase:name", "uppercase:(name)"), ("round(a)", "floor"), ("a IS NULL", "x == NULL"),
    ("a NOT IN {1}", "NOT before"), ("a % 2", "modulus:by:"), ("a ? b : c", "TERNARY"),
    ("a::text", "CAST"), ("a || b", "concat"), ("a.lowercased()", "lowercase"),
    ("CASE WHEN a", "TERNARY"), ("FUNCTION(a, 'hasPrefix:', b)", "BEGINSWITH"),
    ("FUNCTION(a, 'stringByAppendingString:', b)", "concat"), ("gen_random_uuid()", "uuid"),
    ("uppercas(a)", "uppercase:"), ("FUNCTION(a, 'intvalue')", "intValue"),
  ])
  func `what other languages have gets a hint`(text: String, remedy: String) throws {
    let error = #expect(throws: ExpressionError.self) { try Expression(parsing: text) }

    #expect(error?.diagnostic.hint?.contains(remedy) ?? false, "\(error?.diagnostic as Any)")
  }

  // MARK: - Errors

  @Test(arguments: [
    ("", 1), ("a ==", 5), ("a == 1 1", 8), ("a", 1), ("a == 'x", 6),
    ("größe == §", 12), ("canonicl:(a) == 'x'", 1), ("length:(a, b) == 1", 1), ("a.@cout > 1", 3),
    ("a ==[x] 'x'", 6), ("ANY a.b", 8), ("$ == 1", 1), ("a == 1x", 6), ("a.b. == 1", 6),
    ("a == 1 AND", 11), ("SUBQUERY(a, 1)", 13), ("SUBQUERY(a, $x, 1)", 17), ("a[1 == 2", 9),
    ("a == TERNARY(b, 1, 2)", 14), ("a == TERNARY(b = 1, 2)", 22), ("a UNION b == c", 3),
    ("a == SQL('x ${sauce.A}')", 13), ("a == SQL(x)", 10), ("lookup(a) == b", 8),
    ("a == CAST(b, NSDate)", 14), ("a == FUNCTION(b, c)", 18), ("a == max:()", 6),
    ("a == FUNCTION($source, 'valueForKey:')", 24), ("a == FUNCTION($source, 'go')", 24),
    ("a == FUNCTION($source, 'valueForKey:', b)", 40), ("a == x.@max.1", 13), ("#1 == 2", 1),
    ("a == FUNCTION($source, 'valueForKeyPath:', 'b.@cnt')", 45), ("a[] == 1", 3),
    ("a == FUNCTION($source, 'valueForKey:', 'b = 1 OR c')", 41),
    ("a == 1e-9223372036854775808", 6),
    ("a == FUNCTION($source, 'valueForKeyPath:', 'b.c d')", 45), ("a == 1e401", 6),
    ("a == FUNCTION($manager, 'go:', 'b')", 25), ("FETCH(a, b, NO) == c", 7),
    ("a == \(fetch("b ="))", 93), ("a == \(fetch("TRUEPREDICATE", "$x"))", 107),
    ("a == \(fetch("TRUEPREDICATE", count: "1"))", 131), ("a == substring(b)", 6),
  ])
  func `an error has the column`(text: String, column: Int) throws {
    let error = #expect(throws: ExpressionError.self) { try Predicate(parsing: text) }

    #expect(error?.column == column, "\(text): \(error?.diagnostic.description ?? "")")
    #expect(error?.diagnostic.hint != nil)
  }

  private static func fetch(
    _ condition: String,
    _ context: String = "$manager.sourceContext",
    count: String = "NO"
  ) -> String {
    let selector = "fetchRequestForSourceEntityNamed:predicateString:"
    return "FETCH(FUNCTION($manager, '\(selector)', 'A', '\(condition)'), \(context), \(count))"
  }

  @Test
  func `calls of Core Data's objects are understood`() throws {
    let instances = "destinationInstancesForEntityMappingNamed:sourceInstances:"
    let ofRelationship = "destinationInstancesForSourceRelationshipNamed:sourceInstances:"
    let defaulted = "_nonNilValueOrDefaultValueForAttribute:source:destination:"
    let meanings: [(String, Expression)] = [
      (
        "FUNCTION($manager, '\(instances)', 'M', $source.trades)",
        .destinationInstances(
          .init(.named("M"), sources: .keyPath(.init(["trades"], base: .variable("source"))))
        )
      ),
      (
        "FUNCTION($manager, '\(ofRelationship)', 'cars', FUNCTION($source, 'valueForKey:', 'cars'))",
        .destinationInstances(
          .init(
            .ofRelationship("cars"),
            sources: .keyPath(.init(["cars"], base: .variable("source")))
          )
        )
      ),
      (
        Self.fetch("text BEGINSWITH \\'keep\\'"),
        .fetch(.init("A", where: try Predicate(parsing: "text BEGINSWITH 'keep'")))
      ),
      (
        Self.fetch("TRUEPREDICATE", "FUNCTION($manager, 'sourceContext')", count: "YES"),
        .fetch(.init("A", countsOnly: true))
      ),
      (
        Self.fetch("x', 'y").replacing(
          "predicateString:",
          with: "predicateString:includesSubentities:"
        )
        .replacing("'x', 'y')", with: "'a = 1', NO)"),
        .fetch(.init("A", where: try Predicate(parsing: "a = 1"), includesSubentities: false))
      ),
      (
        "FUNCTION($entityPolicy, '\(defaulted)', 'a', $source, $destination)",
        .nonNilValueOrDefault(attribute: "a")
      ),
      (
        "FUNCTION($entityPolicy, 'iconOf:', $source)",
        .policyCall(selector: "iconOf:", arguments: [.variable("source")])
      ),
      ("FUNCTION(a, 'intValue')", .accessor(.keyPath(.init(["a"])), .intValue)),
      (
        "lookup('M', a, 1)",
        .lookup(
          mapping: "M",
          keys: [.keyPath(.init(["a"])), .constant(.number("1"))]
        )
      ),
    ]
    for (text, meaning) in meanings {
      let expression = try Expression(parsing: text)
      #expect(expression == meaning, "\(text)")
      #expect(try Expression(parsing: expression.description) == meaning, "\(expression)")
    }
  }

  @Test(arguments: [
    String(repeating: "(", count: 5000), String(repeating: "a[", count: 5000),
    "a" + String(repeating: "[0]", count: 3000) + " == 1", String(repeating: "{", count: 5000),
    String(repeating: "TERNARY(", count: 1000), String(repeating: "a.", count: 4000) + "b == 1",
    String(repeating: "SUBQUERY(", count: 1000), String(repeating: "a ** ", count: 1500) + "1 == 1",
    String(repeating: "-", count: 5000) + "a == 1",
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
    switch depth == 0 ? Int.random(in: 0...3, using: &random) : .random(in: 0...19, using: &random)
    {
    case 0: .constant(constant())
    case 1: .keyPath(path(depth: depth))
    case 2: .variable(pick(Self.names))
    case 3: .evaluatedObject
    case 4, 5: function(depth: depth - 1)
    case 6: .negation(expression(depth: depth - 1))
    case 7, 8:
      .arithmetic(
        expression(depth: depth - 1),
        pick(Expression.ArithmeticOperator.allCases),
        expression(depth: depth - 1)
      )
    case 9: .cast(expression(depth: depth - 1), typeName: pick(Self.texts))
    case 10: .accessor(receiver(depth: depth - 1), pick(Expression.Accessor.allCases))
    case 11: .list(expressions(0...3, depth: depth - 1))
    case 12: .element(expression(depth: depth - 1), position(depth: depth - 1))
    case 13:
      .ternary(
        predicate(depth: depth - 1),
        expression(depth: depth - 1),
        expression(depth: depth - 1)
      )
    case 14:
      .subquery(
        expression(depth: depth - 1),
        variable: pick(Self.names),
        predicate(depth: depth - 1)
      )
    case 15:
      .fetch(
        Expression.SourceFetch(
          pick(Self.names),
          where: predicate(depth: min(depth - 1, 1)),
          includesSubentities: .random(using: &random),
          countsOnly: .random(using: &random)
        )
      )
    case 16:
      .destinationInstances(
        Expression.InstanceLookup(
          .random(using: &random) ? .named(pick(Self.names)) : .ofRelationship(pick(Self.names)),
          sources: expression(depth: depth - 1)
        )
      )
    case 17: .lookup(mapping: pick(Self.texts), keys: expressions(0...2, depth: depth - 1))
    case 18: .sql(pick(Self.texts))
    default:
      .random(using: &random)
        ? .nonNilValueOrDefault(attribute: pick(Self.names))
        : .policyCall(selector: "a:b:", arguments: expressions(2...2, depth: depth - 1))
    }
  }

  private mutating func function(depth: Int) -> Expression {
    let function = pick(Expression.Function.allCases)
    let counts = function.argumentCounts
    return .function(
      function,
      expressions(counts.lowerBound...min(counts.upperBound, counts.lowerBound + 2), depth: depth)
    )
  }

  private mutating func expressions(_ counts: ClosedRange<Int>, depth: Int) -> [Expression] {
    (0..<Int.random(in: counts, using: &random)).map { _ in expression(depth: depth) }
  }

  private mutating func position(depth: Int) -> Expression.ElementPosition {
    switch Int.random(in: 0...3, using: &random) {
    case 0: .first
    case 1: .last
    case 2: .size
    default: .index(expression(depth: depth))
    }
  }

  /// Methods of these would be taken for those of other objects.
  private mutating func receiver(depth: Int) -> Expression {
    let expression = expression(depth: depth)
    return expression == .variable("manager") || expression == .variable("entityPolicy")
      ? .evaluatedObject : expression
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
            ignoresDiacritics: .random(using: &random),
            isNormalized: .random(using: &random),
            isLocaleSensitive: .random(using: &random)
          ),
          quantifier: Bool.random(using: &random) ? pick(Predicate.Quantifier.allCases) : nil
        )
      )
    case 2: return .not(predicate(depth: depth - 1))
    case 3: return .and(predicate(depth: depth - 1), predicate(depth: depth - 1))
    default: return .or(predicate(depth: depth - 1), predicate(depth: depth - 1))
    }
  }

  private mutating func constant() -> Expression.Constant {
    switch Int.random(in: 0...3, using: &random) {
    case 0: .number(pick(["0", "1", "12345678901234567890", "0.25", "2.0"]))
    case 1: .string(pick(Self.texts))
    case 2: .boolean(.random(using: &random))
    default: .null
    }
  }

  private mutating func path(depth: Int) -> KeyPathExpression {
    let count = Int.random(in: 1...3, using: &random)
    let names = (0..<count).map { _ in pick(Self.names) }
    let isAggregate = Bool.random(using: &random)
    return KeyPathExpression(
      names,
      aggregate: isAggregate ? pick(KeyPathExpression.Aggregate.allCases) : nil,
      base: base(depth: depth)
    )
  }

  private mutating func base(depth: Int) -> KeyPathExpression.Base {
    switch Int.random(in: 0...(depth == 0 ? 1 : 2), using: &random) {
    case 0: .row
    case 1: .variable(pick(Self.names))
    default:
      .expression(
        .random(using: &random)
          ? .keyPath(KeyPathExpression([pick(Self.names)], aggregate: .unionOfObjects))
          : .subquery(
            expression(depth: depth - 1),
            variable: pick(Self.names),
            predicate(depth: depth - 1)
          )
      )
    }
  }

  private mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int.random(in: elements.indices, using: &random)]
  }
}
