/// A part of a model by its position, which distinguishes parts with the same name.
package enum ModelElement: Hashable, Sendable {
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

  /// The part that contains this one, whose location can be known where this one's is not.
  package var enclosing: ModelElement? {
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

extension ManagedObjectModel {
  /// Returns the name of a part in messages: `attribute "title" of entity "Book"`.
  package func phrase(for element: ModelElement) -> String {
    switch element {
    case .model:
      "model"
    case .entity(let index):
      "entity \"\(entities[index].name)\""
    case .attribute(let entity, let index):
      "attribute \"\(entities[entity].attributes[index].name)\" of \(phrase(for: .entity(entity)))"
    case .relationship(let entity, let index):
      "relationship \"\(entities[entity].relationships[index].name)\" of "
        + phrase(for: .entity(entity))
    case .fetchedProperty(let entity, let index):
      "fetched property \"\(entities[entity].fetchedProperties[index].name)\" of "
        + phrase(for: .entity(entity))
    case .fetchIndex(let entity, let index):
      "index \"\(entities[entity].fetchIndexes[index].name)\" of \(phrase(for: .entity(entity)))"
    case .compoundIndex(let entity, let index):
      "compound index \(index + 1) of \(phrase(for: .entity(entity)))"
    case .uniquenessConstraint(let entity, let index):
      "uniqueness constraint \(index + 1) of \(phrase(for: .entity(entity)))"
    case .composite(let index):
      "composite \"\(composites[index].name)\""
    case .compositeElement(let composite, let index):
      "element \"\(composites[composite].elements[index].name)\" of "
        + phrase(for: .composite(composite))
    case .configuration(let index):
      "configuration \"\(configurations[index].name)\""
    case .fetchRequest(let index):
      "fetch request \"\(fetchRequests[index].name)\""
    }
  }
}
