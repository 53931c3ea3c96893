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

  mutating func condition(
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

  func denied(_ condition: SQLFragment, _ isDenied: Bool) -> SQLFragment {
    isDenied ? "((\(condition)) IS NOT TRUE)" : condition
  }
}
