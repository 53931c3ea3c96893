extension ManagedObjectModel {
  /// Returns what a message calls a part of the model: `attribute "title" of entity "Book"`.
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
