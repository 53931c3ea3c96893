internal import ModelMapping
internal import ObjectModel
internal import SQLSyntax

/// The predefined functions; of what a null is an argument, the result is null, but where it says so.
extension RowExpression {
  mutating func call(
    _ function: Expression.Function,
    _ arguments: [Expression],
    _ whole: Expression
  ) throws(ExpressionFault) -> TypedValue {
    guard function.argumentCounts.contains(arguments.count) else {
      throw .unsupported(
        "\"\(whole)\" has another number of arguments than the function takes",
        hint: "Give it as many as it takes."
      )
    }
    switch function {
    case .sum, .count, .minimum, .maximum, .average, .median, .mode, .standardDeviation:
      return try aggregate(function, over: arguments[0], whole)
    case .add: return try arithmetic(arguments[0], .add, arguments[1], whole)
    case .subtract: return try arithmetic(arguments[0], .subtract, arguments[1], whole)
    case .multiply: return try arithmetic(arguments[0], .multiply, arguments[1], whole)
    case .divide: return try arithmetic(arguments[0], .divide, arguments[1], whole)
    case .power: return try arithmetic(arguments[0], .power, arguments[1], whole)
    case .modulus: return try modulus(arguments[0], arguments[1], whole)
    case .squareRoot: return try real("sqrt", arguments[0], whole)
    case .logarithm: return try real("log", arguments[0], whole)
    case .naturalLogarithm: return try real("ln", arguments[0], whole)
    case .exponential: return try real("exp", arguments[0], whole)
    case .abs: return try number(arguments[0], in: whole).applying("abs")
    case .floor: return try rounding("floor", arguments[0], whole)
    case .ceiling: return try rounding("ceiling", arguments[0], whole)
    case .truncate: return try rounding("trunc", arguments[0], whole)
    case .bitwiseAnd: return try bitwise("&", arguments, whole)
    case .bitwiseOr: return try bitwise("|", arguments, whole)
    case .bitwiseXor: return try bitwise("#", arguments, whole)
    case .leftShift: return try bitwise("<<", arguments, rightType: "integer", whole)
    case .rightShift: return try bitwise(">>", arguments, rightType: "integer", whole)
    case .onesComplement:
      let value = try integer(arguments[0], in: whole)
      return TypedValue(sql: "(~ \(value.sql))", type: .integer, columnType: value.columnType)
    case .random, .randomBelow, .randomInteger, .uuid:
      return try random(function, arguments, whole)
    case .canonical, .lowercase, .uppercase, .length, .concat, .trim, .substring, .replace, .split,
      .regexReplace:
      return try textual(function, arguments, whole)
    case .now:
      readsClock = true
      return TypedValue(sql: "now()", type: .date, columnType: AttributeType.date.columnType)
    case .noIndex: return try value(arguments[0])
    case .distance:
      throw .unsupported(
        "\"\(whole)\" is a distance on the globe, which the server has no function for",
        hint: "Write it as SQL(\"…\"), with PostGIS or with arithmetic over degrees."
      )
    case .coalesce: return try coalesce(arguments, whole)
    case .nullIf:
      let values = [try value(arguments[0]), try value(arguments[1])]
      let common = try unified(arguments, values, in: whole)
      return TypedValue(
        sql: "nullif(\(common.values[0]), \(common.values[1]))",
        type: common.type,
        columnType: common.columnType
      )
    case .json: return try json(arguments, whole)
    }
  }

  private mutating func random(
    _ function: Expression.Function,
    _ arguments: [Expression],
    _ whole: Expression
  ) throws(ExpressionFault) -> TypedValue {
    try requireMapping(whole)
    isVolatile = true
    if function == .uuid {
      return TypedValue(sql: "gen_random_uuid()", type: .other(.uuid), columnType: "uuid")
    }
    guard let limit = arguments.first else {
      return TypedValue(sql: "random()", type: .double, columnType: "double precision")
    }
    let value = try number(limit, in: whole)
    return TypedValue(
      sql: "floor(random() * \(value.sql))::bigint",
      type: .integer,
      columnType: "bigint"
    )
  }

  private mutating func coalesce(
    _ arguments: [Expression],
    _ whole: Expression
  ) throws(ExpressionFault) -> TypedValue {
    var values: [TypedValue] = []
    for argument in arguments { values.append(try value(argument)) }
    let common = try unified(arguments, values, in: whole)
    return TypedValue(
      sql: "coalesce(\(common.values.joined(separator: ", ")))",
      type: common.type,
      columnType: common.columnType
    )
  }

  /// With keys, what is there as text; an integer as a key is a position from 0.
  private mutating func json(
    _ arguments: [Expression],
    _ whole: Expression
  ) throws(ExpressionFault) -> TypedValue {
    let document = try value(arguments[0])
    let sql: SQLFragment
    switch document.type {
    case .other(.json), .null, .unknown: sql = "\(document.sql)::jsonb"
    case .text: sql = "\(document.sql)::jsonb"
    case .integer, .decimal, .double, .boolean, .date, .other:
      try requireMapping(whole)
      sql = "to_jsonb(\(document.sql))"
    case .reference: throw mismatch(whole, document)
    }
    guard arguments.count > 1 else {
      return TypedValue(sql: "(\(sql))", type: .other(.json), columnType: "jsonb")
    }
    var keys: [SQLFragment] = []
    for argument in arguments.dropFirst() {
      let key = try value(argument)
      guard key.type == .text || key.type == .integer else { throw mismatch(whole, key) }
      keys.append("(\(key.sql))::text")
    }
    let path = keys.joined(separator: ", ")
    return TypedValue(sql: "((\(sql)) #>> ARRAY[\(path)])", type: .text, columnType: "text")
  }
}
