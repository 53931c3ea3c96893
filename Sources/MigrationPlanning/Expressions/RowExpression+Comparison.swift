internal import ModelMapping
internal import ObjectModel
internal import SQLSyntax

extension RowExpression {
  mutating func compare(
    _ comparison: Predicate.Comparison,
    isDenied: Bool
  ) throws(ExpressionFault) -> SQLFragment {
    if let quantifier = comparison.quantifier {
      return try quantified(comparison, quantifier, isDenied)
    }
    switch comparison.comparator {
    case .equal: return try equality(comparison, isEqual: !isDenied)
    case .notEqual: return try equality(comparison, isEqual: isDenied)
    case .less: return try order(comparison, "<", isDenied)
    case .lessOrEqual: return try order(comparison, "<=", isDenied)
    case .greater: return try order(comparison, ">", isDenied)
    case .greaterOrEqual: return try order(comparison, ">=", isDenied)
    case .between: return denied(try between(comparison), isDenied)
    case .isIn: return denied(try membership(comparison), isDenied)
    case .contains: return denied(try containment(comparison), isDenied)
    case .beginsWith, .endsWith, .like, .matches:
      return denied(try textual(comparison), isDenied)
    }
  }

  private mutating func equality(
    _ comparison: Predicate.Comparison,
    isEqual: Bool
  ) throws(ExpressionFault) -> SQLFragment {
    let (left, right) = try pair(comparison)
    switch (left.type, right.type) {
    case (.null, .null): return "\(SQLLiteral.boolean(isEqual))"
    case (_, .null): return isEqual ? "(\(left.sql) IS NULL)" : "(\(left.sql) IS NOT NULL)"
    case (.null, _): return isEqual ? "(\(right.sql) IS NULL)" : "(\(right.sql) IS NOT NULL)"
    default:
      // Pairs of types, not one of our enumerations.
      if !isEqual { return "(\(left.sql) IS DISTINCT FROM \(right.sql))" }
      let hasConstant = comparison.left.isConstant || comparison.right.isConstant
      return hasConstant
        ? "(\(left.sql) = \(right.sql))" : "(\(left.sql) IS NOT DISTINCT FROM \(right.sql))"
    }
  }

  private mutating func order(
    _ comparison: Predicate.Comparison,
    _ symbol: SQLFragment,
    _ isDenied: Bool
  ) throws(ExpressionFault) -> SQLFragment {
    let (left, right) = try pair(comparison)
    // Nothing is less than null, or greater.
    if left.type == .null || right.type == .null { return "\(SQLLiteral.boolean(isDenied))" }
    for value in [left, right] where !value.type.isOrdered && value.type != .unknown {
      throw mismatch(comparison, left, right)
    }
    return denied("(\(left.sql) \(symbol) \(right.sql))", isDenied)
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
      let part = Predicate.Comparison(
        comparison.left,
        comparator,
        bound,
        options: comparison.options
      )
      conditions.append(try compare(part, isDenied: false))
    }
    return "(\(conditions.joined(separator: " AND ")))"
  }

  /// Returns both sides as values that can be compared.
  private mutating func pair(
    _ comparison: Predicate.Comparison
  ) throws(ExpressionFault) -> (TypedValue, TypedValue) {
    var left = try value(comparison.left)
    var right = try value(comparison.right)
    if case .constant(let constant) = comparison.right {
      right = try adapted(right, constant, to: left, comparison)
    } else if case .constant(let constant) = comparison.left {
      left = try adapted(left, constant, to: right, comparison)
    }
    let isComparable =
      left.type == right.type || left.type.isUndecided || right.type.isUndecided
      || (left.type.isNumeric && right.type.isNumeric)
    guard isComparable else { throw mismatch(comparison, left, right) }
    if left.type == .text, right.type == .text {
      left.sql = TextFolding.folded(left.sql, comparison.options)
      right.sql = TextFolding.folded(right.sql, comparison.options)
    } else {
      try refuseOptions(of: comparison)
    }
    return (left, right)
  }

  private func adapted(
    _ value: TypedValue,
    _ constant: Expression.Constant,
    to other: TypedValue,
    _ comparison: Predicate.Comparison
  ) throws(ExpressionFault) -> TypedValue {
    guard let adapted = Self.adapted(constant, value, to: other.type) else {
      throw mismatch(comparison, value, other)
    }
    return adapted
  }

  // MARK: - Faults

  func refuseOptions(of comparison: Predicate.Comparison) throws(ExpressionFault) {
    guard comparison.options == Predicate.Options() else {
      throw .unsupported("\"\(comparison)\" has options", hint: "Only texts have options.")
    }
  }

  func mismatch(
    _ comparison: Predicate.Comparison,
    _ left: TypedValue,
    _ right: TypedValue
  ) -> ExpressionFault {
    .incompatible(
      "\(comparison)",
      detail: "The left side is \(left.type.words), the right side \(right.type.words)."
    )
  }
}

extension Expression {
  fileprivate var isConstant: Bool {
    switch self {
    case .constant: true
    case .cast(let operand, _), .negation(let operand): operand.isConstant
    case .keyPath, .variable, .evaluatedObject, .function, .arithmetic, .accessor, .list, .element,
      .ternary, .subquery, .fetch, .destinationInstances, .lookup, .sql, .policyCall,
      .nonNilValueOrDefault:
      false
    }
  }
}

extension ValueType {
  /// A Boolean value that indicates whether it can be compared with any other.
  fileprivate var isUndecided: Bool { self == .null || self == .unknown }
}
