internal import Diagnostics
internal import ObjectModel

/// SQL, as far as it names entities and properties through placeholders.
extension MappingValidator {
  mutating func check(_ template: SQLTemplate, of element: MappingElement, isStage: Bool) {
    for variable in template.variables {
      add(.variableInSQL(variable), to: element, .name(variable))
    }
    for placeholder in template.placeholders {
      switch placeholder {
      case .map(let name):
        // Which of them have a map is known when the tables are.
        let names = mappingModel.entityMappings.map(\.name) + inferredNames
        if !names.contains(name) {
          let suggestion = suggestion(for: name, among: names)
          add(
            .placeholderMapping(placeholder, name, suggestion: suggestion),
            to: element,
            .placeholder(placeholder)
          )
        }
      case .chunk:
        if !isStage { add(.chunkOutsideOfStage, to: element, .placeholder(placeholder)) }
      case .sourceEntity(let name): checkNames(name, nil, .source, placeholder, of: element)
      case .sourceProperty(let entity, let name):
        checkNames(entity, name, .source, placeholder, of: element)
      case .destinationEntity(let name):
        checkNames(name, nil, .destination, placeholder, of: element)
      case .destinationProperty(let entity, let name):
        checkNames(entity, name, .destination, placeholder, of: element)
      }
    }
  }

  private mutating func checkNames(
    _ entityName: String,
    _ propertyName: String?,
    _ end: MappingComplaint.End,
    _ placeholder: SQLTemplate.Placeholder,
    of element: MappingElement
  ) {
    let model = model(end)
    guard let entity = model.entity(named: entityName) else {
      let suggestion = suggestion(for: entityName, among: model.entities.map(\.name))
      return add(
        .placeholderEntity(placeholder, entityName, end, suggestion: suggestion),
        to: element,
        .placeholder(placeholder)
      )
    }
    guard let propertyName else { return }
    let names =
      model.effectiveAttributes(of: entity).map(\.name)
      + model.effectiveRelationships(of: entity).map(\.name)
    guard !names.contains(propertyName) else { return }
    add(
      .placeholderProperty(
        placeholder,
        propertyName,
        entity: entityName,
        suggestion: suggestion(for: propertyName, among: names)
      ),
      to: element,
      .placeholder(placeholder)
    )
  }
}
