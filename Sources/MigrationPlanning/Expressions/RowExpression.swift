internal import ModelMapping
internal import ObjectModel
internal import SQLSyntax

/// Translates expressions over the properties of rows into SQL, and checks their types.
///
/// Numbers have Foundation's meaning: integers divide as integers, towards zero, in 64 bits; a
/// number with a point is no integer. An impossible computation, such as a division by zero, is an
/// error of the server.
struct RowExpression {
  /// Returns the SQL of a placeholder, or `nil` for the usual one.
  typealias PlaceholderResolver = (SQLTemplate.Placeholder) -> SQLFragment?

  let projection: ModelProjection
  let breadth: ExpressionBreadth
  /// The row that bare names are about.
  var source: BoundRow
  var reads = ExpressionReads()
  /// A Boolean value that indicates whether the value depends on when it is computed.
  var readsClock = false
  /// A Boolean value that indicates whether the value is another one each time.
  var isVolatile = false
  /// A Boolean value that indicates whether it may read more than is known.
  var isOpaque = false
  /// A Boolean value that indicates whether derived attributes are computed rather than read: no
  /// order is known in which several of a row would be.
  let computesDerived: Bool
  let placeholders: PlaceholderResolver
  /// The meanings of variables.
  var bindings: [String: Binding]
  /// The row that the mapping creates, where the expression is about one of its properties.
  var destination: DestinationRow?
  /// The attributes of the new row that are being computed.
  var beingSet: [String] = []
  /// The number of tables with names in the surrounding queries.
  var depth = 0
  /// The innermost part that has no meaning, once there is one.
  private(set) var faultyPart: Expression?
  /// The derived attributes that are being computed.
  private var underway: [String] = []
  /// The extent of the expression so far.
  private var extent = ExpressionExtent()

