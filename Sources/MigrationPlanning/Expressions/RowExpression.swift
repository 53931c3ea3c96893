internal import ModelMapping
internal import ObjectModel
internal import SQLSyntax

/// Turns expressions over the properties of one row into SQL, and checks their types on the way.
struct RowExpression {
  let projection: ModelProjection
  let entity: EntityDescription
  /// What stands before the columns of the row: nothing, `NEW.` or the table.
  let row: SQLFragment
  /// The ways over relationships that the value takes.
  private(set) var paths: [RelationshipPath] = []
  /// The columns of the row itself that the value reads.
  private(set) var columns: [SQLIdentifier] = []
  /// A Boolean value that indicates whether the value depends on when it is computed.
  private(set) var readsClock = false
  /// A Boolean value that indicates whether derived attributes are computed rather than read: no
  /// order is known in which several of a row would be.
  private let computesDerived: Bool
  /// The derived attributes that are being computed.
  private var underway: [String] = []
  /// How much of the expression there is.
  private var extent = ExpressionExtent()

  init(
    _ projection: ModelProjection,
    _ entity: EntityDescription,
    row: SQLFragment = "",
    computesDerived: Bool
  ) {
    self.projection = projection
    self.computesDerived = computesDerived
    self.entity = entity
    self.row = row
  }

  /// Returns the value of a derived attribute, as a value of the attribute's type.
  mutating func value(of attribute: AttributeDescription) throws(ExpressionFault) -> SQLFragment {
    guard let text = attribute.derivationExpression, let type = attribute.type.columnType else {
      throw .unfittingType("a value", attribute: "\(attribute.type)", suggestion: nil)
    }
    guard !underway.contains(attribute.name) else {
      throw .circular(underway + [attribute.name])
    }
    try extent.requireRoom(forDerived: underway.count + 1)
    underway.append(attribute.name)
    defer { underway.removeLast() }
    let value = try value(Self.parsed(text))
    guard value.type.fits(attribute.type) else {
      throw .unfittingType(
        value.type.words,
        attribute: "\(attribute.type)",
        suggestion: value.type.keepingType?.description
      )
    }
    // A cast to varchar would cut silently what an assignment refuses.
    if value.columnType == type || value.type == .text { return value.sql }
    return "\(value.sql)::\(type)"
  }

  static func parsed(_ text: String) throws(ExpressionFault) -> Expression {
    do {
      return try Expression(parsing: text)
    } catch {
      throw .unreadable(error.diagnostic)
    }
  }

  // MARK: - Values

  mutating func value(_ expression: Expression) throws(ExpressionFault) -> TypedValue {
    try extent.enter(expression)
    defer { extent.leave() }
    switch expression {
    case .constant(let constant): return Self.value(of: constant)
    case .keyPath(let path): return try value(at: path)
    case .function(.now, _):
      readsClock = true
      return TypedValue(sql: "now()", type: .date, columnType: AttributeType.date.columnType)
    case .function(let function, let arguments):
      guard let argument = arguments.first else {
        throw .unsupported("\"\(expression)\" has no argument", hint: "Give it one.")
      }
      return try call(function, value(argument), expression)
    case .negation(let operand):
      let value = try value(operand)
      guard value.type.isNumeric else { throw mismatch(expression, value) }
      return TypedValue(sql: "(- \(value.sql))", type: value.type, columnType: value.columnType)
    case .arithmetic(let left, let arithmeticOperator, let right):
      return try arithmetic(value(left), arithmeticOperator, value(right), expression)
    case .cast(.constant(.number(let digits)), typeName: "NSDate"):
      guard let value = AttributeValue(digits, of: .date) else {
        throw .incompatible("\(expression)", detail: "This is no date.")
      }
      let type: SQLTypeName = "timestamp with time zone"
      return TypedValue(sql: "\(value.literal(of: type))", type: .date, columnType: type)
    case .cast:
      throw .unsupported(
        "\"\(expression)\" converts what the database does not",
        hint: "CAST takes a number of seconds since 2001 and \"NSDate\"."
      )
    case .list:
      throw .unsupported(
        "\"\(expression)\" is a list",
        hint: "Lists can stand to the right of IN and BETWEEN."
      )
    }
  }

