internal import ModelMapping
internal import SQLSyntax

/// What is said of several values.
extension RowExpression {
  /// `ANY`, `ALL` and `NONE`: of no values all is true that is said of all of them.
  mutating func quantified(
    _ comparison: Predicate.Comparison,
    _ quantifier: Predicate.Quantifier,
    _ isDenied: Bool
  ) throws(ExpressionFault) -> SQLFragment {
    try requireMapping(comparison)
    guard let collection = try open(comparison.left) else {
      throw .unsupported(
        "\"\(comparison)\" has one value on its left",
        hint: "Write \(quantifier.rawValue) before a to-many relationship, or leave it away."
      )
    }
    defer { close(collection) }
    var each = comparison
    each.quantifier = nil
    each.left = collection.element
    let isExistence: Bool
    let condition: SQLFragment
    switch quantifier {
    case .any:
      isExistence = true
      condition = try compare(each, isDenied: false)
    case .none:
      isExistence = false
      condition = try compare(each, isDenied: false)
    case .all:
      isExistence = false
      condition = try compare(each, isDenied: true)
    }
    let existence: SQLFragment = "EXISTS (SELECT\(collection.origin(and: condition)))"
    return isExistence == isDenied ? "(NOT \(existence))" : existence
  }

  /// `x IN y`: y is a list, many values or, of texts, a text that has x in it.
  mutating func membership(
    _ comparison: Predicate.Comparison
  ) throws(ExpressionFault) -> SQLFragment {
    if case .list(let elements) = comparison.right {
      return try membership(comparison, of: elements)
    }
    if let collection = try open(comparison.right) {
      defer { close(collection) }
      let part = Predicate.Comparison(
        comparison.left,
        .equal,
        collection.element,
        options: comparison.options
      )
      return "EXISTS (SELECT\(collection.origin(and: try compare(part, isDenied: false))))"
    }
    guard breadth == .mapping else {
      throw .unsupported("\"\(comparison)\" has no list", hint: "Write IN {1, 2}.")
    }
    return try textual(
      Predicate.Comparison(
        comparison.right,
        .contains,
        comparison.left,
        options: comparison.options
      )
    )
  }

  /// `x CONTAINS y`: x is a text, or many values of which y is one.
  mutating func containment(
    _ comparison: Predicate.Comparison
  ) throws(ExpressionFault) -> SQLFragment {
    let isCollection: Bool
    switch comparison.left {
    case .list: isCollection = true
    case .keyPath, .subquery, .fetch, .function:
      var probe = self
      isCollection = try probe.open(comparison.left) != nil
    case .constant, .variable, .evaluatedObject, .negation, .arithmetic, .cast, .accessor, .element,
      .ternary, .destinationInstances, .lookup, .sql, .policyCall, .nonNilValueOrDefault:
      isCollection = false
    }
    guard isCollection else { return try textual(comparison) }
    return try membership(
      Predicate.Comparison(
        comparison.right,
        .isIn,
        comparison.left,
        options: comparison.options
      )
    )
  }

  private mutating func membership(
    _ comparison: Predicate.Comparison,
    of elements: [Expression]
  ) throws(ExpressionFault) -> SQLFragment {
    guard !elements.isEmpty else { return "false" }
    var conditions: [SQLFragment] = []
    for element in elements {
      let part = Predicate.Comparison(
        comparison.left,
        .equal,
        element,
        options: comparison.options
      )
      conditions.append(try compare(part, isDenied: false))
    }
    return "(\(conditions.joined(separator: " OR ")))"
  }

  private func requireMapping(_ comparison: Predicate.Comparison) throws(ExpressionFault) {
    switch breadth {
    case .row: throw .notAboutOneRow("\(comparison)")
    case .mapping: return
    }
  }
}
