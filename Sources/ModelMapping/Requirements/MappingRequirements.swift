internal import ObjectModel

/// Collects the preconditions of a mapping on the rows: a pure function of the mapping and the two
/// versions.
struct MappingRequirements {
  let pairing: ModelPairing
  private(set) var preconditions: [DataPrecondition] = []
  private var known: Set<DataPrecondition> = []

  /// - Parameters:
  ///   - pairing: The versions, paired by the mapping.
  ///   - copied: The rebuilt tables, which have their own preconditions.
  init(of pairing: ModelPairing, besides copied: CopyScope) {
    self.pairing = pairing
    for entity in pairing.destination.entities {
      if copied.rootNames.contains(pairing.destination.root(of: entity).name) { continue }
      if isUnchanged(entity) { continue }
      let rows = pairing.rowOrigins(of: entity)
      guard !rows.isEmpty else { continue }
      for attribute in entity.attributes where !attribute.isTransient {
        addRequirements(of: attribute, declaredBy: entity, rows)
      }
      for relationship in entity.relationships
      where !relationship.isTransient && !copied.makes(relationship, declaredBy: entity) {
        addRequirements(of: relationship, declaredBy: entity, rows)
      }
      addUniqueness(of: entity, rows)
    }
    for entity in pairing.source.entities where !entity.isAbstract {
      guard pairing.destinationEntity(of: entity.name)?.isAbstract ?? false else { continue }
      require(.noRowsOfAbstract, of: [entity.name], about: entity.name)
    }
  }

  /// Adds the precondition that inferred values fit their types in copied rows, since a cast
  /// truncates them silently.
  ///
  /// - Parameters:
  ///   - mapping: The whole mapping.
  ///   - copied: The rebuilt tables.
  mutating func addFits(of mapping: MappingModel, in copied: CopyScope) {
    for entity in mapping.entityMappings {
      guard let before = entity.sourceEntityName.flatMap({ pairing.source.entity(named: $0) }),
        let after = entity.destinationEntityName.flatMap({
          pairing.destination.entity(named: $0)
        }),
        copied.rootNames.contains(pairing.destination.root(of: after).name)
      else { continue }
      let alone = ModelPairing(
        MappingModel(entityMappings: [entity]),
        from: pairing.source,
        to: pairing.destination
      )
      let row = ModelPairing.RowOrigin(source: before, destination: after)
      for attribute in pairing.destination.effectiveAttributes(of: after)
      where !attribute.isTransient && !attribute.isComputed {
        for leaf in pairing.destination.leaves(of: AttributePart(attribute)) {
          let path = PropertyPath(attribute.name, elements: leaf.path)
          guard let part = alone.sourcePart(path, of: row) else { continue }
          let (type, newType) = (part.part.description.type, leaf.description.type)
          guard isChecked(type, newType) else { continue }
          require(
            .valuesFit(part.path, type, into: newType),
            of: [before.name],
            about: part.declaringEntity.name
          )
        }
      }
    }
  }

  /// Most entities of a large model are the same in both versions: their rows need no questions.
  private func isUnchanged(_ entity: EntityDescription) -> Bool {
    guard let source = pairing.sourceEntity(of: entity.name), source == entity,
      entity.superentityName == nil, pairing.destination.subentities(of: entity).isEmpty,
      let mappings = pairing.mappings(of: entity.name),
      // A property removed and added again in between is new although it looks the same.
      entity.attributes.allSatisfy({ $0.isTransient || isSame($0, mappings) })
    else { return false }
    return entity.relationships.allSatisfy { relationship in
      pairing.source.storage(of: relationship, declaredBy: source)
        == pairing.destination.storage(of: relationship, declaredBy: entity)
        && isSameTarget(relationship.destinationEntityName)
        && (relationship.isTransient
          || mappings[relationship.name]?.valueExpression
            == .destinationInstances(sourceRelationship: relationship.name))
        && pairing.source.inverse(of: relationship)?.relationship
          == pairing.destination.inverse(of: relationship)?.relationship
    }
  }

  private func isSame(_ attribute: AttributeDescription, _ mappings: PropertyMappings) -> Bool {
    // The elements of a composite may be other ones under the same name.
    guard let mapping = mappings[attribute.name], !attribute.type.isComposite else { return false }
    return mapping.valueExpression == .sourceAttribute(attribute.name)
  }

  /// Returns whether the rows that a relationship may lead to are all the same ones.
  private func isSameTarget(_ name: String) -> Bool {
    guard let before = pairing.source.entity(named: name),
      let after = pairing.destination.entity(named: name)
    else { return false }
    let family = pairing.source.family(of: before)
    return family.map(\.name) == pairing.destination.family(of: after).map(\.name)
      && family.allSatisfy { member in
        let kept = pairing.destinationEntity(of: member.name)
        return kept?.name == member.name && kept?.isAbstract == member.isAbstract
      }
  }

  mutating func require(
    _ requirement: DataPrecondition.Requirement,
    of memberNames: [String],
    about entityName: String
  ) {
    let precondition = DataPrecondition(
      entityName: entityName,
      memberNames: memberNames,
      requirement: requirement
    )
    if known.insert(precondition).inserted { preconditions.append(precondition) }
  }

  /// Asks the same of several entities, which share one question where they have the same ancestor.
  mutating func require(
    _ requirements: [(requirement: DataPrecondition.Requirement, row: ModelPairing.RowOrigin)],
    declaredBy entityName: (ModelPairing.RowOrigin) -> String
  ) {
    var groups: [(requirement: DataPrecondition.Requirement, entity: String, members: [String])] =
      []
    for (requirement, row) in requirements {
      let declaring = entityName(row)
      let position = groups.firstIndex { $0.requirement == requirement && $0.entity == declaring }
      if let position {
        groups[position].members.append(row.source.name)
      } else {
        groups.append((requirement, declaring, [row.source.name]))
      }
    }
    for group in groups {
      let isOne = group.members.count == 1
      require(
        group.requirement,
        of: group.members,
        about: isOne ? group.members[0] : group.entity
      )
    }
  }
}
