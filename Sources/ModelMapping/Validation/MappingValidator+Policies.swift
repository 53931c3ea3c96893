internal import Diagnostics
internal import ObjectModel

extension MappingValidator {
  /// Checks a policy's rows in code.
  mutating func check(
    _ creation: InstanceCreation,
    of mapping: EntityMapping,
    _ sourceEntity: EntityDescription?,
    _ destinationEntity: EntityDescription?,
    at index: Int
  ) {
    let element = MappingElement.policy(entityMapping: index)
    guard let sourceEntity, let destinationEntity else {
      if mapping.sourceEntityName == nil || mapping.destinationEntityName == nil {
        add(.rowsInCodeWithoutEntity, to: element)
      }
      return
    }
    if let name = creation.creatorName {
      let creator = mappingModel.entityMappings.first { $0.name == name }
      let isUsable =
        creator?.sourceEntityName == sourceEntity.name
        && creator?.instanceCreation?.usesManager ?? false && creation.calls.isEmpty
        && creation.count == .any
      if !isUsable { add(.unusableCreator(name), to: element) }
    }
    if mapping.policy.statements[.createDestinationInstances] != nil {
      add(.rowsMadeTwice, to: element)
    }
    if mapping.countsRowsInCode, mapping.distinct != nil || mapping.forEach != nil {
      add(.countsRowsTwice, to: element)
    }
    let settable = destination.storedAttributeNames(of: destinationEntity)
    for name in creation.attributes.sorted() {
      if !settable.contains(name) {
        let suggestion = suggestion(for: name, among: settable)
        add(
          .unsettableAttribute(name, entity: destinationEntity.name, suggestion: suggestion),
          to: element
        )
      } else if mapping.attributeMappings.contains(where: { $0.name == name }),
        !mapping.callsCode(for: name)
      {
        add(.attributeSetTwice(name), to: element)
      }
    }
    let readable =
      source.storedAttributeNames(of: sourceEntity, withDerived: true)
      + source.keyedRelationshipNames(of: sourceEntity)
    for name in (creation.sourceProperties ?? []).sorted() where !readable.contains(name) {
      let suggestion = suggestion(for: name, among: readable)
      add(
        .unreadableProperty(name, entity: sourceEntity.name, suggestion: suggestion),
        to: element
      )
    }
  }
}

extension ManagedObjectModel {
  /// Returns the names of attributes that have columns; of composites the key paths of the elements.
  fileprivate func storedAttributeNames(
    of entity: EntityDescription,
    withDerived: Bool = false
  ) -> [String] {
    effectiveAttributes(of: entity)
      .filter { !$0.isTransient && (withDerived || !$0.isComputed) }
      .flatMap { attribute in
        leaves(of: AttributePart(attribute)).map {
          PropertyPath(attribute.name, elements: $0.path).description
        }
      }
  }

  /// Returns the names of the relationships whose keys are in the rows.
  fileprivate func keyedRelationshipNames(of entity: EntityDescription) -> [String] {
    lineage(of: entity).flatMap { declaring in
      declaring.relationships.filter { relationship in
        guard !relationship.isTransient,
          case .ownKey = storage(of: relationship, declaredBy: declaring)
        else { return false }
        return true
      }.map(\.name)
    }
  }
}
