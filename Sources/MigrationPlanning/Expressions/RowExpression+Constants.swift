internal import ModelMapping
internal import ObjectModel
internal import SQLSyntax

/// Constants, and what becomes of values that have to be of one type.
extension RowExpression {
  static func value(of constant: Expression.Constant) -> TypedValue {
    switch constant {
    case .number(let digits):
      if let integer = Int64(digits) {
        let isSmall = Int32(exactly: integer) != nil
        return TypedValue(
          sql: "\(SQLLiteral.integer(integer))",
          type: .integer,
          columnType: isSmall ? "integer" : "bigint"
        )
      }
      return TypedValue(
        sql: "\(SQLLiteral.typed(digits, "numeric"))",
        type: .decimal,
        columnType: "numeric"
      )
    case .string(let text):
      return TypedValue(sql: "\(SQLLiteral.typed(text, "text"))", type: .text, columnType: "text")
    case .boolean(let value):
      return TypedValue(sql: "\(SQLLiteral.boolean(value))", type: .boolean, columnType: "boolean")
    case .null: return TypedValue(sql: "NULL", type: .null)
    }
  }

  /// Returns a constant as one of another type, 1 for true, a text for a UUID; or nothing if it is
  /// none.
  static func adapted(
    _ constant: Expression.Constant,
    _ value: TypedValue,
    to other: ValueType
  ) -> TypedValue? {
    let type: AttributeType
    let text: String
    switch (other, constant) {
    case (.boolean, .number(let digits)): (type, text) = (.boolean, digits)
    case (.other(let own), .string(let string)): (type, text) = (own, string)
    default:
      // Pairs of a type and a constant: all others go together as they are, or not at all.
      return value
    }
    guard let columnType = type.columnType, let adapted = AttributeValue(text, of: type) else {
      return nil
    }
    return TypedValue(
      sql: "\(adapted.literal(of: columnType))",
      type: other,
      columnType: columnType
    )
  }

  // MARK: - One type

  /// Returns the type that arithmetic over several numbers gives.
  static func commonNumber(_ types: [ValueType]) -> (type: ValueType, columnType: SQLTypeName) {
    if types.contains(.double) { return (.double, "double precision") }
    if types.contains(.decimal) { return (.decimal, "numeric") }
    // Small integers are computed in the widest type, as Foundation does.
    return (.integer, "bigint")
  }

  /// Returns values as values of one type, constants adapted to the others.
  func unified(
    _ expressions: [Expression],
    _ values: [TypedValue],
    in whole: Expression
  ) throws(ExpressionFault) -> (values: [SQLFragment], type: ValueType, columnType: SQLTypeName?) {
    let known = values.filter { $0.type != .null && $0.type != .unknown }
    guard let first = known.first else {
      return (values.map(\.sql), values.contains { $0.type == .unknown } ? .unknown : .null, nil)
    }
    if known.allSatisfy(\.type.isNumeric) {
      if Set(known.map(\.columnType)).count == 1, first.columnType != nil {
        return (values.map(\.sql), first.type, first.columnType)
      }
      let common = Self.commonNumber(known.map(\.type))
      return (values.map { $0.sql(as: common.columnType) }, common.type, common.columnType)
    }
    let model =
      zip(expressions, values).first { expression, value in
        known.contains { $0.type == value.type } && !expression.isLiteral
      }?.1 ?? first
    var adapted: [TypedValue] = []
    for (expression, value) in zip(expressions, values) {
      var value = value
      if case .constant(let constant) = expression {
        guard let other = Self.adapted(constant, value, to: model.type) else {
          throw mismatch(whole, value)
        }
        value = other
      }
      guard [model.type, .null, .unknown].contains(value.type) else {
        throw .incompatible(
          "\(whole)",
          detail: "A part of it is \(model.type.words), another \(value.type.words)."
        )
      }
      adapted.append(value)
    }
    let columnTypes = Set(adapted.filter { $0.type == model.type }.map(\.columnType))
    return (adapted.map(\.sql), model.type, columnTypes.count == 1 ? model.columnType : nil)
  }

  mutating func choose(
    _ condition: Predicate,
    _ first: Expression,
    _ second: Expression,
    _ whole: Expression
  ) throws(ExpressionFault) -> TypedValue {
    let condition = try self.condition(condition)
    let values = [try value(first), try value(second)]
    let common = try unified([first, second], values, in: whole)
    return TypedValue(
      sql: "(CASE WHEN \(condition) THEN \(common.values[0]) ELSE \(common.values[1]) END)",
      type: common.type,
      columnType: common.columnType
    )
  }
}

extension Expression {
  /// A Boolean value that indicates whether the expression is nothing but a constant.
  var isLiteral: Bool {
    if case .constant = self { true } else { false }
  }
}
