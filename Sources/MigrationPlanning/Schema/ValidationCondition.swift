internal import ObjectModel
internal import SQLSyntax

/// The conditions that an enforced validation sets.
enum ValidationCondition {
  /// Returns the condition on a column of values that are to be of a type; none if the validation
  /// accepts everything.
  static func condition(
    on column: SQLFragment,
    _ validation: AttributeValidation,
    of type: AttributeType
  ) throws(ExpressionFault) -> SQLFragment? {
    var conditions: [SQLFragment] = []
    if let bound = try bound(validation.minimum, of: type) {
      conditions.append("\(column) >= \(bound)")
    }
    if let bound = try bound(validation.maximum, of: type) {
      conditions.append("\(column) <= \(bound)")
    }
    let length = try length(of: column, validation, type)
    if let length, let minimum = validation.minimumLength {
      conditions.append("\(length) >= \(SQLLiteral.integer(Int64(minimum)))")
    }
    if let length, let maximum = validation.maximumLength {
      conditions.append("\(length) <= \(SQLLiteral.integer(Int64(maximum)))")
    }
    if let pattern = validation.pattern {
      guard ValueType(type) == .text else { throw unenforceable("pattern", type) }
      let expression = try RegularExpression(pattern)
      conditions.append("\(column) ~ \(SQLLiteral.text(expression.pattern))")
    }
    guard !conditions.isEmpty else { return nil }
    return conditions.count == 1 ? conditions[0] : "(\(conditions.joined(separator: " AND ")))"
  }

  private static func bound(
    _ digits: String?,
    of type: AttributeType
  ) throws(ExpressionFault) -> SQLLiteral? {
    guard let digits else { return nil }
    switch ValueType(type) {
    case .integer, .decimal: return .number(digits, of: "numeric")
    case .double: return .number(digits, of: "double precision")
    case .date:
      guard let value = AttributeValue(digits, of: .date) else {
        throw unenforceable("bound", type)
      }
      return value.literal(of: "timestamp with time zone")
    case .other(.calendarDate):
      throw .unsupported(
        "A bound is a number, and values of type \(type) are none",
        hint:
          "Write a check of the entity, such as checks: { NAME: \"COLUMN >= DATE '2001-01-31'\" }, "
          + "or leave \"enforced\" away: the application checks."
      )
    case .text, .boolean, .reference, .null, .unknown, .other: throw unenforceable("bound", type)
    }
  }

  private static func length(
    of column: SQLFragment,
    _ validation: AttributeValidation,
    _ type: AttributeType
  ) throws(ExpressionFault) -> SQLFragment? {
    guard validation.minimumLength != nil || validation.maximumLength != nil else { return nil }
    switch ValueType(type) {
    case .text: return "char_length(\(column))"
    case .other(.binary), .other(.transformable): return "octet_length(\(column))"
    case .integer, .decimal, .double, .boolean, .date, .reference, .null, .unknown, .other:
      throw unenforceable("length", type)
    }
  }

  private static func unenforceable(_ what: String, _ type: AttributeType) -> ExpressionFault {
    .unsupported(
      "A value of type \(type) has no \(what) that could be enforced",
      hint: "Leave it away, or leave \"enforced\" away: the application checks."
    )
  }
}
