internal import Diagnostics
internal import ModelMapping
internal import ObjectModel
internal import SQLSyntax

/// Many values, as a query whose parts can still be added to.
struct OpenCollection {
  var tables: [SQLFragment]
  var conditions: [SQLFragment] = []
  /// What the values are in the order of; nothing if they have none.
  var order: SQLFragment?
  /// A Boolean value that indicates whether each value counts once.
  var isDistinct = false
  /// One of the values, while the collection is open.
  var element: Expression
  /// The variable that stands for one of the rows.
  var variable: String
  /// How many tables had names around it.
  var outerDepth: Int

  /// What stands after the columns of the query.
  var origin: SQLFragment { origin(and: nil) }

  func origin(and condition: SQLFragment?) -> SQLFragment {
    let all = conditions + [condition].compactMap(\.self)
    let filter: SQLFragment = all.isEmpty ? "" : " WHERE \(all.joined(separator: " AND "))"
    return " FROM \(tables.joined(separator: ", "))\(filter)"
  }

  func ordering(isReversed: Bool = false) -> SQLFragment {
    guard let order else { return "" }
    return isReversed ? " ORDER BY \(order) DESC" : " ORDER BY \(order)"
  }
}

extension RowExpression {
  /// Returns an expression as many values, or nothing if it gives one.
  ///
  /// As long as the collection is open a variable stands for one of its rows.
  mutating func open(_ expression: Expression) throws(ExpressionFault) -> OpenCollection? {
    switch breadth {
    case .row: return nil
    case .mapping: break
    }
    switch expression {
    case .keyPath(let path): return try open(path)
    case .subquery(let collection, let variable, let condition):
      return try open(collection, variable, condition, expression)
    case .fetch(let fetch): return try open(fetch, expression)
    case .list(let elements): return try open(elements, expression)
    case .function(.noIndex, let arguments) where arguments.count == 1:
      return try open(arguments[0])
    case .function(.split, let arguments) where arguments.count == 2:
      let text = try text(arguments[0], in: expression)
      let separator = try self.text(arguments[1], in: expression)
      return bindValues(
        "unnest(string_to_array(\(text), \(separator))) WITH ORDINALITY",
        TypedValue(sql: "", type: .text, columnType: "text")
      )
    case .constant, .variable, .evaluatedObject, .function, .negation, .arithmetic, .cast,
      .accessor, .element, .ternary, .destinationInstances, .lookup, .sql, .policyCall,
      .nonNilValueOrDefault:
      return nil
    }
  }

  /// Ends what ``open(_:)`` began.
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
    note(way, of: row)
    let rows = way.rows(
      from: row.prefix,
      in: projection.schema.name,
      depth: depth,
      readsLast: true
    )
    let outerDepth = depth
    depth += way.hops.count
    let variable = hiddenVariable()
    bindings[variable] = .row(
      BoundRow(
        entity: resolved.entity,
        prefix: rows.last,
        root: row.root,
        hops: row.hops + resolved.hops
      )
    )
    return OpenCollection(
      tables: rows.tables,
      conditions: rows.conditions,
      order: position(of: resolved, rows),
      element: Expression.variable(variable).appending(Array(path.names[count...])),
      variable: variable,
      outerDepth: outerDepth
    )
  }

  /// What orders the rows that an ordered relationship leads to.
  private func position(
    of resolved: ResolvedKeyPath,
    _ rows: RelationshipPath.Rows
  ) -> SQLFragment? {
    guard let end = resolved.last, end.relationship.isOrdered,
      let place = projection.linkPlace(of: end.relationship, declaredBy: end.entity),
      let column = place.targetPosition
    else { return nil }
    return "\(rows.lastPair ?? rows.last)\(column)"
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
    let outerDepth = depth
    depth += 1
    let alias = RelationshipPath.alias(depth)
    let row = BoundRow(entity: entity, prefix: "\(alias).", root: nil, hops: [])
    let variable = hiddenVariable()
    bindings[variable] = .row(row)
    var collection = OpenCollection(
      tables: ["\(QualifiedName(schema: projection.schema.name, name: table)) AS \(alias)"],
      element: .variable(variable),
      variable: variable,
      outerDepth: outerDepth
    )
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
    let common = try unified(elements, values, in: whole)
    let value = TypedValue(sql: "", type: common.type, columnType: common.columnType)
    if elements.isEmpty {
      return bindValues("(SELECT NULL::text, 0 WHERE false)", value)
    }
    let rows = common.values.enumerated().map { index, value -> SQLFragment in
      "(\(value), \(SQLLiteral.integer(Int64(index))))"
    }
    return bindValues("(VALUES \(rows.joined(separator: ", ")))", value)
  }

  /// Lets a variable stand for the first column of a relation, whose second is the position.
  private mutating func bindValues(_ relation: SQLFragment, _ value: TypedValue) -> OpenCollection {
    let outerDepth = depth
    depth += 1
    let alias = RelationshipPath.alias(depth)
    let variable = hiddenVariable()
    var value = value
    value.sql = "\(alias).value"
    bindings[variable] = .value(value)
    return OpenCollection(
      tables: ["\(relation) AS \(alias) (value, position)"],
      order: "\(alias).position",
      element: .variable(variable),
      variable: variable,
      outerDepth: outerDepth
    )
  }
}

extension Expression {
  /// Returns the path that goes on where this one ends.
  fileprivate func appending(_ names: [String]) -> Expression {
    guard !names.isEmpty else { return self }
    switch self {
    case .variable(let name): return .keyPath(KeyPathExpression(names, base: .variable(name)))
    case .keyPath(var path) where path.aggregate == nil:
      path.names += names
      return .keyPath(path)
    case .constant, .keyPath, .evaluatedObject, .function, .negation, .arithmetic, .cast, .accessor,
      .list, .element, .ternary, .subquery, .fetch, .destinationInstances, .lookup, .sql,
      .policyCall, .nonNilValueOrDefault:
      return .keyPath(KeyPathExpression(names, base: .expression(self)))
    }
  }
}
