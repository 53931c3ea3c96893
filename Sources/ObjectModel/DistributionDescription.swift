/// How Citus spreads the rows of a hierarchy over the nodes of a database.
public enum DistributionDescription: Hashable, Sendable {
  /// Every node has all rows.
  case reference
  /// The value of a property decides which node a row is on: of an attribute or of a relationship to one
  /// object, or the key if it is `nil`.
  ///
  /// Rows with equal values are on the same node as those of the other entity, if one is named.
  case rows(by: String?, colocateWith: String? = nil)
}

extension DistributionDescription {
  /// Which nodes have a row.
  package enum Kind: String, Hashable, Sendable, Codable {
    /// All.
    case reference
    /// One.
    case rows
  }

  /// Which nodes have a row.
  package var kind: Kind {
    switch self {
    case .reference: .reference
    case .rows: .rows
    }
  }

  /// The property that decides which node a row is on; `nil` if the key does, or if all nodes have all rows.
  package var propertyName: String? {
    get {
      if case .rows(let property, _) = self { property } else { nil }
    }
    set {
      if case .rows(_, let entity) = self { self = .rows(by: newValue, colocateWith: entity) }
    }
  }

  /// The entity whose rows with equal values are on the same node, if one is named.
  package var colocatedEntityName: String? {
    get {
      if case .rows(_, let entity) = self { entity } else { nil }
    }
    set {
      if case .rows(let property, _) = self {
        self = .rows(by: property, colocateWith: newValue)
      }
    }
  }
}

extension DistributionDescription: CustomStringConvertible {
  /// The name that stands for the key, whatever its column is called.
  package static let ownKey = "_id"

  /// The distribution on one line, for people.
  public var description: String {
    switch self {
    case .reference: kind.rawValue
    case .rows(let property, nil): "by: \(property ?? Self.ownKey)"
    case .rows(let property, let entity?):
      "by: \(property ?? Self.ownKey), colocateWith: \(entity)"
    }
  }
}

extension ManagedObjectModel {
  /// Returns the root entity beside whose rows those of another are: the one that it names, else the
  /// destination of the relationship by which its rows are distributed, if that is distributed by its key.
  ///
  /// - Parameter entity: A root entity.
  /// - Returns: The other entity; `nil` if there is none.
  package func colocatedEntity(of entity: EntityDescription) -> EntityDescription? {
    guard case .rows(let property, let name) = entity.distribution else { return nil }
    if let name { return self.entity(named: name).flatMap { $0.superentityName == nil ? $0 : nil } }
    guard let link = entity.relationships.first(where: { $0.name == property && !$0.isToMany }),
      let destination = self.entity(named: link.destinationEntityName).map(root(of:)),
      case .rows(by: nil, _) = destination.distribution, destination.name != entity.name
    else { return nil }
    return destination
  }

  /// Returns the name of the entity that stands for all whose rows are beside each other.
  ///
  /// - Parameter entity: A root entity that is distributed by rows.
  /// - Returns: The name; that of the entity itself if its rows are beside no others.
  package func colocation(of entity: EntityDescription) -> String {
    var entity = entity
    var seen: Set<String> = []
    while seen.insert(entity.name).inserted, let other = colocatedEntity(of: entity) {
      entity = other
    }
    return entity.name
  }
}
