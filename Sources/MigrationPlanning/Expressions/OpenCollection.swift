internal import ModelMapping
internal import SQLSyntax

/// Many values, as a query whose parts can still be added to.
struct OpenCollection {
  private let tables: [SQLFragment]
  var conditions: [SQLFragment] = []
  /// The order of the values; `nil` without one.
  var order: SQLFragment?
  /// A Boolean value that indicates whether each value counts once.
  var isDistinct = false
  /// One of the values, while the collection is open.
  var element: Expression
  /// The variable that stands for one of the rows.
  let variable: String
  /// How many tables had names around it.
  let outerDepth: Int

  init(tables: [SQLFragment], variable: String, outerDepth: Int) {
    self.tables = tables
    self.variable = variable
    self.outerDepth = outerDepth
    element = .variable(variable)
  }

  /// The text after the columns of the query.
  var origin: SQLFragment { origin(and: nil) }

  func origin(and condition: SQLFragment?) -> SQLFragment {
    let all = conditions + [condition].compactMap(\.self)
    let filter: SQLFragment = all.isEmpty ? "" : " WHERE \(all.joined(separator: " AND "))"
    return " FROM \(tables.joined(separator: ", "))\(filter)"
  }

  func ordering(isReversed: Bool = false) -> SQLFragment {
    guard let order else { return "" }
    return isReversed ? " ORDER BY \(order) DESC" : " ORDER BY \(order)"
  }
}

extension Expression {
  /// Returns the path extended by names.
  func appending(_ names: [String]) -> Expression {
    guard !names.isEmpty else { return self }
    switch self {
    case .variable(let name): return .keyPath(KeyPathExpression(names, base: .variable(name)))
    case .keyPath(var path) where path.aggregate == nil:
      path.names += names
      return .keyPath(path)
    case .constant, .keyPath, .evaluatedObject, .function, .negation, .arithmetic, .cast, .accessor,
      .list, .element, .ternary, .subquery, .fetch, .destinationInstances, .lookup, .sql,
      .policyCall, .nonNilValueOrDefault:
      return .keyPath(KeyPathExpression(names, base: .expression(self)))
    }
  }
}
