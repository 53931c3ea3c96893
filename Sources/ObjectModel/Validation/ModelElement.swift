/// A part of a model by its position, so that even two parts of one name can be told apart.
public enum ModelElement: Hashable, Sendable {
  case model
  case entity(Int)
  case attribute(entity: Int, Int)
  case relationship(entity: Int, Int)
  case fetchedProperty(entity: Int, Int)
  case fetchIndex(entity: Int, Int)
  case compoundIndex(entity: Int, Int)
  case uniquenessConstraint(entity: Int, Int)
  case composite(Int)
  case compositeElement(composite: Int, Int)
  case configuration(Int)
  case fetchRequest(Int)

  /// The part that this one stands in, for which there may be a place where there is none for this.
  public var enclosing: ModelElement? {
    switch self {
    case .model: nil
    case .attribute(let entity, _), .relationship(let entity, _), .fetchedProperty(let entity, _),
      .fetchIndex(let entity, _), .compoundIndex(let entity, _),
      .uniquenessConstraint(let entity, _):
      .entity(entity)
    case .compositeElement(let composite, _): .composite(composite)
    case .entity, .composite, .configuration, .fetchRequest: .model
    }
  }
}
