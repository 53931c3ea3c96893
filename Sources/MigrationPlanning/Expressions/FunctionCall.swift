internal import ModelMapping
internal import ObjectModel
internal import SQLSyntax

/// A predefined function of values.
///
/// If an argument is null, the result is null, except for some functions. Positions in texts count
/// from 0.
struct FunctionCall {
  let function: Expression.Function
  let arguments: [Expression]
  let values: [TypedValue]
  let whole: Expression
  let breadth: ExpressionBreadth

  func result() throws(ExpressionFault) -> TypedValue {
    switch function {
    case .add: return try arithmetic("+")
    case .subtract: return try arithmetic("-")
    case .multiply: return try arithmetic("*")
    case .divide: return try arithmetic("/")
    case .modulus: return try modulus()
    case .power:
      let (left, right, common) = try numbers()
      let isExact = common.type == .decimal
      let type: SQLTypeName = isExact ? "numeric" : "double precision"
      return TypedValue(
        "power(\(left.sql(as: type)), \(right.sql(as: type)))",
        isExact ? .decimal : .double,
        type
      )
    case .squareRoot: return try real("sqrt")
    case .logarithm: return try real("log")
    case .naturalLogarithm: return try real("ln")
    case .exponential: return try real("exp")
    case .abs: return TypedValue("abs(\(try number(0).sql))", values[0].type)
    case .floor: return try rounding("floor")
    case .ceiling: return try rounding("ceiling")
    case .truncate: return try rounding("trunc")
    case .bitwiseAnd: return try bitwise("&")
    case .bitwiseOr: return try bitwise("|")
    case .bitwiseXor: return try bitwise("#")
    case .leftShift: return try bitwise("<<", rightType: "integer")
    case .rightShift: return try bitwise(">>", rightType: "integer")
    case .onesComplement:
      return TypedValue("(~ \(try integer(0).sql))", .integer, values[0].columnType)
    case .random: return TypedValue("random()", .double, "double precision")
    case .randomBelow, .randomInteger:
      return TypedValue("floor(random() * \(try number(0).sql))::bigint", .integer, "bigint")
    case .uuid: return TypedValue("gen_random_uuid()", .other(.uuid), "uuid")
    case .now: return TypedValue("now()", .date, AttributeType.date.columnType)
    case .noIndex: return values[0]
    case .distance:
      throw .unsupported(
        "\"\(whole)\" is a distance on the globe, which the server has no function for",
        hint: "Write it as SQL(\"…\"), with PostGIS or with arithmetic over degrees."
      )
    case .coalesce:
      let common = try UnifiedValues(arguments, values, in: whole)
      return common.value("coalesce(\(common.sql.joined(separator: ", ")))")
    case .nullIf:
      let common = try UnifiedValues(arguments, values, in: whole)
      return common.value("nullif(\(common.sql[0]), \(common.sql[1]))")
    case .json: return try json()
    case .canonical: return Self.text(TextFolding.canonical(try text(0)))
    case .lowercase: return Self.text("lower(\(try text(0)))")
    case .uppercase: return Self.text("upper(\(try text(0)))")
    case .length: return TypedValue("char_length(\(try text(0)))", .integer, "integer")
    case .concat: return Self.text(try concat())
    case .textSearch: return try textSearch()
    case .trim:
      let whitespace: SQLFragment = "\(SQLLiteral.text(" \t\n\r\u{0B}\u{0C}"))"
      let characters = values.count > 1 ? try text(1) : whitespace
      return Self.text("btrim(\(try text(0)), \(characters))")
    case .substring:
      let start: SQLFragment = "\(try text(0)), \(try position(1)) + 1"
      var length: SQLFragment = ""
      if values.count > 2 { length = ", \(try position(2))" }
      return Self.text("substr(\(start)\(length))")
    case .replace:
      return Self.text("replace(\(try text(0)), \(try text(1)), \(try text(2)))")
    case .split:
      guard values.count == 3 else {
        throw .unsupported(
          "\"\(whole)\" gives many texts",
          hint: "Say which one, counted from 0, as the third argument."
        )
      }
      let texts: SQLFragment = "(string_to_array(\(try text(0)), \(try text(1))))"
      return Self.text("\(texts)[\(try position(2)) + 1]")
    case .regexReplace: return try regexReplace()
    case .sum, .count, .minimum, .maximum, .average, .median, .mode, .standardDeviation:
      // Of many values, which are no arguments.
      throw .mismatch(whole, values[0])
    }
  }

