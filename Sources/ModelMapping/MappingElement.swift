/// A part of a mapping model by its position, which distinguishes parts with the same name.
package enum MappingElement: Hashable, Sendable {
  case mappingModel
  case before(Int)
  case after(Int)
  case entityMapping(Int)
  case source(entityMapping: Int)
  case destination(entityMapping: Int)
  case condition(entityMapping: Int)
  case distinct(entityMapping: Int)
  case distinctKey(entityMapping: Int, Int)
  case distinctOrder(entityMapping: Int, Int)
  case forEach(entityMapping: Int)
  case attributeMapping(entityMapping: Int, Int)
  case relationshipMapping(entityMapping: Int, Int)
  case policy(entityMapping: Int)
  case stage(entityMapping: Int, SQLMigrationPolicy.Stage)
  case dependency(entityMapping: Int, Int)

  /// The part that contains this one, whose location can be known where this one's is not.
  package var enclosing: MappingElement? {
    switch self {
    case .mappingModel: nil
    case .before, .after, .entityMapping: .mappingModel
    case .source(let index), .destination(let index), .condition(let index), .distinct(let index),
      .forEach(let index), .attributeMapping(let index, _), .relationshipMapping(let index, _),
      .policy(let index), .dependency(let index, _):
      .entityMapping(index)
    case .distinctKey(let index, _), .distinctOrder(let index, _): .distinct(entityMapping: index)
    case .stage(let index, _): .policy(entityMapping: index)
    }
  }

  /// The position of the entity mapping that the part is of.
  package var entityMappingIndex: Int? {
    switch self {
    case .mappingModel, .before, .after: nil
    case .entityMapping(let index), .source(let index), .destination(let index),
      .condition(let index), .distinct(let index), .distinctKey(let index, _),
      .distinctOrder(let index, _), .forEach(let index), .attributeMapping(let index, _),
      .relationshipMapping(let index, _), .policy(let index), .stage(let index, _),
      .dependency(let index, _):
      index
    }
  }
}

extension MappingModel {
  /// Returns the name of a part in messages: `attribute "title" of entity mapping "BookToBook"`.
  package func phrase(for element: MappingElement) -> String {
    switch element {
    case .mappingModel: "mapping model"
    case .before(let index): "statement \(index + 1) of \"before\""
    case .after(let index): "statement \(index + 1) of \"after\""
    case .entityMapping(let index): "entity mapping \"\(entityMappings[index].name)\""
    case .source(let index): "source of \(phrase(for: .entityMapping(index)))"
    case .destination(let index): "destination of \(phrase(for: .entityMapping(index)))"
    case .condition(let index): "condition of \(phrase(for: .entityMapping(index)))"
    case .distinct(let index): "distinction of \(phrase(for: .entityMapping(index)))"
    case .distinctKey(let index, let key):
      "key \(key + 1) of the \(phrase(for: .distinct(entityMapping: index)))"
    case .distinctOrder(let index, let part):
      "order \(part + 1) of the \(phrase(for: .distinct(entityMapping: index)))"
    case .forEach(let index): "\"forEach\" of \(phrase(for: .entityMapping(index)))"
    case .attributeMapping(let index, let attribute):
      "attribute \"\(entityMappings[index].attributeMappings[attribute].name)\" of "
        + phrase(for: .entityMapping(index))
    case .relationshipMapping(let index, let relationship):
      "relationship \"\(entityMappings[index].relationshipMappings[relationship].name)\" of "
        + phrase(for: .entityMapping(index))
    case .policy(let index): "policy of \(phrase(for: .entityMapping(index)))"
    case .stage(let index, let stage):
      "stage \"\(stage.rawValue)\" of \(phrase(for: .entityMapping(index)))"
    case .dependency(let index, _): "\"dependsOn\" of \(phrase(for: .entityMapping(index)))"
    }
  }
}
