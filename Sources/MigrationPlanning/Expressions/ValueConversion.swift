internal import ModelMapping
internal import ObjectModel
internal import SQLSyntax

/// Makes values those of other types.
struct ValueConversion {
  private let whole: Expression
  private let breadth: ExpressionBreadth
  /// Whether it is a `CAST`, and not only Foundation's conversion of assigned numbers.
  private let isExplicit: Bool

  init(_ whole: Expression, _ breadth: ExpressionBreadth, isExplicit: Bool) {
    self.whole = whole
    self.breadth = breadth
    self.isExplicit = isExplicit
  }

  /// Between 1970 and 2001, from where Foundation counts seconds.
  private static let referenceDate: SQLFragment = "978307200"

  /// Returns the type of attributes that a name of `CAST` stands for.
  private static func type(named name: String, of given: ValueType) -> AttributeType? {
    switch name {
    case "NSString": .string
    case "NSURL": .uri
    case "NSDecimalNumber": .decimal
    case "NSDate": .date
    case "NSUUID": .uuid
    case "NSNumber":
      switch given {
      case .integer, .boolean: .integer64
      case .double, .date: .double
      case .decimal, .text, .reference, .null, .unknown, .other: .decimal
      }
    // Names are not a closed set. Xcode writes "Integer 32" for integer32.
    default: AttributeType(name) ?? AttributeType(name.filter { $0 != " " }.lowercased())
    }
  }

  /// Returns the `CAST` of a value to a named type.
  func cast(_ value: TypedValue, to typeName: String) throws(ExpressionFault) -> TypedValue {
    guard let type = Self.type(named: typeName, of: value.type) else {
      throw .unsupported(
        "\"\(whole)\" converts to a type that there is not",
        hint: "Write NSNumber, NSDecimalNumber, NSString, NSDate, NSUUID, NSURL or a type of the "
          + "model, as \"Integer 32\"."
      )
    }
    return try converted(value, to: type)
  }

  /// Returns the value of an accessor, such as `intValue`.
  func access(
    _ accessor: Expression.Accessor,
    of value: TypedValue
  ) throws(ExpressionFault) -> TypedValue {
    let type: AttributeType
    switch accessor {
    case .stringValue, .description: type = .string
    case .boolValue: type = .boolean
    case .shortValue: type = .integer16
    case .intValue: type = .integer32
    case .integerValue, .longValue, .longLongValue: type = .integer64
    case .floatValue: type = .float
    case .doubleValue: type = .double
    case .decimalValue: type = .decimal
    }
    guard value.type == .text, ValueType(type).isNumeric, let columnType = type.columnType else {
      return try converted(value, to: type)
    }
    // The number at the beginning of a text, or 0 if there is none. The text is used only once,
    // because nested conversions must not double it.
    let pattern =
      ValueType(type) == .integer
      ? #"^\s*([-+]?\d+|)"# : #"^\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|)"#
    let digits: SQLFragment = "substring(\(value.sql), \(SQLLiteral.text(pattern)))"
    return TypedValue(
      "regexp_replace(\(digits), '^$', '0')::\(columnType)",
      ValueType(type),
      columnType
    )
  }

  // MARK: - Conversions

  /// Converts a value to a type.
  ///
  /// - Throws: An error if there is no implicit conversion.
  func converted(
    _ value: TypedValue,
    to type: AttributeType
  ) throws(ExpressionFault) -> TypedValue {
    guard let columnType = type.columnType, value.type != .reference else {
      throw .mismatch(whole, value)
    }
    let target = ValueType(type)
    let sql: SQLFragment?
    if value.columnType == columnType {
      sql = value.sql
    } else if value.type == .null || value.type == .unknown {
      sql = "(\(value.sql))::\(columnType)"
    } else if value.type == target, target == .text {
      // A cast to varchar would silently truncate values that an assignment refuses.
      sql = value.sql
    } else {
      sql = try expression(value, as: target, columnType)
    }
    guard let sql else { throw .mismatch(whole, value) }
    return TypedValue(sql, target, target == .text ? nil : columnType)
  }

  private func expression(
    _ value: TypedValue,
    as target: ValueType,
    _ columnType: SQLTypeName
  ) throws(ExpressionFault) -> SQLFragment? {
    let sql = value.sql
    switch (value.type, target) {
    case (.decimal, .integer), (.double, .integer): return "trunc(\(sql))::\(columnType)"
    case (.boolean, .integer), (.boolean, .decimal), (.boolean, .double):
      return "\(sql)::integer::\(columnType)"
    case (.integer, .boolean), (.decimal, .boolean), (.double, .boolean): return "(\(sql) <> 0)"
    case (.integer, _) where target.isNumeric, (.decimal, _) where target.isNumeric,
      (.double, _) where target.isNumeric:
      return "\(sql)::\(columnType)"
    case (.date, .date), (.boolean, .boolean): return sql
    case (.other(let own), .other(let other)) where own == other: return sql
    default: break  // Pairs of types, not one of our enumerations.
    }
    return isExplicit ? try explicit(value, as: target, columnType) : nil
  }

  private func explicit(
    _ value: TypedValue,
    as target: ValueType,
    _ columnType: SQLTypeName
  ) throws(ExpressionFault) -> SQLFragment? {
    let sql = value.sql
    switch (value.type, target) {
    case (.integer, .text), (.double, .text): return "\(sql)::text"
    case (.decimal, .text): return "trim_scale(\(sql))::text"
    case (.boolean, .text): return "\(sql)::integer::text"
    case (.date, .text):
      try breadth.requireMapping(whole)
      let format = SQLLiteral.text("YYYY-MM-DD HH24:MI:SS +0000")
      return "to_char(\(sql) AT TIME ZONE 'UTC', \(format))"
    case (.text, .boolean): return #"(\#(sql) ~ '^\s*[-+]?0*[YyTt1-9]')"#
    case (.text, _) where target.isNumeric:
      // Text that is not a number becomes null, as in Foundation, instead of ending the migration.
      let pattern = SQLLiteral.text(#"^\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)\s*$"#)
      let number: SQLFragment = "substring(\(sql), \(pattern))::numeric"
      return target == .integer
        ? "trunc(\(number))::\(columnType)" : "\(number)::\(columnType)"
    case (.date, _) where target.isNumeric:
      let seconds: SQLFragment = "(extract(epoch FROM \(sql)) - \(Self.referenceDate))"
      return target == .integer ? "trunc\(seconds)::\(columnType)" : "\(seconds)::\(columnType)"
    case (.integer, .date), (.decimal, .date), (.double, .date):
      return "to_timestamp(\(value.sql(as: "double precision")) + \(Self.referenceDate))"
    case (.other(.calendarDate), .date), (.date, .other(.calendarDate)):
      return value.type == .date
        ? "(\(sql) AT TIME ZONE 'UTC')::date" : "(\(sql)::timestamp AT TIME ZONE 'UTC')"
    case (.text, _), (.other, _), (_, .other), (.reference, _), (.null, _), (.unknown, _):
      // The text form of a value may depend on settings of the session.
      try breadth.requireMapping(whole)
      return "(\(sql))::\(columnType)"
    default: return nil  // Pairs of types, not one of our enumerations.
    }
  }
}
