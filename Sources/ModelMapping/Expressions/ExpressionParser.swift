/// A recursive descent parser of expressions and predicates, beginning with `OR`, which binds least
/// tightly.
///
/// Parentheses may contain either, so every level returns a ``Term``.
struct ExpressionParser {
  private let tokens: [ExpressionToken]
  var position = 0
  private var depth = 0
  private var operatorCount = 0
  /// The start of each part, the first one of equal parts; `nil` if it is not needed.
  private var columns: [Expression: Int]?

  /// The parsed term: a value or a condition.
  enum Term {
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

  /// Returns the positions of all values in an expression or a condition, in bytes of the text
  /// counted from 1, up to the first fault.
  static func columns(of text: String) -> [Expression: Int] {
    guard var parser = try? ExpressionParser(text) else { return [:] }
    parser.columns = [:]
    _ = try? parser.disjunction()
    return parser.columns ?? [:]
  }

  mutating func wholeExpression() throws(ExpressionError) -> Expression {
    let expression = value(of: try disjunction())
    try expectEnd()
    return expression
  }

  mutating func wholePredicate() throws(ExpressionError) -> Predicate {
    let predicate = try condition(of: disjunction())
    try expectEnd()
    return predicate
  }

  /// Notes where an expression begins.
  mutating func term(_ expression: Expression, at column: Int) -> Term {
    if columns != nil, columns?[expression] == nil { columns?[expression] = column }
    return .expression(expression, column: column)
  }

  // MARK: - Conditions

  mutating func disjunction() throws(ExpressionError) -> Term {
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
    let column = current.column
    let quantifier = takeQuantifier()
    let left = try sum()
    try refuseSetOperators()
    guard let comparator = takeComparator() else {
      if quantifier != nil { throw expected("a comparison") }
      return left
    }
    let options = try takeOptions(of: comparator)
    let comparison = Predicate.Comparison(
      value(of: left),
      comparator,
      value(of: try sum()),
      options: options,
      quantifier: quantifier
    )
    return .predicate(.comparison(comparison), column: column)
  }

  private func refuseSetOperators() throws(ExpressionError) {
    guard case .keyword(let keyword) = current.kind,
      keyword == .union || keyword == .intersect || keyword == .minus
    else { return }
    throw ExpressionError(fact: .unsupportedWord(current.text), column: current.column)
  }

  private mutating func takeQuantifier() -> Predicate.Quantifier? {
    guard case .keyword(let keyword) = current.kind, let quantifier = keyword.quantifier else {
      return nil
    }
    position += 1
    return quantifier
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
    case .name, .selector, .aggregate, .variable, .number, .string, .end: comparator = nil
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
    guard letters.isSubset(of: ["c", "d", "n", "l"]), !letters.isEmpty else {
      throw ExpressionError(fact: .unsupportedOption(token.text), column: token.column)
    }
    try expect("]")
    return Predicate.Options(
      ignoresCase: letters.contains("c"),
      ignoresDiacritics: letters.contains("d"),
      isNormalized: letters.contains("n"),
      isLocaleSensitive: letters.contains("l")
    )
  }

  // MARK: - Tokens

  var current: ExpressionToken { tokens[min(position, tokens.count - 1)] }

  /// Chains of operators are nested as deep as they are long.
  mutating func countOperator() throws(ExpressionError) {
    operatorCount += 1
    guard operatorCount <= 400 else {
      throw ExpressionError(fact: .tooLarge, column: current.column)
    }
  }

  func isSymbol(_ symbol: String) -> Bool { current.kind == .symbol(symbol) }

  mutating func takeSymbol(_ symbol: String) -> Bool {
    guard isSymbol(symbol) else { return false }
    position += 1
    return true
  }

  mutating func take(_ keyword: ExpressionKeyword) -> Bool {
    guard current.kind == .keyword(keyword) else { return false }
    position += 1
    return true
  }

  private mutating func take(_ keyword: ExpressionKeyword, _ symbol: String) -> Bool {
    take(keyword) || takeSymbol(symbol)
  }

  mutating func expect(_ symbol: String) throws(ExpressionError) {
    guard takeSymbol(symbol) else { throw expected("\"\(symbol)\"") }
  }

  /// Takes a text in quotes.
  ///
  /// - Returns: The text, and the column of its first character.
  mutating func expectString(
    _ what: String
  ) throws(ExpressionError) -> (text: String, column: Int) {
    guard case .string(let text) = current.kind else { throw expected(what) }
    let column = current.column + 1
    position += 1
    return (text, column)
  }

  private func expectEnd() throws(ExpressionError) {
    guard current.kind == .end else { throw expected("the end") }
  }

  func expected(_ what: String) -> ExpressionError {
    ExpressionError(fact: .expected(what, found: current.text), column: current.column)
  }

  /// Returns the value of a term; that of a condition is a Boolean.
  func value(of term: Term) -> Expression {
    switch term {
    case .expression(let expression, _): expression
    case .predicate(let predicate, _):
      .ternary(predicate, .constant(.boolean(true)), .constant(.boolean(false)))
    }
  }

  func condition(of term: Term) throws(ExpressionError) -> Predicate {
    switch term {
    case .predicate(let predicate, _): return predicate
    case .expression(_, let column):
      throw ExpressionError(fact: .expected("a comparison", found: "a value"), column: column)
    }
  }
}