  init(
    _ projection: ModelProjection,
    _ entity: EntityDescription,
    row: SQLFragment = "",
    computesDerived: Bool,
    breadth: ExpressionBreadth = .mapping,
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

  /// The columns that the value reads of its own row, and of rows related to it.
  var ownReads: RowReads { reads[Self.sourceVariable] }

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
    // A cast to varchar would silently truncate values that an assignment refuses.
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
      // A derivation belongs to the model, not to the expression.
      if faultyPart == nil, underway.isEmpty { faultyPart = expression }
      throw error
    }
  }

  private mutating func computed(_ expression: Expression) throws(ExpressionFault) -> TypedValue {
    switch expression {
    case .constant(let constant): return TypedValue(constant)
    case .keyPath(let path): return try value(at: path)
    case .variable(let name): return try value(ofVariable: name)
    case .evaluatedObject:
      try breadth.requireMapping(expression)
      return key(of: source)
    case .function(let function, let arguments):
      return try call(function, arguments, expression)
    case .negation(let operand):
      let value = try value(operand)
      guard value.type.isNumeric else { throw .mismatch(expression, value) }
      return TypedValue("(- \(value.sql))", value.type, value.columnType)
    case .arithmetic(let left, let arithmeticOperator, let right):
      return try call(arithmeticOperator.function, [left, right], expression)
    case .cast(.constant(.number(let digits)), "NSDate"):
      return try TypedValue(dateOf: digits, in: expression)
    case .cast(let operand, let typeName):
      return try ValueConversion(expression, breadth, isExplicit: true)
        .cast(value(operand), to: typeName)
    case .accessor(let operand, let accessor):
      return try ValueConversion(expression, breadth, isExplicit: true)
        .access(accessor, of: value(operand))
    case .ternary(let predicate, let first, let second):
      let condition = try condition(predicate)
      let values = [try value(first), try value(second)]
      let common = try UnifiedValues([first, second], values, in: expression)
      return common.value(
        "(CASE WHEN \(condition) THEN \(common.sql[0]) ELSE \(common.sql[1]) END)"
      )
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
      try breadth.requireMapping(expression)
      throw .unsupported(
        "\"\(expression)\" gives many rows",
        hint: "End it at @count, @sum, @min, @max or @avg, or let it stand after ANY, ALL or IN."
      )
    case .destinationInstances, .lookup:
      try breadth.requireMapping(expression)
      throw .onlyInRelationshipMapping("\(expression)")
    case .policyCall: throw .needsApplication("\(expression)")
    case .nonNilValueOrDefault:
      try breadth.requireMapping(expression)
      throw .unsupported(
        "\"\(expression)\" is part of another expression",
        hint: "Let it stand alone, or write coalesce($source.attribute, …)."
      )
    }
  }

  private mutating func call(
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
    switch function.kind {
    case .aggregate(let function): return try aggregate(function, over: arguments[0], whole)
    case .clock: readsClock = true
    case .volatile:
      try breadth.requireMapping(whole)
      isVolatile = true
    case .immutable: break
    }
    var values: [TypedValue] = []
    for argument in arguments { values.append(try value(argument)) }
    return try FunctionCall(
      function: function,
      arguments: arguments,
      values: values,
      whole: whole,
      breadth: breadth
    ).result()
  }

  // MARK: - Attributes of the destination

  /// Returns the value of an expression as one of an attribute.
  ///
  /// - Throws: Why there is none.
  mutating func assignment(
    _ expression: Expression,
    to attribute: AttributeDescription
  ) throws(ExpressionFault) -> SQLFragment {
    let assignment = try AttributeAssignment(to: attribute)
    switch expression {
    case .constant(let constant): return try assignment.literal(constant)
    case .ternary(let condition, let first, let second):
      let condition = try self.condition(condition)
      let first = try self.assignment(first, to: attribute)
      let second = try self.assignment(second, to: attribute)
      return "(CASE WHEN \(condition) THEN \(first) ELSE \(second) END)"
    case .nonNilValueOrDefault(let name):
      let value = try self.assignment(.keyPath(KeyPathExpression([name])), to: attribute)
      return assignment.orDefault(value)
    case .keyPath, .variable, .evaluatedObject, .function, .negation, .arithmetic, .cast, .accessor,
      .list, .element, .subquery, .fetch, .destinationInstances, .lookup, .sql, .policyCall:
      if case .array(let type) = attribute.type, let collection = try open(expression) {
        defer { close(collection) }
        let element = try ValueConversion(expression, breadth, isExplicit: false)
          .converted(value(collection.element), to: type).sql
        return collection.isDistinct
          ? "ARRAY(SELECT DISTINCT \(element)\(collection.origin))"
          : "ARRAY(SELECT \(element)\(collection.origin)\(collection.ordering()))"
      }
      return try assignment.assigned(value(expression), expression, breadth)
    }
  }

  // MARK: - SQL that people wrote

  private mutating func value(
    ofSQL text: String,
    _ whole: Expression
  ) throws(ExpressionFault) -> TypedValue {
    try breadth.requireMapping(whole)
    isOpaque = true
    let template: SQLTemplate
    do {
      template = try SQLTemplate(parsing: text)
    } catch {
      throw .unresolvedPlaceholder(error.placeholder)
    }
    var sql: SQLFragment = "("
    for segment in template.segments {
      switch segment {
      case .text(let text): sql.append(SQLFragment(written: text))
      case .placeholder(let placeholder): sql.append(try resolved(placeholder))
      }
    }
    // A comment at the end of the text would swallow the parenthesis.
    sql.append("\n)")
    return TypedValue(sql, .unknown)
  }

  private mutating func resolved(
    _ placeholder: SQLTemplate.Placeholder
  ) throws(ExpressionFault) -> SQLFragment {
    if case .sourceProperty(let entityName, let property) = placeholder,
      let entity = projection.model.entity(named: entityName),
      projection.model.root(of: entity) == projection.model.root(of: source.entity),
      let column = projection.columns(ofProperty: property, seenFrom: entity).first
    {
      reads.note(column, of: source)
      return "\(source.prefix)\(column)"
    }
    guard let sql = placeholders(placeholder) ?? projection.sql(of: placeholder) else {
      throw .unresolvedPlaceholder("\(placeholder)")
    }
    return sql
  }
}
