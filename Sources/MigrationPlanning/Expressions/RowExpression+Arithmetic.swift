internal import ModelMapping
internal import ObjectModel
internal import SQLSyntax

/// Numbers.
extension RowExpression {
  /// Returns a value that has to be a number.
  mutating func number(
    _ operand: Expression,
    in whole: Expression
  ) throws(ExpressionFault) -> TypedValue {
    let value = try value(operand)
    guard value.type.isNumeric else { throw mismatch(whole, value) }
    return value
  }

  mutating func arithmetic(
    _ left: Expression,
    _ arithmeticOperator: Expression.ArithmeticOperator,
    _ right: Expression,
    _ whole: Expression
  ) throws(ExpressionFault) -> TypedValue {
    let left = try number(left, in: whole)
    let right = try number(right, in: whole)
    let common = Self.commonNumber([left.type, right.type])
    let symbol: SQLFragment
    switch arithmeticOperator {
    case .add: symbol = "+"
    case .subtract: symbol = "-"
    case .multiply: symbol = "*"
    case .divide: symbol = "/"
    case .power:
      let type: SQLTypeName = common.type == .decimal ? "numeric" : "double precision"
      return TypedValue(
        sql: "power(\(left.sql(as: type)), \(right.sql(as: type)))",
        type: common.type == .decimal ? .decimal : .double,
        columnType: type
      )
    }
    return TypedValue(
      sql: "(\(left.sql(as: common.columnType)) \(symbol) \(right.sql(as: common.columnType)))",
      type: common.type,
      columnType: common.columnType
    )
  }

  mutating func modulus(
    _ left: Expression,
    _ right: Expression,
    _ whole: Expression
  ) throws(ExpressionFault) -> TypedValue {
    let left = try number(left, in: whole)
    let right = try number(right, in: whole)
    let common = Self.commonNumber([left.type, right.type])
    // The server divides floating-point numbers with a remainder as decimals only.
    let type: SQLTypeName = common.type == .integer ? "bigint" : "numeric"
    let sql: SQLFragment = "mod(\(left.sql(as: type)), \(right.sql(as: type)))"
    guard common.type == .double else {
      return TypedValue(sql: sql, type: common.type, columnType: type)
    }
    return TypedValue(
      sql: "\(sql)::double precision",
      type: .double,
      columnType: "double precision"
    )
  }

  /// A function of floating-point numbers.
  mutating func real(
    _ name: SQLFragment,
    _ operand: Expression,
    _ whole: Expression
  ) throws(ExpressionFault) -> TypedValue {
    let value = try number(operand, in: whole)
    return TypedValue(
      sql: "\(name)(\(value.sql(as: "double precision")))",
      type: .double,
      columnType: "double precision"
    )
  }

  /// A function after which a number is whole; integers are already.
  mutating func rounding(
    _ name: SQLFragment,
    _ operand: Expression,
    _ whole: Expression
  ) throws(ExpressionFault) -> TypedValue {
    let value = try number(operand, in: whole)
    return value.type == .integer ? value : value.applying(name)
  }

  mutating func integer(
    _ operand: Expression,
    in whole: Expression
  ) throws(ExpressionFault) -> TypedValue {
    let value = try value(operand)
    guard value.type == .integer else { throw mismatch(whole, value) }
    return value
  }

  mutating func bitwise(
    _ symbol: SQLFragment,
    _ arguments: [Expression],
    rightType: SQLTypeName = "bigint",
    _ whole: Expression
  ) throws(ExpressionFault) -> TypedValue {
    let left = try integer(arguments[0], in: whole)
    let right = try integer(arguments[1], in: whole)
    return TypedValue(
      sql: "(\(left.sql(as: "bigint")) \(symbol) \(right.sql(as: rightType)))",
      type: .integer,
      columnType: "bigint"
    )
  }
}
