internal import ModelMapping
internal import ObjectModel
internal import SQLSyntax

/// Makes values those of an attribute of the destination.
///
/// Numbers are converted among one another as Foundation does when they are assigned: to an integer
/// without their fractions, to a Boolean by whether they are 0. The server checks the range.
struct AttributeAssignment {
  private let attribute: AttributeDescription
  private let type: SQLTypeName

  init(to attribute: AttributeDescription) throws(ExpressionFault) {
    guard let type = attribute.type.columnType else {
      throw .unassignable(
        "one value",
        attribute: attribute.name,
        type: "\(attribute.type)",
        castName: nil
      )
    }
    self.attribute = attribute
    self.type = type
  }

  /// Returns a value, or the default of the attribute if it is null.
  func orDefault(_ value: SQLFragment) -> SQLFragment {
    attribute.defaultValue.map { "coalesce(\(value), \($0.assigned(to: type)))" } ?? value
  }

  func literal(
    _ constant: Expression.Constant
  ) throws(ExpressionFault) -> SQLFragment {
    let target = ValueType(attribute.type)
    let value: AttributeValue?
    switch constant {
    case .null: return "NULL::\(type)"
    case .boolean(let boolean):
      let text = boolean ? "1" : "0"
      value =
        target == .boolean || target.isNumeric ? AttributeValue(text, of: attribute.type) : nil
    case .number(let digits):
      switch target {
      case .integer, .decimal, .double, .boolean:
        let whole = target == .integer ? digits.prefix { $0 != "." } : digits[...]
        value = AttributeValue(String(whole), of: attribute.type)
      case .text, .date, .reference, .null, .unknown, .other: value = nil
      }
    case .string(let text):
      switch target {
      case .text, .other: value = AttributeValue(text, of: attribute.type)
      case .integer, .decimal, .double, .boolean, .date, .reference, .null, .unknown: value = nil
      }
    }
    guard let value else {
      throw unassignable(TypedValue(constant))
    }
    return "\(value.literal(of: type))"
  }

  /// Returns the value of an expression as one of the attribute.
  func assigned(
    _ value: TypedValue,
    _ expression: Expression,
    _ breadth: ExpressionBreadth
  ) throws(ExpressionFault) -> SQLFragment {
    let result: TypedValue
    do {
      result = try ValueConversion(expression, breadth, isExplicit: false)
        .converted(value, to: attribute.type)
    } catch {
      throw unassignable(value)
    }
    let isKept = result.columnType == type || result.type == .text
    return isKept ? result.sql : "\(result.sql)::\(type)"
  }

  private func unassignable(_ value: TypedValue) -> ExpressionFault {
    let castName: String?
    let target = ValueType(attribute.type)
    switch (value.type, target) {
    case (.reference, _), (_, .reference): castName = nil
    // Of the right kind, but none of the attribute's values.
    case (_, _) where value.type == target || value.type.isNumeric && target.isNumeric:
      castName = nil
    case (_, .text): castName = "NSString"
    case (_, .integer), (_, .decimal), (_, .double): castName = "NSNumber"
    case (_, .date): castName = "NSDate"
    case (_, .boolean), (_, .other), (_, .null), (_, .unknown): castName = "\(attribute.type)"
    }
    return .unassignable(
      value.type.words,
      attribute: attribute.name,
      type: "\(attribute.type)",
      castName: castName
    )
  }
}
