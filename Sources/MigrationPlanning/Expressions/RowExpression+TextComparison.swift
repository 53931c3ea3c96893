internal import ModelMapping
internal import SQLSyntax

/// What is said of texts; of null none of it is true.
extension RowExpression {
  mutating func textual(
    _ comparison: Predicate.Comparison
  ) throws(ExpressionFault) -> SQLFragment {
    let left = try value(comparison.left)
    let right = try value(comparison.right)
    if left.type == .null || right.type == .null { return "false" }
    for value in [left, right] where value.type != .text && value.type != .unknown {
      throw mismatch(comparison, left, right)
    }
    let text = TextFolding.folded(left.sql, comparison.options)
    let other = TextFolding.folded(right.sql, comparison.options)
    switch comparison.comparator {
    case .beginsWith: return "starts_with(\(text), \(other))"
    case .endsWith: return "starts_with(reverse(\(text)), reverse(\(other)))"
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
}
