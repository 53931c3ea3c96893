internal import Diagnostics

/// Values: operators, their operands, and key paths and brackets after them.
extension ExpressionParser {
  mutating func sum() throws(ExpressionError) -> Term {
    try arithmetic([.add, .subtract]) { parser throws(ExpressionError) in try parser.product() }
  }

  private mutating func product() throws(ExpressionError) -> Term {
    try arithmetic([.multiply, .divide]) { parser throws(ExpressionError) in try parser.power() }
  }

  private mutating func power() throws(ExpressionError) -> Term {
    try arithmetic([.power]) { parser throws(ExpressionError) in try parser.negation() }
  }

  private mutating func arithmetic(
    _ operators: [Expression.ArithmeticOperator],
    _ operand: (inout Self) throws(ExpressionError) -> Term
  ) throws(ExpressionError) -> Term {
    var left = try operand(&self)
    while case .symbol(let symbol) = current.kind,
      let next = operators.first(where: { $0.rawValue == symbol })
    {
      try countOperator()
      position += 1
      let first = value(of: left)
      let second = value(of: try operand(&self))
      left = term(.arithmetic(first, next, second), at: left.column)
    }
    return left
  }

  private mutating func negation() throws(ExpressionError) -> Term {
    var count = 0
    let column = current.column
    while takeSymbol("-") { count += 1 }
    guard count <= 100 else { throw ExpressionError(fact: .tooLarge, column: column) }
    let operand = try postfix()
    guard count > 0 else { return operand }
    var expression = value(of: operand)
    for _ in 0..<count { expression = .negation(expression) }
    return term(expression, at: column)
  }

  private mutating func postfix() throws(ExpressionError) -> Term {
    var term = try primary()
    while isSymbol(".") || isSymbol("[") {
      try countOperator()
      let operand = value(of: term)
      let next =
        takeSymbol(".") ? try path(after: operand) : try element(of: operand)
      term = self.term(next, at: term.column)
    }
    return term
  }

  private mutating func primary() throws(ExpressionError) -> Term {
    let token = current
    position += 1
    switch token.kind {
    case .number(let digits): return term(.constant(.number(digits)), at: token.column)
    case .string(let text): return term(.constant(.string(text)), at: token.column)
    case .selector(let name): return term(try call(name, token), at: token.column)
    case .name(let name):
      if isSymbol("(") { return term(try call(name, token), at: token.column) }
      return term(.keyPath(KeyPathExpression([name])), at: token.column)
    case .variable(let name): return term(.variable(name), at: token.column)
    case .keyword(let keyword): return try term(of: keyword, token)
    case .symbol("("):
      let term = try disjunction()
      try expect(")")
      return term
    case .symbol("{"):
      return term(.list(try values(closedBy: "}")), at: token.column)
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
    case .truepredicate: return .predicate(.constant(true), column: token.column)
    case .falsepredicate: return .predicate(.constant(false), column: token.column)
    case .true, .yes: return term(.constant(.boolean(true)), at: token.column)
    case .false, .no: return term(.constant(.boolean(false)), at: token.column)
    case .null, .nil: return term(.constant(.null), at: token.column)
    case .self: return term(.evaluatedObject, at: token.column)
    case .cast: return term(try cast(), at: token.column)
    case .ternary: return term(try ternary(), at: token.column)
    case .subquery: return term(try subquery(), at: token.column)
    case .fetch: return term(try fetch(), at: token.column)
    case .function: return term(try methodCall(), at: token.column)
    case .anykey, .union, .intersect, .minus:
      throw ExpressionError(fact: .unsupportedWord(token.text), column: token.column)
    case .and, .or, .not, .in, .between, .like, .matches, .contains, .beginswith, .endswith, .any,
      .some, .all, .none, .first, .last, .size:
      position -= 1
      throw expected("a value")
    }
  }

