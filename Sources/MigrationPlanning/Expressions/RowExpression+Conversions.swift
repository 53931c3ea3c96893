internal import ModelMapping
internal import ObjectModel
internal import SQLSyntax

/// Values as values of other types.
extension RowExpression {
  /// How much a conversion may do.
  enum Conversion {
    /// What Foundation does when a value is assigned: numbers among one another.
    case implicit
    /// What `CAST` does, too.
    case explicit
  }

  /// Between 1970 and 2001, from where Foundation counts seconds.
  private static let referenceDate: SQLFragment = "978307200"

  mutating func cast(
    _ operand: Expression,
    _ typeName: String,
    _ whole: Expression
  ) throws(ExpressionFault) -> TypedValue {
    if case .constant(.number(let digits)) = operand, typeName == "NSDate" {
      guard let value = AttributeValue(digits, of: .date) else {
        throw .incompatible("\(whole)", detail: "This is no date.")
      }
      let type: SQLTypeName = "timestamp with time zone"
      return TypedValue(sql: "\(value.literal(of: type))", type: .date, columnType: type)
    }
    let value = try value(operand)
    guard let type = Self.type(named: typeName, of: value.type) else {
      throw .unsupported(
        "\"\(whole)\" converts to a type that there is not",
        hint: "Write NSNumber, NSDecimalNumber, NSString, NSDate, NSUUID, NSURL or a type of the "
          + "model, as \"Integer 32\"."
      )
    }
    return try converted(value, to: type, .explicit, whole)
  }

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
    // Names are no closed set. Xcode writes "Integer 32" what files of ours call integer32.
    default: AttributeType(name) ?? AttributeType(name.filter { $0 != " " }.lowercased())
    }
  }

  mutating func access(
    _ accessor: Expression.Accessor,
    of operand: Expression,
    _ whole: Expression
  ) throws(ExpressionFault) -> TypedValue {
    let value = try value(operand)
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
      return try converted(value, to: type, .explicit, whole)
    }
    // Of a text these give the number that it begins with, and 0 if there is none. The text stands
    // there once: what is nested must not double.
    let pattern =
      ValueType(type) == .integer
      ? #"^\s*([-+]?\d+|)"# : #"^\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|)"#
    let digits: SQLFragment = "substring(\(value.sql), \(SQLLiteral.text(pattern)))"
    return TypedValue(
      sql: "regexp_replace(\(digits), '^$', '0')::\(columnType)",
      type: ValueType(type),
      columnType: columnType
    )
  }

  // MARK: - Conversions

  /// Returns a value as one of a type.
  ///
  /// - Throws: That the conversion is none, or not one that is done without being asked for.
  func converted(
    _ value: TypedValue,
    to type: AttributeType,
    _ conversion: Conversion,
    _ whole: Expression
  ) throws(ExpressionFault) -> TypedValue {
    guard let columnType = type.columnType, value.type != .reference else {
      throw mismatch(whole, value)
    }
    let target = ValueType(type)
    let sql: SQLFragment?
    if value.columnType == columnType {
      sql = value.sql
    } else if value.type == .null || value.type == .unknown {
      sql = "(\(value.sql))::\(columnType)"
    } else if value.type == target, target == .text {
      // A cast to varchar would cut silently what an assignment refuses.
      sql = value.sql
    } else {
      sql = try expression(value, as: target, columnType, conversion, whole)
    }
    guard let sql else { throw mismatch(whole, value) }
    return TypedValue(sql: sql, type: target, columnType: target == .text ? nil : columnType)
  }

  private func expression(
    _ value: TypedValue,
    as target: ValueType,
    _ columnType: SQLTypeName,
    _ conversion: Conversion,
    _ whole: Expression
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
    switch conversion {
    case .implicit: return nil
    case .explicit: return try explicit(value, as: target, columnType, whole)
    }
  }

  private func explicit(
    _ value: TypedValue,
    as target: ValueType,
    _ columnType: SQLTypeName,
    _ whole: Expression
  ) throws(ExpressionFault) -> SQLFragment? {
    let sql = value.sql
    switch (value.type, target) {
    case (.integer, .text), (.double, .text): return "\(sql)::text"
    case (.decimal, .text): return "trim_scale(\(sql))::text"
    case (.boolean, .text): return "\(sql)::integer::text"
    case (.date, .text):
      try requireMapping(whole)
      let format = SQLLiteral.text("YYYY-MM-DD HH24:MI:SS +0000")
      return "to_char(\(sql) AT TIME ZONE 'UTC', \(format))"
    case (.text, .boolean): return #"(\#(sql) ~ '^\s*[-+]?0*[YyTt1-9]')"#
    case (.text, _) where target.isNumeric:
      // What is no number is nothing, as in Foundation, rather than the end of the migration.
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
      try requireMapping(whole)
      return "(\(sql))::\(columnType)"
    default: return nil  // Pairs of types, not one of our enumerations.
    }
  }
}
