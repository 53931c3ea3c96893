internal import ModelMapping
internal import ObjectModel
internal import SQLSyntax

/// One value of many.
extension RowExpression {
  mutating func aggregate(
    _ function: Expression.Function,
    over expression: Expression,
    _ whole: Expression
  ) throws(ExpressionFault) -> TypedValue {
    try requireMapping(whole)
    guard let collection = try open(counting: expression) else {
      throw .unsupported(
        "\"\(expression)\" is one value",
        hint: "Give \"\(function.rawValue)\" a list, as {1, 2}, or a to-many relationship."
      )
    }
    defer { close(collection) }
    let word: SQLFragment = collection.isDistinct ? "DISTINCT " : ""
    if function == .count, !collection.isDistinct {
      return TypedValue(
        sql: "(SELECT count(*)\(collection.origin))",
        type: .integer,
        columnType: "bigint"
      )
    }
    let element = try value(collection.element)
    let (call, type, columnType) = try result(function, of: element, word, whole)
    let sql: SQLFragment = "(SELECT \(call)\(collection.origin))"
    return TypedValue(sql: sql, type: type, columnType: columnType)
  }

  /// A fetch that counts is one value, but what it counts is many.
  private mutating func open(
    counting expression: Expression
  ) throws(ExpressionFault) -> OpenCollection? {
    guard case .fetch(var fetch) = expression else { return try open(expression) }
    fetch.countsOnly = false
    return try open(.fetch(fetch))
  }

  private func result(
    _ function: Expression.Function,
    of element: TypedValue,
    _ word: SQLFragment,
    _ whole: Expression
  ) throws(ExpressionFault) -> (SQLFragment, ValueType, SQLTypeName?) {
    let isEmpty = element.type == .null
    let real = isEmpty ? "NULL::double precision" : element.sql(as: "double precision")
    switch function {
    case .count: return ("count(\(word)\(element.sql))", .integer, "bigint")
    case .sum, .average, .median, .standardDeviation:
      guard element.type.isNumeric || isEmpty else { throw mismatch(whole, element) }
    case .minimum, .maximum, .mode:
      guard element.type.isOrdered || isEmpty else { throw mismatch(whole, element) }
    case .add, .subtract, .multiply, .divide, .modulus, .power, .squareRoot, .logarithm,
      .naturalLogarithm, .exponential, .abs, .floor, .ceiling, .truncate, .bitwiseAnd, .bitwiseOr,
      .bitwiseXor, .leftShift, .rightShift, .onesComplement, .random, .randomBelow, .randomInteger,
      .canonical, .lowercase, .uppercase, .length, .concat, .trim, .substring, .replace, .split,
      .regexReplace, .now, .noIndex, .distance, .coalesce, .nullIf, .uuid, .json:
      throw mismatch(whole, element)
    }
    switch function {
    case .sum:
      if isEmpty { return ("coalesce(sum(NULL::integer), 0)", .integer, "bigint") }
      let sql = element.type == .double ? real : element.sql
      let columnType: SQLTypeName? = element.type == .double ? "double precision" : nil
      return ("coalesce(sum(\(word)\(sql)), 0)", element.type, columnType)
    case .average:
      let isExact = element.type == .decimal
      return (
        "avg(\(word)\(isExact ? element.sql : real))", isExact ? .decimal : .double,
        isExact ? "numeric" : "double precision"
      )
    case .median:
      return (
        "percentile_cont(0.5) WITHIN GROUP (ORDER BY \(real))", .double, "double precision"
      )
    case .standardDeviation:
      return ("stddev_pop(\(word)\(real))", .double, "double precision")
    case .minimum, .maximum, .mode:
      if isEmpty { return ("max(NULL::text)", .null, nil) }
      if function == .mode {
        return ("mode() WITHIN GROUP (ORDER BY \(element.sql))", element.type, element.columnType)
      }
      let name: SQLFragment = function == .minimum ? "min" : "max"
      return ("\(name)(\(element.sql))", element.type, element.columnType)
    case .count, .add, .subtract, .multiply, .divide, .modulus, .power, .squareRoot, .logarithm,
      .naturalLogarithm, .exponential, .abs, .floor, .ceiling, .truncate, .bitwiseAnd, .bitwiseOr,
      .bitwiseXor, .leftShift, .rightShift, .onesComplement, .random, .randomBelow, .randomInteger,
      .canonical, .lowercase, .uppercase, .length, .concat, .trim, .substring, .replace, .split,
      .regexReplace, .now, .noIndex, .distance, .coalesce, .nullIf, .uuid, .json:
      throw mismatch(whole, element)
    }
  }

  // MARK: - One of many

  mutating func element(
    of expression: Expression,
    _ position: Expression.ElementPosition,
    _ whole: Expression
  ) throws(ExpressionFault) -> TypedValue {
    try requireMapping(whole)
    if position == .size { return try aggregate(.count, over: expression, whole) }
    let outer = depth
    guard let collection = try open(expression) else {
      throw .unsupported("\"\(expression)\" is one value", hint: "Leave the brackets away.")
    }
    defer { close(collection) }
    guard collection.order != nil, !collection.isDistinct else {
      throw .unsupported(
        "\"\(whole)\" takes one of many that have no order",
        hint: "Use an ordered relationship, @min or @max."
      )
    }
    let element = try value(collection.element)
    let offset: SQLFragment
    switch position {
    case .first, .last, .size: offset = ""
    case .index(let index):
      // The place does not depend on the rows that it is a place among.
      let inner = depth
      depth = outer
      offset = " OFFSET \(try integer(index, in: whole).sql)"
      depth = inner
    }
    let ordering = collection.ordering(isReversed: position == .last)
    return TypedValue(
      sql: "(SELECT \(element.sql)\(collection.origin)\(ordering)\(offset) LIMIT 1)",
      type: element.type,
      columnType: element.columnType
    )
  }
}
