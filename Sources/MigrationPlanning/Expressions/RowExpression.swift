internal import ModelMapping
internal import ObjectModel
internal import SQLSyntax

/// Turns expressions over the properties of rows into SQL, and checks their types on the way.
///
/// Numbers mean what they mean in Foundation: integers divide as integers, towards zero, and are
/// computed in 64 bits; a number with a point is none. What cannot be computed, as a division by zero,
/// is an error of the server.
struct RowExpression {
  /// What an expression may be about.
  enum Breadth {
    /// One row's own values, and what follows from them over single relationships: what the server
    /// can keep up to date.
    case row
    /// Whatever the source holds: it is computed once.
    case mapping
  }

  /// Gives the SQL of a placeholder, or nothing where what it stands for is as usual.
  typealias PlaceholderResolver = (SQLTemplate.Placeholder) -> SQLFragment?

  let projection: ModelProjection
  let breadth: Breadth
  /// The row that bare names are about.
  var source: BoundRow
  /// What is read, by the variable of the row that it is read from.
  var reads: [String: RowReads] = [:]
  /// A Boolean value that indicates whether the value depends on when it is computed.
  var readsClock = false
  /// A Boolean value that indicates whether the value is another one each time.
  var isVolatile = false
  /// A Boolean value that indicates whether more is read than can be told.
  var isOpaque = false
  /// A Boolean value that indicates whether derived attributes are computed rather than read: no
  /// order is known in which several of a row would be.
  let computesDerived: Bool
  let placeholders: PlaceholderResolver
  /// What variables stand for.
  var bindings: [String: Binding]
  /// How many tables have names around what is being computed.
  var depth = 0
  /// The innermost part that has no meaning, once there is one.
  private(set) var faultyPart: Expression?
  /// The derived attributes that are being computed.
  private var underway: [String] = []
  /// How much of the expression there is.
  private var extent = ExpressionExtent()

  init(
    _ projection: ModelProjection,
    _ entity: EntityDescription,
    row: SQLFragment = "",
    computesDerived: Bool,
    breadth: Breadth = .mapping,
    placeholders: @escaping PlaceholderResolver = { _ in nil }
  ) {
    self.projection = projection
    self.computesDerived = computesDerived
    self.breadth = breadth
    self.placeholders = placeholders
    source = BoundRow(entity: entity, prefix: row, root: Self.sourceVariable, hops: [])
    bindings = breadth == .row ? [:] : [Self.sourceVariable: .row(source)]
  }

  static let sourceVariable = "source"

  /// The ways over relationships that the value takes from its row.
  var paths: [RelationshipPath] { reads(of: Self.sourceVariable).paths }
  /// The columns of the row itself that the value reads.
  var columns: [SQLIdentifier] { reads(of: Self.sourceVariable).columns }

  /// Returns what the value reads of the row that a variable stands for.
  func reads(of variable: String) -> RowReads { reads[variable] ?? RowReads() }

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
    do {
      try extent.enter(expression)
      defer { extent.leave() }
      return try computed(expression)
    } catch {
      // What is derived stands in the model, not in the expression.
      if faultyPart == nil, underway.isEmpty { faultyPart = expression }
      throw error
    }
  }

  private mutating func computed(_ expression: Expression) throws(ExpressionFault) -> TypedValue {
    switch expression {
    case .constant(let constant): return Self.value(of: constant)
    case .keyPath(let path): return try value(at: path)
    case .variable(let name): return try value(ofVariable: name)
    case .evaluatedObject:
      try requireMapping(expression)
      return key(of: source)
    case .function(let function, let arguments):
      return try call(function, arguments, expression)
    case .negation(let operand):
      let value = try number(operand, in: expression)
      return TypedValue(sql: "(- \(value.sql))", type: value.type, columnType: value.columnType)
    case .arithmetic(let left, let arithmeticOperator, let right):
      return try arithmetic(left, arithmeticOperator, right, expression)
    case .cast(let operand, let typeName): return try cast(operand, typeName, expression)
    case .accessor(let operand, let accessor):
      return try access(accessor, of: operand, expression)
    case .ternary(let condition, let first, let second):
      return try choose(condition, first, second, expression)
    case .element(let operand, let position):
      return try element(of: operand, position, expression)
    case .fetch(let fetch) where fetch.countsOnly:
      return try aggregate(.count, over: expression, expression)
    case .sql(let text): return try value(ofSQL: text, expression)
    case .list:
      throw .unsupported(
        "\"\(expression)\" is a list",
        hint: "Lists can stand to the right of IN and BETWEEN, and in functions of many values."
      )
    case .subquery, .fetch:
      try requireMapping(expression)
      throw .unsupported(
        "\"\(expression)\" gives many rows",
        hint: "End it at @count, @sum, @min, @max or @avg, or let it stand after ANY, ALL or IN."
      )
    case .destinationInstances, .lookup:
      try requireMapping(expression)
      throw .onlyInRelationshipMapping("\(expression)")
    case .policyCall: throw .needsApplication("\(expression)")
    case .nonNilValueOrDefault:
      try requireMapping(expression)
      throw .unsupported(
        "\"\(expression)\" is part of another expression",
        hint: "Let it stand alone, or write coalesce($source.attribute, …)."
      )
    }
  }

  /// Refuses what is not about one row where only that can be.
  func requireMapping(_ expression: Expression) throws(ExpressionFault) {
    switch breadth {
    case .row: throw .notAboutOneRow("\(expression)")
    case .mapping: return
    }
  }

  func mismatch(_ expression: Expression, _ value: TypedValue) -> ExpressionFault {
    .incompatible("\(expression)", detail: "A part of it is \(value.type.words).")
  }
}

/// The SQL of a value with its type.
struct TypedValue {
  var sql: SQLFragment
  var type: ValueType
  /// The column type that the value has, where it is known to the letter.
  var columnType: SQLTypeName?
}

extension TypedValue {
  func applying(_ function: SQLFragment) -> TypedValue {
    TypedValue(sql: "\(function)(\(sql))", type: type, columnType: nil)
  }

  func sql(as type: SQLTypeName) -> SQLFragment {
    columnType == type ? sql : "\(sql)::\(type)"
  }
}
