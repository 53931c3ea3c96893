internal import Diagnostics

/// Calls: a name with parentheses.
extension ExpressionParser {
  /// The functions that are no ``Expression/Function``, since not all their arguments are values.
  static let otherFunctions = ["castObject:toType:", "objectFrom:withIndex:", "lookup", "SQL"]

  mutating func call(
    _ name: String,
    _ token: ExpressionToken
  ) throws(ExpressionError) -> Expression {
    guard isSymbol("(") else { throw withoutParentheses(name, token) }
    position += 1
    switch name {
    case "castObject:toType:": return try castArguments()
    case "SQL": return try sql()
    case "lookup":
      let mapping = try expectString("the name of an entity mapping in quotes").text
      var keys: [Expression] = []
      if takeSymbol(",") { keys = try values(closedBy: ")") } else { try expect(")") }
      return .lookup(mapping: mapping, keys: keys)
    case "objectFrom:withIndex:":
      let arguments = try values(closedBy: ")")
      guard arguments.count == 2 else {
        throw ExpressionError(
          fact: .argumentCount(name, takes: 2...2, count: arguments.count),
          column: token.column
        )
      }
      return .element(arguments[0], .index(arguments[1]))
    default:
      // Names are no closed set.
      return try function(name, values(closedBy: ")"), token)
    }
  }

  /// The error of `uppercase:name`, where a value follows the name of a function.
  private func withoutParentheses(_ name: String, _ token: ExpressionToken) -> ExpressionError {
    if name.contains("::") {
      return ExpressionError(fact: .expected("the end", found: "::"), column: token.column)
    }
    let parts = name.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, ExpressionScanner.isName(parts[1]) else { return expected("\"(\"") }
    return ExpressionError(
      fact: .unrecognizedFunction(name, suggestion: "\(parts[0]):(\(parts[1]))"),
      column: token.column
    )
  }

  private func function(
    _ name: String,
    _ arguments: [Expression],
    _ token: ExpressionToken
  ) throws(ExpressionError) -> Expression {
    if let function = Expression.Function(named: name, argumentCount: arguments.count) {
      let isSpread = function.takesCollection && arguments.count > 1
      return .function(function, isSpread ? [.list(arguments)] : arguments)
    }
    let known = Expression.Function.allCases.filter { $0.rawValue == name || $0.plainName == name }
    if let function = known.first {
      throw ExpressionError(
        fact: .argumentCount(name, takes: function.argumentCounts, count: arguments.count),
        column: token.column
      )
    }
    let found =
      ForeignNames.function(name) ?? suggestion(for: name, among: Expression.functionNames)
    throw ExpressionError(
      fact: .unrecognizedFunction(name, suggestion: found),
      column: token.column
    )
  }

  mutating func cast() throws(ExpressionError) -> Expression {
    try expect("(")
    return try castArguments()
  }

  private mutating func castArguments() throws(ExpressionError) -> Expression {
    let value = value(of: try disjunction())
    try expect(",")
    let typeName = try expectString("the name of a type in quotes").text
    try expect(")")
    return .cast(value, typeName: typeName)
  }

  private mutating func sql() throws(ExpressionError) -> Expression {
    let (text, column) = try expectString("SQL in quotes")
    try expect(")")
    do {
      _ = try SQLTemplate(parsing: text)
    } catch {
      throw ExpressionError(
        fact: .unusablePlaceholder(error.placeholder),
        column: column + error.column - 1
      )
    }
    return .sql(text)
  }

  mutating func ternary() throws(ExpressionError) -> Expression {
    try expect("(")
    let condition = try condition(of: disjunction())
    try expect(",")
    let first = value(of: try disjunction())
    try expect(",")
    let second = value(of: try disjunction())
    try expect(")")
    return .ternary(condition, first, second)
  }

  mutating func subquery() throws(ExpressionError) -> Expression {
    try expect("(")
    let collection = value(of: try disjunction())
    try expect(",")
    guard case .variable(let variable) = current.kind else { throw expected("a variable") }
    position += 1
    try expect(",")
    let condition = try condition(of: disjunction())
    try expect(")")
    return .subquery(collection, variable: variable, condition)
  }

  // MARK: - Fetches

  static let fetchSelector = "fetchRequestForSourceEntityNamed:predicateString:"

  mutating func fetch() throws(ExpressionError) -> Expression {
    try expect("(")
    guard take(.function) else {
      throw expected("FUNCTION($manager, \"\(Self.fetchSelector)\", …)")
    }
    var fetch = try fetchRequest()
    try expect(",")
    try expectSourceContext()
    try expect(",")
    let column = current.column
    guard case .constant(.boolean(let countsOnly)) = value(of: try disjunction()) else {
      throw ExpressionError(fact: .expected("YES or NO", found: ""), column: column)
    }
    fetch.countsOnly = countsOnly
    try expect(")")
    return .fetch(fetch)
  }

  private mutating func fetchRequest() throws(ExpressionError) -> Expression.SourceFetch {
    try expect("(")
    try expectManager()
    try expect(",")
    let selector = current
    let name = try expectString("the name of a method in quotes").text
    let hasInclusion = name == "\(Self.fetchSelector)includesSubentities:"
    guard name == Self.fetchSelector || hasInclusion else {
      throw ExpressionError(
        fact: .unrecognizedSelector(
          name,
          suggestion: suggestion(for: name, among: [Self.fetchSelector])
        ),
        column: selector.column
      )
    }
    try expect(",")
    var fetch = Expression.SourceFetch(try expectString("the name of an entity in quotes").text)
    try expect(",")
    let (text, column) = try expectString("a condition in quotes")
    do {
      fetch.predicate = try Predicate(parsing: text)
    } catch {
      throw ExpressionError(error, inTextAt: column)
    }
    if hasInclusion {
      try expect(",")
      if take(.no) || take(.false) {
        fetch.includesSubentities = false
      } else if !take(.yes), !take(.true) {
        throw expected("YES or NO")
      }
    }
    try expect(")")
    return fetch
  }

  private mutating func expectManager() throws(ExpressionError) {
    guard current.kind == .variable("manager") else { throw expected("$manager") }
    position += 1
  }

  private mutating func expectSourceContext() throws(ExpressionError) {
    if take(.function) {
      try expect("(")
      try expectManager()
      try expect(",")
      let token = current
      guard case .string("sourceContext") = token.kind else { throw expected("\"sourceContext\"") }
      position += 1
      try expect(")")
      return
    }
    try expectManager()
    try expect(".")
    guard current.kind == .name("sourceContext") else { throw expected("sourceContext") }
    position += 1
  }
}
