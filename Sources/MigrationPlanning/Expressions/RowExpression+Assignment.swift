internal import ModelMapping
internal import ObjectModel
internal import SQLSyntax

/// Values as those of an attribute of the destination.
extension RowExpression {
  /// Returns the value of an expression as one of an attribute.
  ///
  /// Numbers are converted among one another as Foundation does when they are assigned: to an integer
  /// without their fractions, to a Boolean by whether they are 0. The server checks the range.
  ///
  /// - Throws: Why there is none.
  mutating func assignment(
    _ expression: Expression,
    to attribute: AttributeDescription
  ) throws(ExpressionFault) -> SQLFragment {
    guard let type = attribute.type.columnType else {
      throw .unassignable(
        "one value",
        attribute: attribute.name,
        type: "\(attribute.type)",
        castName: nil
      )
    }
    switch expression {
    case .constant(let constant): return try literal(constant, of: attribute, type)
    case .ternary(let condition, let first, let second):
      let condition = try self.condition(condition)
      let first = try assignment(first, to: attribute)
      let second = try assignment(second, to: attribute)
      return "(CASE WHEN \(condition) THEN \(first) ELSE \(second) END)"
    case .nonNilValueOrDefault(let name):
      let value = try assignment(.keyPath(KeyPathExpression([name])), to: attribute)
      guard let fallback = attribute.defaultValue else { return value }
      return "coalesce(\(value), \(fallback.literal(of: type)))"
    case .keyPath, .variable, .evaluatedObject, .function, .negation, .arithmetic, .cast, .accessor,
      .list, .element, .subquery, .fetch, .destinationInstances, .lookup, .sql, .policyCall:
      if case .array(let element) = attribute.type, let array = try array(expression, of: element) {
        return array
      }
      return try computed(expression, for: attribute, type)
    }
  }

  private func literal(
    _ constant: Expression.Constant,
    of attribute: AttributeDescription,
    _ type: SQLTypeName
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
      throw unassignable(Self.value(of: constant), to: attribute)
    }
    return "\(value.literal(of: type))"
  }

  private mutating func computed(
    _ expression: Expression,
    for attribute: AttributeDescription,
    _ type: SQLTypeName
  ) throws(ExpressionFault) -> SQLFragment {
    let value = try value(expression)
    let result: TypedValue
    do {
      result = try converted(value, to: attribute.type, .implicit, expression)
    } catch {
      throw unassignable(value, to: attribute)
    }
    let isKept = result.columnType == type || result.type == .text
    return isKept ? result.sql : "\(result.sql)::\(type)"
  }

  private func unassignable(
    _ value: TypedValue,
    to attribute: AttributeDescription
  ) -> ExpressionFault {
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

  /// Returns many values as an array; nothing if the expression gives one value.
  private mutating func array(
    _ expression: Expression,
    of type: AttributeType
  ) throws(ExpressionFault) -> SQLFragment? {
    guard let collection = try open(expression) else { return nil }
    defer { close(collection) }
    let element = try converted(value(collection.element), to: type, .implicit, expression)
    if collection.isDistinct { return "ARRAY(SELECT DISTINCT \(element.sql)\(collection.origin))" }
    return "ARRAY(SELECT \(element.sql)\(collection.origin)\(collection.ordering()))"
  }
}
