internal import Diagnostics

/// Reads expressions and predicates by recursive descent, `OR` first, since it binds the least.
///
/// What stands in parentheses may be either, so every level returns a ``Term``.
struct ExpressionParser {
  private let tokens: [ExpressionToken]
  private var position = 0
  private var depth = 0
  private var operatorCount = 0

  /// What has been read: a value or a condition.
  private enum Term {
    case expression(Expression, column: Int)
    case predicate(Predicate, column: Int)

    var column: Int {
      switch self {
      case .expression(_, let column), .predicate(_, let column): column
      }
    }
  }

  init(_ text: String) throws(ExpressionError) {
    tokens = try ExpressionScanner.tokens(of: text)
  }

  mutating func wholeExpression() throws(ExpressionError) -> Expression {
    let expression = try value(of: disjunction())
    try expectEnd()
    return expression
  }

  mutating func wholePredicate() throws(ExpressionError) -> Predicate {
    let predicate = try condition(of: disjunction())
    try expectEnd()
    return predicate
  }

  // MARK: - Conditions

  private mutating func disjunction() throws(ExpressionError) -> Term {
    depth += 1
    defer { depth -= 1 }
    guard depth <= 100 else { throw ExpressionError(fact: .tooLarge, column: current.column) }
    var left = try conjunction()
    while take(.or, "||") {
      try countOperator()
      let first = try condition(of: left)
      let second = try condition(of: conjunction())
      left = .predicate(.or(first, second), column: left.column)
    }
    return left
  }

  private mutating func conjunction() throws(ExpressionError) -> Term {
    var left = try inversion()
    while take(.and, "&&") {
      try countOperator()
      let first = try condition(of: left)
      let second = try condition(of: inversion())
      left = .predicate(.and(first, second), column: left.column)
    }
    return left
  }

  private mutating func inversion() throws(ExpressionError) -> Term {
    var count = 0
    let column = current.column
    while take(.not, "!") { count += 1 }
    guard count <= 100 else { throw ExpressionError(fact: .tooLarge, column: column) }
    let term = try comparison()
    guard count > 0 else { return term }
    var predicate = try condition(of: term)
    for _ in 0..<count { predicate = .not(predicate) }
    return .predicate(predicate, column: column)
  }

  private mutating func comparison() throws(ExpressionError) -> Term {
    let left = try sum()
    guard let comparator = takeComparator() else { return left }
    let options = try takeOptions(of: comparator)
    let comparison = Predicate.Comparison(
      try value(of: left),
      comparator,
      try value(of: sum()),
      options: options
    )
    return .predicate(.comparison(comparison), column: left.column)
  }

  private mutating func takeComparator() -> Predicate.Comparator? {
    let comparator: Predicate.Comparator?
    switch current.kind {
    case .symbol(let symbol):
      comparator =
        switch symbol {
        case "=", "==": .equal
        case "!=", "<>": .notEqual
        case "<": .less
        case "<=", "=<": .lessOrEqual
        case ">": .greater
        case ">=", "=>": .greaterOrEqual
        default: nil
        }
    case .keyword(let keyword): comparator = keyword.comparator
    case .name, .selector, .aggregate, .number, .string, .end: comparator = nil
    }
    if comparator != nil { position += 1 }
    return comparator
  }

  private mutating func takeOptions(
    of comparator: Predicate.Comparator
  ) throws(ExpressionError) -> Predicate.Options {
    guard takeSymbol("[") else { return Predicate.Options() }
    let token = current
    position += 1
    let letters = Set(token.text.lowercased())
    guard letters.isSubset(of: ["c", "d"]), !letters.isEmpty else {
      throw ExpressionError(fact: .unsupportedOption(token.text), column: token.column)
    }
    try expect("]")
    return Predicate.Options(
      ignoresCase: letters.contains("c"),
      ignoresDiacritics: letters.contains("d")
    )
  }

  // MARK: - Values

  private mutating func sum() throws(ExpressionError) -> Term {
    try arithmetic([.add, .subtract]) { parser throws(ExpressionError) in try parser.product() }
  }

  private mutating func product() throws(ExpressionError) -> Term {
    try arithmetic([.multiply, .divide]) { parser throws(ExpressionError) in try parser.negation() }
  }

  private mutating func arithmetic(
    _ operators: [Expression.ArithmeticOperator],
    operand: (inout ExpressionParser) throws(ExpressionError) -> Term
  ) throws(ExpressionError) -> Term {
    var left = try operand(&self)
    while let next = operators.first(where: { isSymbol($0.rawValue) }) {
      position += 1
      try countOperator()
      let first = try value(of: left)
      let second = try value(of: operand(&self))
      left = .expression(.arithmetic(first, next, second), column: left.column)
    }
    return left
  }

  private mutating func negation() throws(ExpressionError) -> Term {
    var count = 0
    let column = current.column
    while takeSymbol("-") { count += 1 }
    guard count <= 100 else { throw ExpressionError(fact: .tooLarge, column: column) }
    let term = try primary()
    guard count > 0 else { return term }
    var expression = try value(of: term)
    for _ in 0..<count { expression = .negation(expression) }
    return .expression(expression, column: column)
  }

