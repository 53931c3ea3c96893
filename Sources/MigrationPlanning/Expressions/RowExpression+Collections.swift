internal import Diagnostics
internal import ModelMapping
internal import ObjectModel
internal import SQLSyntax

extension RowExpression {
  /// Returns an expression as many values, or nothing if it gives one.
  ///
  /// As long as the collection is open a variable stands for one of its rows.
  mutating func open(_ expression: Expression) throws(ExpressionFault) -> OpenCollection? {
    guard breadth == .mapping else { return nil }
    switch expression {
    case .keyPath(let path): return try open(path)
    case .subquery(let collection, let variable, let condition):
      return try open(collection, variable, condition, expression)
    case .fetch(let fetch): return try open(fetch, expression)
    case .list(let elements): return try open(elements, expression)
    case .function(.noIndex, let arguments) where arguments.count == 1:
      return try open(arguments[0])
    case .function(.split, let arguments) where arguments.count == 2:
      let text = try value(arguments[0]).text(in: expression)
      let separator = try value(arguments[1]).text(in: expression)
      return bindValues(
        "unnest(string_to_array(\(text), \(separator))) WITH ORDINALITY",
        TypedValue("", .text, "text")
      )
    case .constant, .variable, .evaluatedObject, .function, .negation, .arithmetic, .cast,
      .accessor, .element, .ternary, .destinationInstances, .lookup, .sql, .policyCall,
      .nonNilValueOrDefault:
      return nil
    }
  }

  /// Closes a collection of ``open(_:)``.
  mutating func close(_ collection: OpenCollection) {
    bindings[collection.variable] = nil
    depth = collection.outerDepth
  }

  // MARK: - Rows

  private mutating func open(
    _ path: KeyPathExpression
  ) throws(ExpressionFault) -> OpenCollection? {
    guard path.aggregate?.isCollection ?? true else { return nil }
    var collection: OpenCollection?
    switch path.base {
    case .row: collection = try open(path, from: source)
    case .variable(DestinationRow.variable) where destination != nil: return nil
    case .variable(let name):
      if case .row(let row) = try binding(of: name) { collection = try open(path, from: row) }
    case .expression(let base):
      collection = try open(base)
      if let element = collection?.element { collection?.element = element.appending(path.names) }
    }
    if path.aggregate == .distinctUnionOfObjects { collection?.isDistinct = true }
    return collection
  }

  private mutating func open(
    _ path: KeyPathExpression,
    from row: BoundRow
  ) throws(ExpressionFault) -> OpenCollection? {
    guard let count = projection.namesToMany(path.names, from: row.entity) else { return nil }
    let start = KeyPathExpression(Array(path.names[..<count]), base: path.base)
    let resolved = try projection.resolve(start, from: row.entity, breadth)
    let way = RelationshipPath(hops: resolved.hops)
    reads.note(way, of: row)
    let rows = way.rows(
      from: row.prefix,
      in: projection.schema.name,
      depth: depth,
      readsLast: true
    )
    let last = BoundRow(
      entity: resolved.entity,
      prefix: rows.last,
      root: row.root,
      hops: row.hops + resolved.hops
    )
    var collection = bind(.row(last), rows.tables, depth: way.hops.count)
    collection.conditions = rows.conditions
    collection.order = projection.orderColumn(of: resolved).map {
      "\(rows.lastPair ?? rows.last)\($0)"
    }
    collection.element = collection.element.appending(Array(path.names[count...]))
    return collection
  }

  private mutating func open(
    _ fetch: Expression.SourceFetch,
    _ whole: Expression
  ) throws(ExpressionFault) -> OpenCollection? {
    let model = projection.model
    guard let entity = model.entity(named: fetch.entityName),
      let table = projection.table(of: entity)
    else {
      throw .unrecognizedEntity(
        fetch.entityName,
        part: "\(whole)",
        suggestion: suggestion(for: fetch.entityName, among: model.entities.map(\.name))
      )
    }
    isOpaque = true
    let alias = RelationshipPath.alias(depth + 1)
    let row = BoundRow(entity: entity, prefix: "\(alias).", root: nil, hops: [])
    var collection = bind(.row(row), ["\(projection.schema.qualified(table)) AS \(alias)"])
    let members = fetch.includesSubentities ? model.family(of: entity).map(\.name) : [entity.name]
    if let membership = projection.membership(of: members, in: table) {
      collection.conditions.append(
        membership == "false" ? membership : "\(alias).\(membership)"
      )
    }
    // Bare names of its condition are about the rows that are fetched.
    if fetch.predicate != .constant(true) {
      let outer = source
      defer { source = outer }
      source = row
      collection.conditions.append(try condition(fetch.predicate))
    }
    return collection
  }