  // MARK: - Arguments

  private func number(_ index: Int) throws(ExpressionFault) -> TypedValue {
    guard values[index].type.isNumeric else { throw .mismatch(whole, values[index]) }
    return values[index]
  }

  private func integer(_ index: Int) throws(ExpressionFault) -> TypedValue {
    guard values[index].type == .integer else { throw .mismatch(whole, values[index]) }
    return values[index]
  }

  private func position(_ index: Int) throws(ExpressionFault) -> SQLFragment {
    try integer(index).sql(as: "integer")
  }

  private func text(_ index: Int) throws(ExpressionFault) -> SQLFragment {
    try values[index].text(in: whole)
  }

  private func numbers() throws(ExpressionFault) -> (
    left: TypedValue, right: TypedValue, common: (type: ValueType, columnType: SQLTypeName)
  ) {
    let left = try number(0)
    let right = try number(1)
    return (left, right, UnifiedValues.commonNumber([left.type, right.type]))
  }

  private static func text(_ sql: SQLFragment) -> TypedValue { TypedValue(sql, .text, "text") }

  // MARK: - Numbers

  private func arithmetic(_ symbol: SQLFragment) throws(ExpressionFault) -> TypedValue {
    let (left, right, common) = try numbers()
    let type = common.columnType
    return TypedValue("(\(left.sql(as: type)) \(symbol) \(right.sql(as: type)))", common.type, type)
  }

  private func modulus() throws(ExpressionFault) -> TypedValue {
    let (left, right, common) = try numbers()
    // The server divides floating-point numbers with a remainder as decimals only.
    let type: SQLTypeName = common.type == .integer ? "bigint" : "numeric"
    let sql: SQLFragment = "mod(\(left.sql(as: type)), \(right.sql(as: type)))"
    return common.type == .double
      ? TypedValue("\(sql)::double precision", .double, "double precision")
      : TypedValue(sql, common.type, type)
  }

  /// A function of floating-point numbers.
  private func real(_ name: SQLFragment) throws(ExpressionFault) -> TypedValue {
    let type: SQLTypeName = "double precision"
    return TypedValue("\(name)(\(try number(0).sql(as: type)))", .double, type)
  }

  /// A function after which a number is whole; integers are already.
  private func rounding(_ name: SQLFragment) throws(ExpressionFault) -> TypedValue {
    let value = try number(0)
    return value.type == .integer ? value : TypedValue("\(name)(\(value.sql))", value.type)
  }

  private func bitwise(
    _ symbol: SQLFragment,
    rightType: SQLTypeName = "bigint"
  ) throws(ExpressionFault) -> TypedValue {
    let left = try integer(0).sql(as: "bigint")
    let right = try integer(1).sql(as: rightType)
    return TypedValue("(\(left) \(symbol) \(right))", .integer, "bigint")
  }

  // MARK: - Texts

  /// Arguments of other types are converted to text.
  private func concat(
    from first: Int = 0,
    separator: SQLFragment = " || "
  ) throws(ExpressionFault) -> SQLFragment {
    var parts: [SQLFragment] = []
    let joined = zip(arguments, values).dropFirst(first).filter { $0.0 != .constant(.null) }
    for (argument, value) in joined {
      if case .constant(.string(let text)) = argument, joined.count > 1 {
        // What it is joined with is a text.
        parts.append("\(SQLLiteral.text(text))")
        continue
      }
      let text = try ValueConversion(whole, breadth, isExplicit: true).converted(value, to: .string)
      parts.append(argument.isLiteral ? text.sql : "coalesce(\(text.sql), '')")
    }
    return parts.isEmpty ? "''::text" : "(\(parts.joined(separator: separator)))"
  }

