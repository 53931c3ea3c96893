internal import ModelMapping
internal import ObjectModel
internal import SQLSyntax

/// The SQL of a value with its type.
struct TypedValue {
  var sql: SQLFragment
  var type: ValueType
  /// The column type that the value has, where it is known to the letter.
  var columnType: SQLTypeName?

  init(_ sql: SQLFragment, _ type: ValueType, _ columnType: SQLTypeName? = nil) {
    self.sql = sql
    self.type = type
    self.columnType = columnType
  }

  init(_ constant: Expression.Constant) {
    switch constant {
    case .number(let digits):
      if let integer = Int64(digits) {
        let isSmall = Int32(exactly: integer) != nil
        self.init("\(SQLLiteral.integer(integer))", .integer, isSmall ? "integer" : "bigint")
      } else {
        self.init("\(SQLLiteral.typed(digits, "numeric"))", .decimal, "numeric")
      }
    case .string(let text): self.init("\(SQLLiteral.typed(text, "text"))", .text, "text")
    case .boolean(let value): self.init("\(SQLLiteral.boolean(value))", .boolean, "boolean")
    case .null: self.init("NULL", .null)
    }
  }

  /// Creates the date that a number of seconds since 2001 stands for.
  init(dateOf digits: String, in whole: Expression) throws(ExpressionFault) {
    guard let value = AttributeValue(digits, of: .date) else {
      throw .incompatible("\(whole)", detail: "This is no date.")
    }
    let type: SQLTypeName = "timestamp with time zone"
    self.init("\(value.literal(of: type))", .date, type)
  }

  func sql(as type: SQLTypeName) -> SQLFragment {
    columnType == type ? sql : "\(sql)::\(type)"
  }

  /// Returns the value of a constant as one of another type, 1 for true, a text for a UUID; or nothing
  /// if it is none.
  func adapted(_ constant: Expression.Constant, to other: ValueType) -> TypedValue? {
    let type: AttributeType
    let text: String
    switch (other, constant) {
    case (.boolean, .number(let digits)): (type, text) = (.boolean, digits)
    case (.other(let own), .string(let string)): (type, text) = (own, string)
    default:
      // Pairs of a type and a constant: all others go together as they are, or not at all.
      return self
    }
    guard let columnType = type.columnType, let adapted = AttributeValue(text, of: type) else {
      return nil
    }
    return TypedValue("\(adapted.literal(of: columnType))", other, columnType)
  }
}

/// Several values as values of one type.
struct UnifiedValues {
  let sql: [SQLFragment]
  let type: ValueType
  let columnType: SQLTypeName?

  private init(_ sql: [SQLFragment], _ type: ValueType, _ columnType: SQLTypeName?) {
    self.sql = sql
    self.type = type
    self.columnType = columnType
  }

  /// Unifies the values of expressions, constants adapted to the others.
  init(
    _ expressions: [Expression],
    _ values: [TypedValue],
    in whole: Expression
  ) throws(ExpressionFault) {
    let known = values.filter { $0.type != .null && $0.type != .unknown }
    guard let first = known.first else {
      let isUnknown = values.contains { $0.type == .unknown }
      self.init(values.map(\.sql), isUnknown ? .unknown : .null, nil)
      return
    }
    if known.allSatisfy(\.type.isNumeric) {
      if Set(known.map(\.columnType)).count == 1, first.columnType != nil {
        self.init(values.map(\.sql), first.type, first.columnType)
      } else {
        let common = Self.commonNumber(known.map(\.type))
        self.init(values.map { $0.sql(as: common.columnType) }, common.type, common.columnType)
      }
      return
    }
    let model =
      zip(expressions, values).first { expression, value in
        known.contains { $0.type == value.type } && !expression.isLiteral
      }?.1 ?? first
    var adapted: [TypedValue] = []
    for (expression, value) in zip(expressions, values) {
      var value = value
      if case .constant(let constant) = expression {
        guard let other = value.adapted(constant, to: model.type) else {
          throw .mismatch(whole, value)
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
    self.init(adapted.map(\.sql), model.type, columnTypes.count == 1 ? model.columnType : nil)
  }

  /// Returns the type that arithmetic over several numbers gives.
  static func commonNumber(_ types: [ValueType]) -> (type: ValueType, columnType: SQLTypeName) {
    if types.contains(.double) { return (.double, "double precision") }
    if types.contains(.decimal) { return (.decimal, "numeric") }
    // Small integers are computed in the widest type, as Foundation does.
    return (.integer, "bigint")
  }

  /// Returns the value that an expression over the values has, if it is of their type.
  func value(_ sql: SQLFragment) -> TypedValue { TypedValue(sql, type, columnType) }
}

extension Expression {
  /// A Boolean value that indicates whether the expression is nothing but a constant.
  var isLiteral: Bool {
    if case .constant = self { true } else { false }
  }
}

extension ExpressionFault {
  /// A part of an expression is of a type that has no place in it.
  static func mismatch(_ whole: Expression, _ value: TypedValue) -> ExpressionFault {
    .incompatible("\(whole)", detail: "A part of it is \(value.type.words).")
  }
}
