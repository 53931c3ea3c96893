internal import ModelMapping
internal import ObjectModel
internal import SQLSyntax

/// Key paths that give one value.
extension RowExpression {
  mutating func value(at path: KeyPathExpression) throws(ExpressionFault) -> TypedValue {
    switch path.base {
    case .row: return try value(at: path, from: source)
    case .variable(let name):
      switch try binding(of: name) {
      case .row(let row): return try value(at: path, from: row)
      case .value: throw .noValue("\(path)", detail: "goes on after a value.")
      }
    case .expression(let base): return try value(at: path, after: base)
    }
  }

  /// A path that goes on where something else than a path ends.
  private mutating func value(
    at path: KeyPathExpression,
    after base: Expression
  ) throws(ExpressionFault) -> TypedValue {
    let whole = Expression.keyPath(path)
    try requireMapping(whole)
    if let function = path.aggregate?.function {
      let values =
        path.names.isEmpty ? base : .keyPath(KeyPathExpression(path.names, base: path.base))
      return try aggregate(function, over: values, whole)
    }
    if case .element(let collection, let position) = base, path.aggregate == nil {
      let values = Expression.keyPath(
        KeyPathExpression(path.names, base: .expression(collection))
      )
      return try element(of: values, position, whole)
    }
    throw .noValue("\(path)", detail: "leads to many values, or goes on after a value.")
  }

  private mutating func value(
    at path: KeyPathExpression,
    from row: BoundRow
  ) throws(ExpressionFault) -> TypedValue {
    let resolved = try projection.resolve(path, from: row.entity, breadth)
    if path.aggregate != nil || resolved.isToMany { return try aggregate(resolved, path, row) }
    switch resolved.end {
    case .derived(let attribute, let owner):
      return try derived(attribute, owner, resolved, path, row)
    case .reference(let column):
      note(column, of: row)
      return TypedValue(sql: "\(row.prefix)\(column)", type: .reference)
    case .rows:
      guard !resolved.hops.isEmpty, breadth == .mapping else {
        throw .noValue("\(path)", detail: "ends at a relationship.")
      }
      let way = RelationshipPath(
        hops: resolved.hops,
        value: projection.key(of: resolved.entity)
      )
      return TypedValue(sql: subquery(way, from: row), type: .reference)
    case .attribute(let type, let column):
      return try attribute(type, column, resolved, path, row)
    }
  }

  private mutating func attribute(
    _ type: AttributeType,
    _ column: SQLIdentifier,
    _ resolved: ResolvedKeyPath,
    _ path: KeyPathExpression,
    _ row: BoundRow
  ) throws(ExpressionFault) -> TypedValue {
    let sql: SQLFragment
    if resolved.hops.isEmpty {
      note(column, of: row)
      sql = "\(row.prefix)\(column)"
    } else {
      try requireKnownType(type, path)
      sql = subquery(RelationshipPath(hops: resolved.hops, value: column), from: row)
    }
    return TypedValue(sql: sql, type: ValueType(type), columnType: type.columnType)
  }

  private mutating func derived(
    _ attribute: AttributeDescription,
    _ owner: EntityDescription,
    _ resolved: ResolvedKeyPath,
    _ path: KeyPathExpression,
    _ row: BoundRow
  ) throws(ExpressionFault) -> TypedValue {
    let column = projection.columns(ofProperty: attribute.name, seenFrom: owner).first
    let isOwn = row.root == source.root && row.hops.isEmpty && resolved.hops.isEmpty
    if isOwn, computesDerived || column == nil {
      return TypedValue(
        sql: "(\(try value(of: attribute)))",
        type: ValueType(attribute.type),
        columnType: attribute.type.columnType
      )
    }
    if let column, isOwn || breadth == .mapping {
      return try self.attribute(attribute.type, column, resolved, path, row)
    }
    throw .derivedElsewhere("\(path)")
  }

  // MARK: - Many values

  private mutating func aggregate(
    _ resolved: ResolvedKeyPath,
    _ path: KeyPathExpression,
    _ row: BoundRow
  ) throws(ExpressionFault) -> TypedValue {
    guard let aggregate = path.aggregate, !aggregate.isCollection else {
      throw .noValue("\(path)", detail: "leads to many values.")
    }
    guard resolved.isToMany else {
      throw .noValue("\(path)", detail: "has \(aggregate.rawValue) of a single value.")
    }
    var way = RelationshipPath(hops: resolved.hops, aggregate: aggregate)
    let type: AttributeType
    switch resolved.end {
    case .reference: throw .noValue("\(path)", detail: "ends at a relationship.")
    case .rows:
      guard aggregate == .count else {
        throw .noValue("\(path)", detail: "has \(aggregate.rawValue) of rows, not of an attribute.")
      }
      return TypedValue(sql: subquery(way, from: row), type: .integer, columnType: "bigint")
    case .derived(let attribute, let owner):
      guard breadth == .mapping,
        let column = projection.columns(ofProperty: attribute.name, seenFrom: owner).first
      else { throw .derivedElsewhere("\(path)") }
      type = attribute.type
      way.value = column
    case .attribute(let own, let column):
      type = own
      way.value = column
    }
    try requireKnownType(type, path)
    return try self.aggregate(aggregate, way, of: type, path, row)
  }

  private mutating func aggregate(
    _ aggregate: KeyPathExpression.Aggregate,
    _ way: RelationshipPath,
    of type: AttributeType,
    _ path: KeyPathExpression,
    _ row: BoundRow
  ) throws(ExpressionFault) -> TypedValue {
    var way = way
    let kind = ValueType(type)
    switch aggregate {
    case .count:
      return TypedValue(sql: subquery(way, from: row), type: .integer, columnType: "bigint")
    case .sum, .average:
      guard kind.isNumeric else {
        throw .incompatible("\(path)", detail: "\(aggregate.rawValue) takes numbers only.")
      }
      if kind == .double { way.valueCast = "double precision" }
      let isExact = kind == .decimal || (kind == .integer && aggregate == .sum)
      return TypedValue(
        sql: subquery(way, from: row),
        type: isExact ? kind : .double,
        columnType: kind == .double ? "double precision" : nil
      )
    case .minimum, .maximum:
      guard kind.isOrdered else {
        throw .incompatible("\(path)", detail: "\(aggregate.rawValue) takes what has an order.")
      }
      return TypedValue(sql: subquery(way, from: row), type: kind, columnType: type.columnType)
    case .unionOfObjects, .distinctUnionOfObjects:
      throw .noValue("\(path)", detail: "leads to many values.")
    }
  }

  private mutating func subquery(_ way: RelationshipPath, from row: BoundRow) -> SQLFragment {
    note(way, of: row)
    return way.subquery(from: row.prefix, in: projection.schema.name, depth: depth)
  }

  private func requireKnownType(
    _ type: AttributeType,
    _ path: KeyPathExpression
  ) throws(ExpressionFault) {
    guard case .sql(let name) = type, breadth == .row else { return }
    throw .unsupported(
      "Key path \"\(path)\" leads to a value of type \"\(name)\", of which nobody knows when it "
        + "changes",
      hint: "Derive over relationships from the types of the model only."
    )
  }
}

extension KeyPathExpression.Aggregate {
  /// The function that makes one value of many; none where they remain many.
  var function: Expression.Function? {
    switch self {
    case .count: .count
    case .sum: .sum
    case .minimum: .minimum
    case .maximum: .maximum
    case .average: .average
    case .unionOfObjects, .distinctUnionOfObjects: nil
    }
  }
}