  /// Between texts is a space, so that the last word of one and the first of the next stay apart.
  private func textSearch() throws(ExpressionFault) -> TypedValue {
    guard case .constant(.string(let configuration)) = arguments[0] else {
      throw .unsupported(
        "\"\(whole)\" has a text search configuration that is no constant",
        hint: "Write its name in quotes, such as \"english\" or \"simple\"."
      )
    }
    let text = try concat(from: 1, separator: " || ' ' || ")
    return TypedValue(
      "to_tsvector(\(SQLLiteral.typed(configuration, "regconfig")), \(text))",
      .other(.textSearch),
      "tsvector"
    )
  }

  private func regexReplace() throws(ExpressionFault) -> TypedValue {
    let text = try text(0)
    guard case .constant(.string(let pattern)) = arguments[1],
      case .constant(.string(let template)) = arguments[2]
    else {
      throw .unsupported(
        "\"\(whole)\" has a pattern or a replacement that is no constant",
        hint: "Write both in quotes."
      )
    }
    let expression = try RegularExpression(pattern)
    let replacement = RegularExpression.replacement(template)
    return Self.text(
      """
      regexp_replace(\(text), \(SQLLiteral.typed(expression.partPattern, "text")), \
      \(SQLLiteral.typed(replacement, "text")), 'g')
      """
    )
  }

  // MARK: - JSON

  /// With keys, the value at this path as text; an integer key is an index from 0.
  private func json() throws(ExpressionFault) -> TypedValue {
    let document = values[0]
    let sql: SQLFragment
    switch document.type {
    case .other(.json), .null, .unknown, .text: sql = "\(document.sql)::jsonb"
    case .integer, .decimal, .double, .boolean, .date, .other:
      try breadth.requireMapping(whole)
      sql = "to_jsonb(\(document.sql))"
    case .reference: throw .mismatch(whole, document)
    }
    guard values.count > 1 else { return TypedValue("(\(sql))", .other(.json), "jsonb") }
    var keys: [SQLFragment] = []
    for key in values.dropFirst() {
      guard key.type == .text || key.type == .integer else { throw .mismatch(whole, key) }
      keys.append("(\(key.sql))::text")
    }
    return Self.text("((\(sql)) #>> ARRAY[\(keys.joined(separator: ", "))])")
  }
}

extension TypedValue {
  /// Returns the SQL of a value that has to be a text.
  func text(in whole: Expression) throws(ExpressionFault) -> SQLFragment {
    switch type {
    case .text: return sql
    case .null, .unknown: return "(\(sql))::text"
    case .integer, .decimal, .double, .boolean, .date, .reference, .other:
      throw .mismatch(whole, self)
    }
  }
}

extension Expression.Function {
  /// The arguments of a function, and whether its result is stable.
  enum Kind {
    case aggregate(AggregateFunction)
    /// It gives another value at another time.
    case clock
    /// It gives another value each time.
    case volatile
    case immutable
  }

  var kind: Kind {
    switch self {
    case .sum: .aggregate(.sum)
    case .count: .aggregate(.count)
    case .minimum: .aggregate(.minimum)
    case .maximum: .aggregate(.maximum)
    case .average: .aggregate(.average)
    case .median: .aggregate(.median)
    case .mode: .aggregate(.mode)
    case .standardDeviation: .aggregate(.standardDeviation)
    case .now: .clock
    case .random, .randomBelow, .randomInteger, .uuid: .volatile
    case .add, .subtract, .multiply, .divide, .modulus, .power, .squareRoot, .logarithm,
      .naturalLogarithm, .exponential, .abs, .floor, .ceiling, .truncate, .bitwiseAnd, .bitwiseOr,
      .bitwiseXor, .leftShift, .rightShift, .onesComplement, .canonical, .lowercase, .uppercase,
      .length, .concat, .trim, .substring, .replace, .split, .regexReplace, .textSearch, .noIndex,
      .distance, .coalesce, .nullIf, .json:
      .immutable
    }
  }
}

extension Expression.ArithmeticOperator {
  /// The function that does the same.
  var function: Expression.Function {
    switch self {
    case .add: .add
    case .subtract: .subtract
    case .multiply: .multiply
    case .divide: .divide
    case .power: .power
    }
  }
}
