/// What in a model something in the catalog stands for.
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