  mutating func values(closedBy symbol: String) throws(ExpressionError) -> [Expression] {
    if takeSymbol(symbol) { return [] }
    var values = [value(of: try disjunction())]
    while takeSymbol(",") { values.append(value(of: try disjunction())) }
    try expect(symbol)
    return values
  }

  // MARK: - After a value

  private mutating func element(of operand: Expression) throws(ExpressionError) -> Expression {
    position += 1
    let place: Expression.ElementPosition
    if take(.first) {
      place = .first
    } else if take(.last) {
      place = .last
    } else if take(.size) {
      place = .size
    } else {
      place = .index(value(of: try disjunction()))
    }
    try expect("]")
    return .element(operand, place)
  }

  /// The aggregate stands at the end, or before the last names.
  private mutating func path(after operand: Expression) throws(ExpressionError) -> Expression {
    var path = KeyPathExpression(startingAt: operand)
    let token = current
    position += 1
    switch token.kind {
    case .name(let name): path.names.append(name)
    case .keyword: path.names.append(token.text)
    case .aggregate(let text):
      path.aggregate = try Self.aggregate(text, column: token.column)
      guard path.aggregate != .count else { break }
      while isSymbol("."), case .some = nameAfterDot { path.names.append(try nextName()) }
    case .variable, .selector, .number, .string, .symbol, .end:
      position -= 1
      throw expected("a name")
    }
    return .keyPath(path)
  }

  private static func aggregate(
    _ text: String,
    column: Int
  ) throws(ExpressionError) -> KeyPathExpression.Aggregate {
    guard let aggregate = KeyPathExpression.Aggregate(rawValue: text) else {
      let words = KeyPathExpression.Aggregate.allCases.map(\.rawValue)
      throw ExpressionError(
        fact: .unrecognizedAggregate(text, suggestion: suggestion(for: text, among: words)),
        column: column
      )
    }
    return aggregate
  }

  /// The name after the next dot, or `nil` if it is an aggregate.
  private var nameAfterDot: String? {
    var next = self
    next.position += 1
    return try? next.expectName()
  }

  private mutating func nextName() throws(ExpressionError) -> String {
    position += 1
    return try expectName()
  }

  private mutating func expectName() throws(ExpressionError) -> String {
    let token = current
    switch token.kind {
    case .name(let name):
      position += 1
      return name
    case .keyword:
      position += 1
      return token.text
    case .aggregate, .variable, .selector, .number, .string, .symbol, .end:
      throw expected("a name")
    }
  }
}

extension KeyPathExpression {
  /// Creates an empty path that begins at an expression.
  init(startingAt operand: Expression) {
    switch operand {
    case .keyPath(let path) where path.aggregate == nil: self = path
    case .variable(let name): self.init([], base: .variable(name))
    case .evaluatedObject: self.init([])
    case .constant, .keyPath, .function, .negation, .arithmetic, .cast, .accessor, .list, .element,
      .ternary, .subquery, .fetch, .destinationInstances, .lookup, .sql, .policyCall,
      .nonNilValueOrDefault:
      self.init([], base: .expression(operand))
    }
  }

  /// Creates the path that `valueForKeyPath:` of an operand takes.
  ///
  /// - Throws: The part that is no name.
  init(startingAt operand: Expression, keyPath text: String, column: Int) throws(ExpressionError) {
    self.init(startingAt: operand)
    for part in text.split(separator: ".", omittingEmptySubsequences: false) {
      if part.hasPrefix("@") {
        guard aggregate == nil, let aggregate = Aggregate(rawValue: String(part)) else {
          let words = Aggregate.allCases.map(\.rawValue)
          throw ExpressionError(
            fact: .unrecognizedAggregate(
              String(part),
              suggestion: suggestion(for: String(part), among: words)
            ),
            column: column
          )
        }
        self.aggregate = aggregate
      } else {
        guard ExpressionScanner.isName(part) else {
          throw ExpressionError(fact: .expected("a key path", found: text), column: column)
        }
        names.append(String(part))
      }
    }
  }
}