  private mutating func open(
    _ expression: Expression,
    _ variable: String,
    _ predicate: Predicate,
    _ whole: Expression
  ) throws(ExpressionFault) -> OpenCollection? {
    guard var collection = try open(expression) else {
      throw .unsupported(
        "\"\(whole)\" is a query of something that is not many",
        hint: "Let SUBQUERY begin with a to-many relationship."
      )
    }
    let outer = bindings[variable]
    defer { bindings[variable] = outer }
    if case .variable(let own) = collection.element {
      bindings[variable] = bindings[own]
    } else {
      bindings[variable] = .value(try value(collection.element))
    }
    collection.conditions.append(try condition(predicate))
    return collection
  }

  // MARK: - Values

  private mutating func open(
    _ elements: [Expression],
    _ whole: Expression
  ) throws(ExpressionFault) -> OpenCollection? {
    var values: [TypedValue] = []
    for element in elements { values.append(try value(element)) }
    let common = try UnifiedValues(elements, values, in: whole)
    let value = common.value("")
    if elements.isEmpty {
      return bindValues("(SELECT NULL::text, 0 WHERE false)", value)
    }
    let rows = common.sql.enumerated().map { index, value -> SQLFragment in
      "(\(value), \(SQLLiteral.integer(Int64(index))))"
    }
    return bindValues("(VALUES \(rows.joined(separator: ", ")))", value)
  }

  /// Lets a variable stand for the first column of a relation, whose second is the position.
  private mutating func bindValues(_ relation: SQLFragment, _ value: TypedValue) -> OpenCollection {
    let alias = RelationshipPath.alias(depth + 1)
    var value = value
    value.sql = "\(alias).value"
    var collection = bind(.value(value), ["\(relation) AS \(alias) (value, position)"])
    collection.order = "\(alias).position"
    return collection
  }

  /// Binds a variable that no text can name to a relation.
  private mutating func bind(
    _ binding: Binding,
    _ tables: [SQLFragment],
    depth count: Int = 1
  ) -> OpenCollection {
    var number = 1
    while bindings["#\(number)"] != nil { number += 1 }
    bindings["#\(number)"] = binding
    defer { depth += count }
    return OpenCollection(tables: tables, variable: "#\(number)", outerDepth: depth)
  }

  // MARK: - One value of many

  mutating func aggregate(
    _ function: AggregateFunction,
    over expression: Expression,
    _ whole: Expression
  ) throws(ExpressionFault) -> TypedValue {
    try breadth.requireMapping(whole)
    guard let collection = try open(expression) else {
      throw .unsupported(
        "\"\(expression)\" is one value",
        hint: "Give \"\(function.rawValue)\" a list, as {1, 2}, or a to-many relationship."
      )
    }
    defer { close(collection) }
    if function == .count, !collection.isDistinct {
      return TypedValue("(SELECT count(*)\(collection.origin))", .integer, "bigint")
    }
    let call = try function.call(
      value(collection.element),
      isDistinct: collection.isDistinct,
      whole
    )
    return TypedValue("(SELECT \(call.sql)\(collection.origin))", call.type, call.columnType)
  }

  // MARK: - One of many

  mutating func element(
    of expression: Expression,
    _ position: Expression.ElementPosition,
    _ whole: Expression
  ) throws(ExpressionFault) -> TypedValue {
    try breadth.requireMapping(whole)
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
      let value = try value(index)
      guard value.type == .integer else { throw .mismatch(whole, value) }
      offset = " OFFSET \(value.sql)"
      depth = inner
    }
    let ordering = collection.ordering(isReversed: position == .last)
    return TypedValue(
      "(SELECT \(element.sql)\(collection.origin)\(ordering)\(offset) LIMIT 1)",
      element.type,
      element.columnType
    )
  }
}