  private static func value(of constant: Expression.Constant) -> TypedValue {
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
      return TypedValue(
        sql: "\(SQLLiteral.boolean(value))",
        type: .boolean,
        columnType: "boolean"
      )
    case .null: return TypedValue(sql: "NULL", type: .null)
    }
  }

  private mutating func arithmetic(
    _ left: TypedValue,
    _ arithmeticOperator: Expression.ArithmeticOperator,
    _ right: TypedValue,
    _ expression: Expression
  ) throws(ExpressionFault) -> TypedValue {
    for value in [left, right] where !value.type.isNumeric { throw mismatch(expression, value) }
    let isDouble = left.type == .double || right.type == .double
    let type: ValueType =
      isDouble ? .double : left.type == .decimal || right.type == .decimal ? .decimal : .integer
    // Small integers are computed in the widest type, as Foundation does.
    let common: SQLTypeName =
      isDouble ? "double precision" : type == .decimal ? "numeric" : "bigint"
    let symbol: SQLFragment =
      switch arithmeticOperator {
      case .add: "+"
      case .subtract: "-"
      case .multiply: "*"
      case .divide: "/"
      }
    return TypedValue(
      sql: "(\(left.sql(as: common)) \(symbol) \(right.sql(as: common)))",
      type: type,
      columnType: common
    )
  }

  private func call(
    _ function: Expression.Function,
    _ value: TypedValue,
    _ expression: Expression
  ) throws(ExpressionFault) -> TypedValue {
    switch function {
    case .canonical, .lowercase, .uppercase, .length:
      guard value.type == .text else { throw mismatch(expression, value) }
    case .abs, .floor, .ceiling:
      guard value.type.isNumeric else { throw mismatch(expression, value) }
    case .now: break
    }
    switch function {
    case .canonical:
      return TypedValue(sql: TextFolding.canonical(value.sql), type: .text, columnType: "text")
    case .lowercase: return TypedValue(sql: "lower(\(value.sql))", type: .text, columnType: "text")
    case .uppercase: return TypedValue(sql: "upper(\(value.sql))", type: .text, columnType: "text")
    case .length:
      return TypedValue(sql: "char_length(\(value.sql))", type: .integer, columnType: "integer")
    case .abs: return value.applying("abs")
    // Integers are whole already.
    case .floor: return value.type == .integer ? value : value.applying("floor")
    case .ceiling: return value.type == .integer ? value : value.applying("ceiling")
    case .now: return value
    }
  }

  // MARK: - Key paths

  private mutating func value(at path: KeyPathExpression) throws(ExpressionFault) -> TypedValue {
    let resolved = try projection.resolve(path, from: entity)
    if path.aggregate != nil || resolved.isToMany { return try aggregate(resolved, path) }
    switch resolved.end {
    case .derived(let attribute, _):
      guard resolved.hops.isEmpty else { throw .derivedElsewhere("\(path)") }
      if !computesDerived,
        let column = projection.columns(ofProperty: path.names[0], seenFrom: entity).first
      {
        columns.append(column)
        return TypedValue(
          sql: "\(row)\(column)",
          type: ValueType(attribute.type),
          columnType: attribute.type.columnType
        )
      }
      return TypedValue(
        sql: "(\(try value(of: attribute)))",
        type: ValueType(attribute.type),
        columnType: attribute.type.columnType
      )
    case .reference(let column):
      columns.append(column)
      return TypedValue(sql: "\(row)\(column)", type: .reference)
    case .rows: throw .noValue("\(path)", detail: "ends at a relationship.")
    case .attribute(let type, let column):
      let sql: SQLFragment
      if resolved.hops.isEmpty {
        columns.append(column)
        sql = "\(row)\(column)"
      } else {
        sql = try subquery(
          RelationshipPath(hops: resolved.hops, value: column),
          of: type,
          path
        )
      }
      return TypedValue(sql: sql, type: ValueType(type), columnType: type.columnType)
    }
  }

  private mutating func aggregate(
    _ resolved: ResolvedKeyPath,
    _ path: KeyPathExpression
  ) throws(ExpressionFault) -> TypedValue {
    guard let aggregate = path.aggregate else {
      throw .noValue("\(path)", detail: "leads to many values.")
    }
    guard resolved.isToMany else {
      throw .noValue("\(path)", detail: "has \(aggregate.rawValue) of a single value.")
    }
    var way = RelationshipPath(hops: resolved.hops, aggregate: aggregate)
    switch resolved.end {
    case .derived: throw .derivedElsewhere("\(path)")
    case .reference: throw .noValue("\(path)", detail: "ends at a relationship.")
    case .rows:
      guard aggregate == .count else {
        throw .noValue("\(path)", detail: "has \(aggregate.rawValue) of rows, not of an attribute.")
      }
      return TypedValue(
        sql: try subquery(way, of: .integer64, path),
        type: .integer,
        columnType: "bigint"
      )
    case .attribute(let type, let column):
      way.value = column
      let kind = ValueType(type)
      switch aggregate {
      case .count:
        let sql = try subquery(way, of: type, path)
        return TypedValue(sql: sql, type: .integer, columnType: "bigint")
      case .sum, .average:
        guard kind.isNumeric else {
          throw .incompatible("\(path)", detail: "\(aggregate.rawValue) takes numbers only.")
        }
        if kind == .double { way.valueCast = "double precision" }
        let isExact = kind == .decimal || (kind == .integer && aggregate == .sum)
        return TypedValue(
          sql: try subquery(way, of: type, path),
          type: isExact ? kind : .double,
          columnType: kind == .double ? "double precision" : nil
        )
      case .minimum, .maximum:
        guard kind.isOrdered else {
          throw .incompatible("\(path)", detail: "\(aggregate.rawValue) takes what has an order.")
        }
        let sql = try subquery(way, of: type, path)
        return TypedValue(sql: sql, type: kind, columnType: type.columnType)
      }
    }
  }

  private mutating func subquery(
    _ way: RelationshipPath,
    of type: AttributeType,
    _ path: KeyPathExpression
  ) throws(ExpressionFault) -> SQLFragment {
    if case .sql(let name) = type {
      throw .unsupported(
        "Key path \"\(path)\" leads to a value of type \"\(name)\", of which nobody knows when it "
          + "changes",
        hint: "Derive over relationships from the types of the model only."
      )
    }
    paths.append(way)
    if case .forward(let column, _) = way.hops.first { columns.append(column) }
    return way.subquery(from: row, in: projection.schema.name)
  }

  func mismatch(_ expression: Expression, _ value: TypedValue) -> ExpressionFault {
    .incompatible("\(expression)", detail: "A part of it is \(value.type.words).")
  }
}

