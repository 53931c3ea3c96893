package import Diagnostics
internal import ObjectModel

extension LoadedModel {
  /// Returns the line of an entity, or of a property of it.
  ///
  /// - Parameters:
  ///   - propertyName: The property; the entity's line is returned if the file does not have it.
  ///   - entityName: The entity.
  /// - Returns: The location; `nil` if the model has no such entity.
  package func location(
    of propertyName: String?,
    inEntity entityName: String
  ) -> SourceLocation? {
    guard let index = model.entities.firstIndex(where: { $0.name == entityName }) else {
      return nil
    }
    guard let propertyName else { return locations.location(of: .entity(index)) }
    // A table has the properties of a whole hierarchy.
    let lineage = model.lineage(of: model.entities[index]).map(\.name)
    let holders =
      [index] + model.entities.indices.filter { lineage.contains(model.entities[$0].name) }
    for holder in holders {
      let entity = model.entities[holder]
      if let position = entity.attributes.firstIndex(where: { $0.name == propertyName }) {
        return locations.location(of: .attribute(entity: holder, position))
      }
      if let position = entity.relationships.firstIndex(where: { $0.name == propertyName }) {
        return locations.location(of: .relationship(entity: holder, position))
      }
    }
    return locations.location(of: .entity(index))
  }

  /// The beginning of the file.
  package var beginning: SourceLocation { locations.location(of: .model) }
}
