internal import ModelMapping
internal import ObjectModel
internal import SQLSyntax

/// Conditions mean what they mean in Foundation: they hold or they do not, whatever is null.
///
/// In SQL a condition over nulls is neither true nor false. Where only rows count for which it is true
/// that is the same, so denials are carried down to the comparisons, which know what to do.
extension RowExpression {
  mutating func condition(_ predicate: Predicate) throws(ExpressionFault) -> SQLFragment {
    try condition(predicate, isDenied: false)
  }

  static func parsed(predicate text: String) throws(ExpressionFault) -> Predicate {
    do {
      return try Predicate(parsing: text)
    } catch {
      throw .unreadable(error.diagnostic)
    }
  }

  private mutating func condition(
    _ predicate: Predicate,
    isDenied: Bool
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

  // MARK: - Comparisons

  private mutating func compare(
    _ comparison: Predicate.Comparison,
    isDenied: Bool
  ) throws(ExpressionFault) -> SQLFragment {
    switch comparison.comparator {
    case .equal: return try equality(comparison, isEqual: !isDenied)
    case .notEqual: return try equality(comparison, isEqual: isDenied)
    case .less: return try order(comparison, "<", isDenied)
    case .lessOrEqual: return try order(comparison, "<=", isDenied)
    case .greater: return try order(comparison, ">", isDenied)
    case .greaterOrEqual: return try order(comparison, ">=", isDenied)
    case .between: return denied(try between(comparison), isDenied)
    case .isIn: return denied(try membership(comparison), isDenied)
    case .contains, .beginsWith, .endsWith, .like, .matches:
      return denied(try textual(comparison), isDenied)
    }
  }

  private func denied(_ condition: SQLFragment, _ isDenied: Bool) -> SQLFragment {
    isDenied ? "((\(condition)) IS NOT TRUE)" : condition
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
    guard left.type.isOrdered, right.type.isOrdered else { throw mismatch(comparison, left, right) }
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

  private mutating func membership(
    _ comparison: Predicate.Comparison
  ) throws(ExpressionFault) -> SQLFragment {
    guard case .list(let elements) = comparison.right else {
      throw .unsupported("\"\(comparison)\" has no list", hint: "Write IN {1, 2}.")
    }
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
      left.type == right.type || left.type == .null || right.type == .null
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

  /// Returns a constant as one of the other side's type: 1 for true, a text for a UUID.
  private func adapted(
    _ value: TypedValue,
    _ constant: Expression.Constant,
    to other: TypedValue,
    _ comparison: Predicate.Comparison
  ) throws(ExpressionFault) -> TypedValue {
    let type: AttributeType
    switch (other.type, constant) {
    case (.boolean, .number): type = .boolean
    case (.other(let own), .string): type = own
    default:
      // Pairs of a type and a constant: all others go together as they are, or not at all.
      return value
    }
    let text =
      switch constant {
      case .number(let text), .string(let text): text
      case .boolean, .null: ""
      }
    guard let columnType = type.columnType, let adapted = AttributeValue(text, of: type) else {
      throw mismatch(comparison, value, other)
    }
    return TypedValue(
      sql: "\(adapted.literal(of: columnType))",
      type: other.type,
      columnType: columnType
    )
  }

  // MARK: - Texts

  private mutating func textual(
    _ comparison: Predicate.Comparison
  ) throws(ExpressionFault) -> SQLFragment {
    let left = try value(comparison.left)
    let right = try value(comparison.right)
    guard left.type == .text, right.type == .text else { throw mismatch(comparison, left, right) }
    let text = TextFolding.folded(left.sql, comparison.options)
    let other = TextFolding.folded(right.sql, comparison.options)
    switch comparison.comparator {
    case .beginsWith: return "starts_with(\(text), \(other))"
    case .endsWith: return "(right(\(text), char_length(\(other))) = \(other))"
    case .contains: return "(strpos(\(text), \(other)) > 0)"
    case .like:
      let pattern = TextFolding.folded(
        "\(SQLLiteral.typed(Self.likePattern(try constant(comparison)), "text"))",
        comparison.options
      )
      return "(\(text) LIKE \(pattern))"
    case .matches:
      if comparison.options.ignoresDiacritics {
        throw .unsupported(
          "\"\(comparison)\" ignores marks in a regular expression",
          hint: "Leave \"d\" away, and list the letters in brackets."
        )
      }
      var expression = try RegularExpression(constant(comparison))
      if comparison.options.ignoresCase { expression.ignoresCase = true }
      return "(\(left.sql) ~ \(SQLLiteral.typed(expression.pattern, "text")))"
    case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .between, .isIn:
      throw mismatch(comparison, left, right)
    }
  }

  private func constant(_ comparison: Predicate.Comparison) throws(ExpressionFault) -> String {
    guard case .constant(.string(let text)) = comparison.right else {
      throw .unsupported(
        "\"\(comparison)\" has a pattern that is no constant",
        hint: "Write the pattern in quotes."
      )
    }
    return text
  }

  /// Returns a pattern of LIKE for one with `*` and `?`.
  private static func likePattern(_ glob: String) -> String {
    var pattern = ""
    var isEscaped = false
    for character in glob {
      if isEscaped {
        pattern += "\\\(character)"
        isEscaped = false
      } else {
        switch character {
        case "\\": isEscaped = true
        case "*": pattern += "%"
        case "?": pattern += "_"
        case "%", "_": pattern += "\\\(character)"
        default: pattern.append(character)
        }
      }
    }
    return isEscaped ? pattern + "\\\\" : pattern
  }

  // MARK: - Faults

  private func refuseOptions(of comparison: Predicate.Comparison) throws(ExpressionFault) {
    guard comparison.options == Predicate.Options() else {
      throw .unsupported("\"\(comparison)\" has options", hint: "Only texts have options.")
    }
  }

  private func mismatch(
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
    case .constant, .cast: true
    case .negation(let operand): operand.isConstant
    case .keyPath, .function, .arithmetic, .list: false
    }
  }
}