  private mutating func primary() throws(ExpressionError) -> Term {
    let token = current
    position += 1
    switch token.kind {
    case .number(let digits): return .expression(.constant(.number(digits)), column: token.column)
    case .string(let text): return .expression(.constant(.string(text)), column: token.column)
    case .selector(let name): return try call(name, token)
    case .name(let name):
      if isSymbol("(") { return try call(name, token) }
      return .expression(.keyPath(try path(from: name)), column: token.column)
    case .keyword(let keyword): return try term(of: keyword, token)
    case .symbol("("):
      let term = try disjunction()
      try expect(")")
      return term
    case .symbol("{"):
      return .expression(.list(try values(closedBy: "}")), column: token.column)
    case .symbol, .aggregate, .end:
      position -= 1
      throw expected("a value")
    }
  }

  private mutating func term(
    of keyword: ExpressionKeyword,
    _ token: ExpressionToken
  ) throws(ExpressionError) -> Term {
    switch keyword {
    case .true, .yes: return .expression(.constant(.boolean(true)), column: token.column)
    case .false, .no: return .expression(.constant(.boolean(false)), column: token.column)
    case .null, .nil: return .expression(.constant(.null), column: token.column)
    case .truepredicate: return .predicate(.constant(true), column: token.column)
    case .falsepredicate: return .predicate(.constant(false), column: token.column)
    case .cast:
      try expect("(")
      let value = try value(of: disjunction())
      try expect(",")
      guard case .string(let typeName) = current.kind else {
        throw expected("the name of a type in quotes")
      }
      position += 1
      try expect(")")
      return .expression(.cast(value, typeName: typeName), column: token.column)
    case .self, .any, .some, .all, .none, .subquery, .fetch, .function, .ternary, .first, .last,
      .size, .anykey, .union, .intersect, .minus:
      throw ExpressionError(fact: .notAboutOneRow(token.text), column: token.column)
    case .and, .or, .not, .in, .between, .like, .matches, .contains, .beginswith, .endswith:
      position -= 1
      throw expected("a value")
    }
  }

  private mutating func call(
    _ name: String,
    _ token: ExpressionToken
  ) throws(ExpressionError) -> Term {
    try expect("(")
    let arguments = try values(closedBy: ")")
    guard let function = Expression.Function(rawValue: name) else {
      let names = Expression.Function.allCases.map(\.rawValue)
      throw ExpressionError(
        fact: .unrecognizedFunction(name, suggestion: suggestion(for: name, among: names)),
        column: token.column
      )
    }
    guard arguments.count == function.argumentCount else {
      throw ExpressionError(
        fact: .argumentCount(function, count: arguments.count),
        column: token.column
      )
    }
    return .expression(.function(function, arguments), column: token.column)
  }

  private mutating func values(
    closedBy symbol: String
  ) throws(ExpressionError) -> [Expression] {
    if takeSymbol(symbol) { return [] }
    var values = [try value(of: disjunction())]
    while takeSymbol(",") { values.append(try value(of: disjunction())) }
    try expect(symbol)
    return values
  }

  /// The aggregate stands at the end, or before the last name.
  private mutating func path(from first: String) throws(ExpressionError) -> KeyPathExpression {
    var path = KeyPathExpression([first])
    while takeSymbol(".") {
      let token = current
      position += 1
      switch token.kind {
      case .name(let name): path.names.append(name)
      case .aggregate(let text):
        guard let aggregate = KeyPathExpression.Aggregate(rawValue: text) else {
          let words = KeyPathExpression.Aggregate.allCases.map(\.rawValue)
          throw ExpressionError(
            fact: .unrecognizedAggregate(text, suggestion: suggestion(for: text, among: words)),
            column: token.column
          )
        }
        guard path.aggregate == nil else {
          position -= 1
          throw expected("a name")
        }
        path.aggregate = aggregate
        if aggregate != .count, takeSymbol(".") {
          guard case .name(let name) = current.kind else { throw expected("a name") }
          position += 1
          path.names.append(name)
        }
        return path
      case .keyword, .selector, .number, .string, .symbol, .end:
        position -= 1
        throw expected("a name")
      }
    }
    return path
  }

  // MARK: - Tokens

  private var current: ExpressionToken { tokens[min(position, tokens.count - 1)] }

  /// Chains of operators are nested as deep as they are long.
  private mutating func countOperator() throws(ExpressionError) {
    operatorCount += 1
    guard operatorCount <= 400 else {
      throw ExpressionError(fact: .tooLarge, column: current.column)
    }
  }

  private func isSymbol(_ symbol: String) -> Bool { current.kind == .symbol(symbol) }

  private mutating func takeSymbol(_ symbol: String) -> Bool {
    guard isSymbol(symbol) else { return false }
    position += 1
    return true
  }

  private mutating func take(_ keyword: ExpressionKeyword, _ symbol: String) -> Bool {
    guard current.kind == .keyword(keyword) || isSymbol(symbol) else { return false }
    position += 1
    return true
  }

  private mutating func expect(_ symbol: String) throws(ExpressionError) {
    guard takeSymbol(symbol) else { throw expected("\"\(symbol)\"") }
  }

  private func expectEnd() throws(ExpressionError) {
    guard current.kind == .end else { throw expected("the end") }
  }

  private func expected(_ what: String) -> ExpressionError {
    ExpressionError(fact: .expected(what, found: current.text), column: current.column)
  }

  private func value(of term: Term) throws(ExpressionError) -> Expression {
    switch term {
    case .expression(let expression, _): return expression
    case .predicate(_, let column):
      throw ExpressionError(fact: .expected("a value", found: "a condition"), column: column)
    }
  }

  private func condition(of term: Term) throws(ExpressionError) -> Predicate {
    switch term {
    case .predicate(let predicate, _): return predicate
    case .expression(_, let column):
      throw ExpressionError(fact: .expected("a comparison", found: "a value"), column: column)
    }
  }
}
