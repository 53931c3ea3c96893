internal import ModelMapping
internal import ObjectModel
internal import SQLSyntax

/// A comparison of two values.
///
/// Predicates have Foundation's meaning: they are true or false, even with nulls.
struct ValueComparison {
  let comparison: Predicate.Comparison
  let left: TypedValue
  let right: TypedValue

  /// Returns the condition, or that it does not hold.
  func condition(isDenied: Bool) throws(ExpressionFault) -> SQLFragment {
    switch comparison.comparator {
    case .equal: try equality(isEqual: !isDenied)
    case .notEqual: try equality(isEqual: isDenied)
    case .less: try order("<", isDenied)
    case .lessOrEqual: try order("<=", isDenied)
    case .greater: try order(">", isDenied)
    case .greaterOrEqual: try order(">=", isDenied)
    case .contains, .beginsWith, .endsWith, .like, .matches: Self.denied(try textual(), isDenied)
    case .between, .isIn: throw mismatch
    }
  }

  /// Returns that a condition does not hold, if it is denied; a null is no such condition either.
  static func denied(_ condition: SQLFragment, _ isDenied: Bool) -> SQLFragment {
    isDenied ? "((\(condition)) IS NOT TRUE)" : condition
  }

  private func equality(isEqual: Bool) throws(ExpressionFault) -> SQLFragment {
    let (left, right) = try adapted()
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

  private func order(
    _ symbol: SQLFragment,
    _ isDenied: Bool
  ) throws(ExpressionFault) -> SQLFragment {
    let (left, right) = try adapted()
    // Nothing is less than null, or greater.
    if left.type == .null || right.type == .null { return "\(SQLLiteral.boolean(isDenied))" }
    for value in [left, right] where !value.type.isOrdered && value.type != .unknown {
      throw mismatch
    }
    return Self.denied("(\(left.sql) \(symbol) \(right.sql))", isDenied)
  }

  /// Returns both sides as values that can be compared.
  private func adapted() throws(ExpressionFault) -> (TypedValue, TypedValue) {
    var (left, right) = (left, right)
    if case .constant(let constant) = comparison.right {
      guard let adapted = right.adapted(constant, to: left.type) else { throw mismatch }
      right = adapted
    } else if case .constant(let constant) = comparison.left {
      guard let adapted = left.adapted(constant, to: right.type) else { throw mismatch }
      left = adapted
    }
    let isComparable =
      left.type == right.type || left.type.isUndecided || right.type.isUndecided
      || (left.type.isNumeric && right.type.isNumeric)
    guard isComparable else { throw mismatch }
    if left.type == .text, right.type == .text {
      plainTexts(&left, &right)
      left.sql = TextFolding.folded(left.sql, comparison.options)
      right.sql = TextFolding.folded(right.sql, comparison.options)
    } else if comparison.options != Predicate.Options() {
      throw .unsupported("\"\(comparison)\" has options", hint: "Only texts have options.")
    }
    return (left, right)
  }

  /// Writes a constant without its type beside a column of texts, which the server reads it as.
  private func plainTexts(_ left: inout TypedValue, _ right: inout TypedValue) {
    guard comparison.options == Predicate.Options() else { return }
    let types = ["text", "character varying"]
    func isPlain(_ value: TypedValue) -> Bool {
      value.columnType.map { types.contains($0.parts.name) && $0.family == .text } ?? false
    }
    if case .constant(.string(let text)) = comparison.right, isPlain(left) {
      right.sql = "\(SQLLiteral.text(text))"
    } else if case .constant(.string(let text)) = comparison.left, isPlain(right) {
      left.sql = "\(SQLLiteral.text(text))"
    }
  }

  private var mismatch: ExpressionFault {
    .incompatible(
      "\(comparison)",
      detail: "The left side is \(left.type.words), the right side \(right.type.words)."
    )
  }

  // MARK: - Texts

  /// A comparison of texts, false for null.
  private func textual() throws(ExpressionFault) -> SQLFragment {
    if left.type == .null || right.type == .null { return "false" }
    for value in [left, right] where value.type != .text && value.type != .unknown {
      throw mismatch
    }
    let text = TextFolding.folded(left.sql, comparison.options)
    let other = TextFolding.folded(right.sql, comparison.options)
    switch comparison.comparator {
    case .beginsWith: return "starts_with(\(text), \(other))"
    case .endsWith: return "starts_with(reverse(\(text)), reverse(\(other)))"
    case .contains: return "(strpos(\(text), \(other)) > 0)"
    case .like:
      let pattern = TextFolding.folded(
        "\(SQLLiteral.typed(Self.likePattern(try constant), "text"))",
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
      var expression = try RegularExpression(constant)
      if comparison.options.ignoresCase { expression.ignoresCase = true }
      return "(\(left.sql) ~ \(SQLLiteral.typed(expression.pattern, "text")))"
    case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .between, .isIn:
      throw mismatch
    }
  }

  private var constant: String {
    get throws(ExpressionFault) {
      guard case .constant(.string(let text)) = comparison.right else {
        throw .unsupported(
          "\"\(comparison)\" has a pattern that is no constant",
          hint: "Write the pattern in quotes."
        )
      }
      return text
    }
  }

  /// Returns a pattern of LIKE for one with `*` and `?`.
  private static func likePattern(_ glob: String) -> String {
    var pattern = ""
    var isEscaped = false
    for scalar in glob.unicodeScalars {
      if isEscaped {
        pattern += "\\\(scalar)"
        isEscaped = false
      } else {
        switch scalar {
        case "\\": isEscaped = true
        case "*": pattern += "%"
        case "?": pattern += "_"
        case "%", "_": pattern += "\\\(scalar)"
        default: pattern.unicodeScalars.append(scalar)
        }
      }
    }
    return isEscaped ? pattern + "\\\\" : pattern
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

extension Predicate.Comparison {
  /// Returns a comparison of other sides with the same options.
  func with(
    _ left: Expression,
    _ comparator: Predicate.Comparator,
    _ right: Expression
  ) -> Predicate.Comparison {
    Predicate.Comparison(left, comparator, right, options: options)
  }
}