extension TypedValue {
  func applying(_ function: SQLFragment) -> TypedValue {
    TypedValue(sql: "\(function)(\(sql))", type: type, columnType: nil)
  }

  func sql(as type: SQLTypeName) -> SQLFragment {
    columnType == type ? sql : "\(sql)::\(type)"
  }
}

/// Texts without what makes no difference.
enum TextFolding {
  /// The marks that letters are taken apart into.
  private static let marks =
    "[\\u0300-\\u036F\\u1AB0-\\u1AFF\\u1DC0-\\u1DFF\\u20D0-\\u20FF\\uFE20-\\uFE2F]"

  /// Letters without marks, small, and of one form.
  static func canonical(_ text: SQLFragment) -> SQLFragment {
    "lower(\(withoutMarks("normalize(\(text), NFKD)")))"
  }

  static func folded(_ text: SQLFragment, _ options: Predicate.Options) -> SQLFragment {
    switch (options.ignoresCase, options.ignoresDiacritics) {
    case (true, true): canonical(text)
    case (true, false): "lower(\(text))"
    case (false, true): withoutMarks("normalize(\(text), NFD)")
    case (false, false): text
    }
  }

  private static func withoutMarks(_ text: SQLFragment) -> SQLFragment {
    "regexp_replace(\(text), \(SQLLiteral.text(marks)), '', 'g')"
  }
}
