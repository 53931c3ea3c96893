internal import Diagnostics
internal import MigrationPlanning
internal import ModelLoading
internal import ModelMapping

extension MappingCatalog {
  /// Returns an error of planning with the places in the mapping models between two versions that it is
  /// about.
  func located(
    _ error: PlanningError,
    from source: String,
    to destination: String
  ) -> PlanningError {
    guard case .unmappable(var faults) = error.fact,
      let mappings = try? mappings(from: source, to: destination), !mappings.isEmpty
    else { return error }
    for index in faults.indices { faults[index].location = mappings.location(of: faults[index]) }
    return PlanningError(fact: .unmappable(faults))
  }
}

extension [LoadedMapping] {
  /// Returns the place of what cannot be carried out.
  func location(of fault: MappingFault) -> SourceLocation {
    for mapping in self {
      let model = mapping.mappingModel
      guard let index = model.entityMappings.firstIndex(where: { $0.name == fault.mappingName })
      else { continue }
      return mapping.locations.location(
        of: fault.part.map { .expression($0) },
        in: model.entityMappings[index].element(of: fault, at: index)
      )
    }
    for mapping in self {
      guard let place = mapping.mappingModel.place(of: fault) else { continue }
      return mapping.locations.location(of: .placeholder(place.placeholder), in: place.element)
    }
    return SourceLocation(path: self[0].path)
  }
}

extension MappingModel {
  /// Returns where a placeholder stands that is of no entity mapping.
  fileprivate func place(
    of fault: MappingFault
  ) -> (element: MappingElement, placeholder: SQLTemplate.Placeholder)? {
    let name: String
    switch fault.fact {
    case .unrecognizedPlaceholder(let text), .untimelyPlaceholder(let text, _): name = text
    default: return nil
    }
    let templates =
      before.enumerated().map { (element: MappingElement.before($0), template: $1) }
      + after.enumerated().map { (element: MappingElement.after($0), template: $1) }
    for (element, template) in templates {
      if let placeholder = template.placeholders.first(where: { $0.description == name }) {
        return (element, placeholder)
      }
    }
    return nil
  }
}

extension EntityMapping {
  /// Returns the part that a fault is about, of the entity mapping at a place of its mapping model.
  fileprivate func element(of fault: MappingFault, at index: Int) -> MappingElement {
    if let name = fault.propertyName {
      if let position = attributeMappings.firstIndex(where: { $0.name == name }) {
        return .attributeMapping(entityMapping: index, position)
      }
      if let position = relationshipMappings.firstIndex(where: { $0.name == name }) {
        return .relationshipMapping(entityMapping: index, position)
      }
    }
    guard let part = fault.part else { return .entityMapping(index) }
    if condition?.parts.contains(part) ?? false { return .condition(entityMapping: index) }
    if let position = distinct?.keys.firstIndex(where: { $0.parts.contains(part) }) {
      return .distinctKey(entityMapping: index, position)
    }
    if let position = distinct?.order.firstIndex(where: { $0.expression.parts.contains(part) }) {
      return .distinctOrder(entityMapping: index, position)
    }
    return .entityMapping(index)
  }
}
