internal import MigrationPlanning
internal import SQLSyntax

/// The element of a model that an object of the catalog represents.
public enum StoredElement: Hashable, Sendable {
  case entity(String)
  case attribute(entity: String, String)
  case relationship(entity: String, String)

  /// The entity that it is, or is declared by.
  public var entityName: String {
    switch self {
    case .entity(let name), .attribute(let name, _), .relationship(let name, _): name
    }
  }

  /// The property; none if it is an entity.
  public var propertyName: String? {
    switch self {
    case .entity: nil
    case .attribute(_, let name), .relationship(_, let name): name
    }
  }
}

extension StoredElement: CustomStringConvertible {
  /// The element in the words of models: `attribute Book.title`.
  public var description: String {
    switch self {
    case .entity(let name): "entity \(name)"
    case .attribute(let entity, let name): "attribute \(entity).\(name)"
    case .relationship(let entity, let name): "relationship \(entity).\(name)"
    }
  }
}

extension StoredElement {
  /// Creates the element of an object in the model of a projection; an object that others added to
  /// a table represents the table.
  init?(_ object: CatalogObject, in projection: ModelProjection) {
    let name = SQLIdentifier(object.table)
    guard let table = projection.schema.tables[name] else { return nil }
    let columns: [SQLIdentifier]
    switch object.kind {
    case .schema, .metadata, .view: return nil
    case .table, .sequence, .rule, .policy, .child: columns = []
    case .column: columns = [SQLIdentifier(object.name)]
    case .constraint:
      let constraint = table.constraints.first { $0.name.name == object.name }
      columns = constraint.map { $0.isPrimaryKey ? [] : $0.columns } ?? []
    case .index: columns = table.indexes.first { $0.name.name == object.name }?.columns ?? []
    case .trigger, .function:
      if let derived = projection.derivedElement(of: object) {
        self = derived
        return
      }
      let trigger = table.triggers.first { $0.name.name == object.name }
      columns = trigger?.body.identifiers ?? []
    }
    let origins = columns.compactMap { projection.columnOrigins[name]?[$0] }
    guard
      let element = origins.first(where: { !$0.isKind }).map(\.element)
        ?? projection.tableOrigins[name].map(\.element)
    else { return nil }
    self = element
  }
}

extension ModelProjection {
  /// The trigger may be of another table than the attribute whose values it keeps.
  fileprivate func derivedElement(of object: CatalogObject) -> StoredElement? {
    let table = SQLIdentifier(object.table)
    let place = derivations.first { _, derivation in
      derivation.triggers[table]?.contains { $0.name.name == object.name } ?? false
    }?.key
    return place.flatMap { columnOrigins[$0.table]?[$0.column]?.element }
  }
}

extension ColumnOrigin {
  /// A Boolean value that indicates whether the column is a discriminator.
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
