internal import ModelMapping
internal import ObjectModel
internal import SQLSyntax

/// Variables, and key paths that give one value.
extension RowExpression {
  /// Binds a variable to another row.
  ///
  /// - Parameters:
  ///   - variable: The name, without the dollar sign.
  ///   - entity: The entity of the row.
  ///   - row: The qualifier of the row's columns.
  mutating func bind(_ variable: String, _ entity: EntityDescription, row: SQLFragment) {
    bindings[variable] = .row(BoundRow(entity: entity, prefix: row, root: variable, hops: []))
  }

  func binding(of variable: String) throws(ExpressionFault) -> Binding {
    guard let binding = bindings[variable] else {
      let known =
        (bindings.keys.filter { !$0.hasPrefix("#") }
        + (destination == nil ? [] : [DestinationRow.variable])).sorted()
      if known.isEmpty { throw .notAboutOneRow("$\(variable)") }
      throw .unboundVariable(variable, known: known)
    }
    return binding
  }

  mutating func value(ofVariable name: String) throws(ExpressionFault) -> TypedValue {
    switch try binding(of: name) {
    case .value(let value): return value
    case .row(let row): return key(of: row)
    }
  }

  /// A row as a value is the key that to-one relationships to it contain.
  mutating func key(of row: BoundRow) -> TypedValue {
    let key = projection.key(of: row.entity)
    reads.note(key, of: row)
    return TypedValue("\(row.prefix)\(key)", .reference)
  }

  // MARK: - Key paths

  mutating func value(at path: KeyPathExpression) throws(ExpressionFault) -> TypedValue {
    if let value = try value(ofDestination: path) { return value }
    switch path.base {
    case .row: return try value(at: path, from: source)
    case .variable(let name):
      switch try binding(of: name) {
      case .row(let row): return try value(at: path, from: row)
      case .value: throw .noValue("\(path)", detail: "continues after a value.")
      }
    case .expression(let base): return try value(at: path, after: base)
    }
  }

  /// A path that continues from an expression other than a path.
  private mutating func value(
    at path: KeyPathExpression,
    after base: Expression
  ) throws(ExpressionFault) -> TypedValue {
    let whole = Expression.keyPath(path)
    try breadth.requireMapping(whole)
    if let function = path.aggregate?.function {
      let values =
        path.names.isEmpty ? base : .keyPath(KeyPathExpression(path.names, base: path.base))
      return try aggregate(function, over: values, whole)
    }
    if case .element(let collection, let position) = base, path.aggregate == nil {
      let values = KeyPathExpression(path.names, base: .expression(collection))
      return try element(of: .keyPath(values), position, whole)
    }
    throw .noValue("\(path)", detail: "leads to many values, or continues after a value.")
  }

  private mutating func value(
    at path: KeyPathExpression,
    from row: BoundRow
  ) throws(ExpressionFault) -> TypedValue {
    let resolved = try projection.resolve(path, from: row.entity, breadth)
    let isOwn = row.root == source.root && row.hops.isEmpty && resolved.hops.isEmpty
    if isOwn, path.aggregate == nil, case .derived(let attribute, let owner) = resolved.end,
      computesDerived || projection.columns(ofProperty: attribute.name, seenFrom: owner).isEmpty
    {
      let sql: SQLFragment = "(\(try value(of: attribute)))"
      return TypedValue(sql, ValueType(attribute.type), attribute.type.columnType)
    }
    let (way, type, columnType) = try projection.value(of: path, resolved, isOwn: isOwn, breadth)
    reads.note(way, of: row)
    let sql: SQLFragment =
      way.hops.isEmpty
      ? way.value.map { "\(row.prefix)\($0)" } ?? ""
      : way.subquery(from: row.prefix, in: projection.schema.name, depth: depth)
    return TypedValue(sql, type, columnType)
  }
}
