internal import ModelMapping
internal import ObjectModel
internal import SQLSyntax

/// Predicates have Foundation's meaning: they are true or false, even with nulls.
///
/// In SQL a condition over nulls is neither true nor false. This makes no difference where only
/// rows with a true condition count, so negations are moved down to the comparisons, which handle
/// nulls.
extension RowExpression {
  static func parsed(predicate text: String) throws(ExpressionFault) -> Predicate {
    do {
      return try Predicate(parsing: text)
    } catch {
      throw .unreadable(error.diagnostic)
    }
  }

  mutating func condition(
    _ predicate: Predicate,
    isDenied: Bool = false
  ) throws(ExpressionFault) -> SQLFragment {
    switch predicate {
    case .constant(let value): return "\(SQLLiteral.boolean(value != isDenied))"
    case .not(let inner): return try condition(inner, isDenied: !isDenied)
    case .and(let first, let second):
      return try connect(first, second, isDenied ? "OR" : "AND", isDenied)
    case .or(let first, let second):
      return try connect(first, second, isDenied ? "AND" : "OR", isDenied)
    case .comparison(let comparison): return try compare(comparison, isDenied: isDenied)
    }
  }

  private mutating func connect(
    _ first: Predicate,
    _ second: Predicate,
    _ word: SQLFragment,
    _ isDenied: Bool
  ) throws(ExpressionFault) -> SQLFragment {
    let left = try condition(first, isDenied: isDenied)
    let right = try condition(second, isDenied: isDenied)
    return "(\(left) \(word) \(right))"
  }

  private mutating func compare(
    _ comparison: Predicate.Comparison,
    isDenied: Bool
  ) throws(ExpressionFault) -> SQLFragment {
    if let quantifier = comparison.quantifier {
      return try quantified(comparison, quantifier, isDenied)
    }
    switch comparison.comparator {
    case .between: return ValueComparison.denied(try between(comparison), isDenied)
    case .isIn: return ValueComparison.denied(try membership(comparison), isDenied)
    case .contains: return ValueComparison.denied(try containment(comparison), isDenied)
    case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .beginsWith, .endsWith,
      .like, .matches:
      return try compareValues(comparison, isDenied: isDenied)
    }
  }

  private mutating func compareValues(
    _ comparison: Predicate.Comparison,
    isDenied: Bool = false
  ) throws(ExpressionFault) -> SQLFragment {
    try ValueComparison(
      comparison: comparison,
      left: value(comparison.left),
      right: value(comparison.right)
    ).condition(isDenied: isDenied)
  }

  private mutating func between(
    _ comparison: Predicate.Comparison
  ) throws(ExpressionFault) -> SQLFragment {
    guard case .list(let bounds) = comparison.right, bounds.count == 2 else {
      throw .unsupported(
        "\"\(comparison)\" has no two bounds",
        hint: "Write BETWEEN {1, 10}."
      )
    }
    var conditions: [SQLFragment] = []
    for (comparator, bound) in zip([Predicate.Comparator.greaterOrEqual, .lessOrEqual], bounds) {
      let part = comparison.with(comparison.left, comparator, bound)
      conditions.append(try compare(part, isDenied: false))
    }
    return "(\(conditions.joined(separator: " AND ")))"
  }

  // MARK: - Many values

  /// `ANY`, `ALL` and `NONE`: without values, `ALL` and `NONE` are true.
  private mutating func quantified(
    _ comparison: Predicate.Comparison,
    _ quantifier: Predicate.Quantifier,
    _ isDenied: Bool
  ) throws(ExpressionFault) -> SQLFragment {
    try breadth.requireMapping(comparison)
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
    let isExistence = quantifier == .any
    let condition = try compare(each, isDenied: quantifier == .all)
    let existence: SQLFragment = "EXISTS (SELECT\(collection.origin(and: condition)))"
    return isExistence == isDenied ? "(NOT \(existence))" : existence
  }

  /// `x IN y`: y is a list, many values or, of texts, a text that has x in it.
  private mutating func membership(
    _ comparison: Predicate.Comparison
  ) throws(ExpressionFault) -> SQLFragment {
    if case .list(let elements) = comparison.right {
      return try membership(comparison, of: elements)
    }
    if let collection = try open(comparison.right) {
      defer { close(collection) }
      let part = comparison.with(comparison.left, .equal, collection.element)
      return "EXISTS (SELECT\(collection.origin(and: try compare(part, isDenied: false))))"
    }
    guard breadth == .mapping else {
      throw .unsupported("\"\(comparison)\" has no list", hint: "Write IN {1, 2}.")
    }
    return try compareValues(
      comparison.with(comparison.right, .contains, comparison.left)
    )
  }

  /// `x CONTAINS y`: x is a text, or many values of which y is one.
  private mutating func containment(
    _ comparison: Predicate.Comparison
  ) throws(ExpressionFault) -> SQLFragment {
    var isCollection = false
    if case .list = comparison.left {
      isCollection = true
    } else {
      var probe = self
      isCollection = try probe.open(comparison.left) != nil
    }
    guard isCollection else { return try compareValues(comparison) }
    return try membership(
      comparison.with(comparison.right, .isIn, comparison.left)
    )
  }

  private mutating func membership(
    _ comparison: Predicate.Comparison,
    of elements: [Expression]
  ) throws(ExpressionFault) -> SQLFragment {
    guard !elements.isEmpty else { return "false" }
    var conditions: [SQLFragment] = []
    for element in elements {
      let part = comparison.with(comparison.left, .equal, element)
      conditions.append(try compare(part, isDenied: false))
    }
    return "(\(conditions.joined(separator: " OR ")))"
  }
}
