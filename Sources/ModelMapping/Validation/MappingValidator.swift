internal import Diagnostics
internal import ObjectModel
internal import SQLSyntax

/// Checks a mapping model against its two versions and collects faults.
struct MappingValidator {
  let mappingModel: MappingModel
  let source: ManagedObjectModel
  let destination: ManagedObjectModel
  var complaints: [MappingComplaint] = []

  init(
    _ mappingModel: MappingModel,
    from source: ManagedObjectModel,
    to destination: ManagedObjectModel
  ) {
    self.mappingModel = mappingModel
    self.source = source
    self.destination = destination
  }

  mutating func validate() {
    for (index, template) in mappingModel.before.enumerated() {
      check(template, of: .before(index), isStage: false)
    }
    var names: Set<String> = []
    for (index, mapping) in mappingModel.entityMappings.enumerated() {
      if !names.insert(mapping.name).inserted { add(.duplicateName, to: .entityMapping(index)) }
      check(mapping, at: index)
    }
    for (index, template) in mappingModel.after.enumerated() {
      check(template, of: .after(index), isStage: false)
    }
  }

  mutating func add(
    _ fact: MappingComplaint.Fact,
    to element: MappingElement,
    _ textPart: MappingTextPart? = nil,
    _ severity: Diagnostic.Severity = .error
  ) {
    complaints.append(
      MappingComplaint(element: element, fact: fact, textPart: textPart, severity: severity)
    )
  }

  func model(_ end: MappingComplaint.End) -> ManagedObjectModel {
    switch end {
    case .source: source
    case .destination: destination
    }
  }

  // MARK: - Entity mappings

  private mutating func check(_ mapping: EntityMapping, at index: Int) {
    if mapping.sourceEntityName == nil, mapping.destinationEntityName == nil {
      add(.noEntity, to: .entityMapping(index))
    }
    let sourceEntity = mapping.sourceEntityName.flatMap {
      entity($0, .source, of: .source(entityMapping: index))
    }
    let destinationEntity = mapping.destinationEntityName.flatMap {
      entity($0, .destination, of: .destination(entityMapping: index))
    }
    if let destinationEntity, destinationEntity.isAbstract {
      add(
        .abstractDestination(destinationEntity.name),
        to: .destination(entityMapping: index)
      )
    }
    checkSourceParts(of: mapping, sourceEntity, at: index)
    checkProperties(of: mapping, destinationEntity, at: index)
    checkExpressions(of: mapping, at: index)
    if let creation = mapping.instanceCreation {
      check(creation, of: mapping, sourceEntity, destinationEntity, at: index)
    }
    for stage in SQLMigrationPolicy.Stage.allCases {
      guard let template = mapping.policy.statements[stage] else { continue }
      check(template, of: .stage(entityMapping: index, stage), isStage: true)
      if case .stray(let character) = ReadableSQL(template.textWithoutPlaceholders).fault {
        add(.strayCharacter(character), to: .stage(entityMapping: index, stage))
      }
    }
    for (position, name) in mapping.dependsOn.enumerated() {
      _ = entity(name, .source, of: .dependency(entityMapping: index, position))
    }
  }

  private mutating func entity(
    _ name: String,
    _ end: MappingComplaint.End,
    of element: MappingElement
  ) -> EntityDescription? {
    if let entity = model(end).entity(named: name) { return entity }
    let suggestion = suggestion(for: name, among: model(end).entities.map(\.name))
    add(.unrecognizedEntity(name, end, suggestion: suggestion), to: element)
    return nil
  }

  private mutating func checkSourceParts(
    of mapping: EntityMapping,
    _ entity: EntityDescription?,
    at index: Int
  ) {
    if mapping.sourceEntityName == nil {
      if mapping.condition != nil { add(.withoutSource, to: .condition(entityMapping: index)) }
      if mapping.distinct != nil { add(.withoutSource, to: .distinct(entityMapping: index)) }
      if mapping.forEach != nil { add(.withoutSource, to: .forEach(entityMapping: index)) }
    }
    guard let name = mapping.forEach, let entity else { return }
    let element = MappingElement.forEach(entityMapping: index)
    let relationships = source.effectiveRelationships(of: entity)
    if let relationship = relationships.first(where: { $0.name == name }) {
      if !relationship.isToMany { add(.forEachOfToOne(name), to: element) }
    } else {
      addUnrecognized(name, .relationship, of: entity, in: source, to: element)
    }
  }

  // MARK: - Properties

  private mutating func checkProperties(
    of mapping: EntityMapping,
    _ entity: EntityDescription?,
    at index: Int
  ) {
    let isWithoutDestination = mapping.destinationEntityName == nil
    var names: Set<String> = []
    for (position, property) in mapping.attributeMappings.enumerated() {
      let element = MappingElement.attributeMapping(entityMapping: index, position)
      if !names.insert(property.name).inserted { add(.duplicateProperty, to: element) }
      if isWithoutDestination { add(.withoutDestination, to: element) }
      if let entity { checkAttribute(property.name, of: entity, element) }
    }
    for (position, property) in mapping.relationshipMappings.enumerated() {
      let element = MappingElement.relationshipMapping(entityMapping: index, position)
      if !names.insert(property.name).inserted { add(.duplicateProperty, to: element) }
      if isWithoutDestination { add(.withoutDestination, to: element) }
      if let entity { checkRelationship(property.name, of: entity, element) }
    }
  }

  private mutating func checkAttribute(
    _ name: String,
    of entity: EntityDescription,
    _ element: MappingElement
  ) {
    let attributes = destination.effectiveAttributes(of: entity)
    guard let attribute = attributes.first(where: { $0.name == name }) else {
      return addUnrecognized(name, .attribute, of: entity, in: destination, to: element)
    }
    if attribute.isTransient {
      add(.transientProperty, to: element, nil, .warning)
    } else if attribute.isComputed {
      add(.derivedAttribute, to: element)
    }
  }

  private mutating func checkRelationship(
    _ name: String,
    of entity: EntityDescription,
    _ element: MappingElement
  ) {
    let relationships = destination.effectiveRelationships(of: entity)
    guard let relationship = relationships.first(where: { $0.name == name }) else {
      return addUnrecognized(name, .relationship, of: entity, in: destination, to: element)
    }
    if relationship.isTransient { add(.transientProperty, to: element, nil, .warning) }
  }

  private mutating func addUnrecognized(
    _ name: String,
    _ kind: MappingComplaint.PropertyKind,
    of entity: EntityDescription,
    in model: ManagedObjectModel,
    to element: MappingElement
  ) {
    let attributes = model.effectiveAttributes(of: entity).map(\.name)
    let relationships = model.effectiveRelationships(of: entity).map(\.name)
    let (names, others, other): ([String], [String], MappingComplaint.PropertyKind) =
      switch kind {
      case .attribute: (attributes, relationships, .relationship)
      case .relationship: (relationships, attributes, .attribute)
      }
    guard !others.contains(name) else { return add(.propertyOfOtherKind(name, other), to: element) }
    add(
      .unrecognizedProperty(
        name,
        kind,
        entity: entity.name,
        suggestion: suggestion(for: name, among: names)
      ),
      to: element
    )
  }
}
