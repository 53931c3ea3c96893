internal import SQLSyntax

extension ModelProjection {
  /// Returns what in the model an object stands for; of what others have added to a table, the
  /// table's own.
  public func element(of object: CatalogObject) -> StoredElement? {
    let name = SQLIdentifier(object.table)
    guard let table = schema.tables[name] else { return nil }
    let columns: [SQLIdentifier]
    switch object.kind {
    case .schema, .metadata: return nil
    case .table, .sequence, .rule, .policy, .child: columns = []
    case .column: columns = [SQLIdentifier(object.name)]
    case .constraint:
      let constraint = table.constraints.first { $0.name.name == object.name }
      columns = constraint.map { $0.isPrimaryKey ? [] : $0.columns } ?? []
    case .index: columns = table.indexes.first { $0.name.name == object.name }?.columns ?? []
    case .trigger, .function:
      if let derived = derivedElement(of: object) { return derived }
      let trigger = table.triggers.first { $0.name.name == object.name }
      columns = trigger?.body.identifiers ?? []
    }
    let origins = columns.compactMap { columnOrigins[name]?[$0] }
    return origins.first { !$0.isKind }.map(\.element) ?? tableOrigins[name].map(\.element)
  }

  /// The trigger may be of another table than the attribute whose values it keeps.
  private func derivedElement(of object: CatalogObject) -> StoredElement? {
    let table = SQLIdentifier(object.table)
    let place = derivations.first { _, derivation in
      derivation.triggers[table]?.contains { $0.name.name == object.name } ?? false
    }?.key
    return place.flatMap { columnOrigins[$0.table]?[$0.column]?.element }
  }
}

extension ColumnOrigin {
  /// A Boolean value that indicates whether the column says of which entity a row is.
  fileprivate var isKind: Bool {
    if case .discriminator = self { true } else { false }
  }

  fileprivate var element: StoredElement {
    switch self {
    case .key(let entity), .discriminator(let entity): .entity(entity)
    case .attribute(let entity, let name, _): .attribute(entity: entity, name)
    case .reference(let entity, let name), .position(let entity, let name),
      .joinedDestination(let entity, let name), .joinedSource(let entity, let name):
      .relationship(entity: entity, name)
    }
  }
}

extension TableOrigin {
  fileprivate var element: StoredElement {
    switch self {
    case .root(let entity): .entity(entity)
    case .join(let entity, let name): .relationship(entity: entity, name)
    }
  }
}
