public import ObjectModel

/// All in which two versions of a model differ, entity by entity.
public struct ModelDifference: Hashable, Sendable {
  /// The changes: those of the destination's entities in their order, then removed entities.
  public private(set) var changes: [ModelChange] = []

  /// Compares two versions.
  public init(from source: ManagedObjectModel, to destination: ManagedObjectModel) {
    let matching = ModelMatching(from: source, to: destination)
    let sources = Dictionary(
      matching.entities.pairs.map { ($0.destination.name, $0.source) },
      uniquingKeysWith: { first, _ in first }
    )
    let unchanged = Set(
      matching.entities.pairs.filter { $0.source == $0.destination }.map(\.source.name)
    )
    if source.layout != destination.layout, !source.entities.isEmpty {
      let (before, after) = ("\(source.layout)", "\(destination.layout)")
      changes.append(ModelChange(.layoutChanged, of: "", before: before, after: after))
    }
    for entity in destination.entities {
      if let before = sources[entity.name] {
        // An entity without relationships to changed ones has no changes that another entity
        // explains.
        if unchanged.contains(before.name),
          source.lineage(of: before).allSatisfy({ unchanged.contains($0.name) }),
          before.relationships.allSatisfy({ unchanged.contains($0.destinationEntityName) }),
          before.distribution?.colocatedEntityName.map({ unchanged.contains($0) }) ?? true
        {
          continue
        }
        compare(before, entity, in: matching)
      } else {
        changes.append(ModelChange(.entityAdded, of: entity.name))
      }
    }
    changes += matching.entities.removed.map { ModelChange(.entityRemoved, of: $0.name) }
  }

  // MARK: - Entities

  private mutating func compare(
    _ before: EntityDescription,
    _ after: EntityDescription,
    in matching: ModelMatching
  ) {
    let name = after.name
    if before.name != name {
      changes.append(
        ModelChange(.entityRenamed, of: name, before: before.name, after: name)
      )
    }
    note(.renamingIdentifierChanged, name, nil, before.renamingIdentifier, after.renamingIdentifier)
    let parent = before.superentityName.map { matching.destinationNames[$0] ?? $0 }
    note(.parentChanged, name, nil, parent, after.superentityName)
    note(.abstractChanged, name, nil, before.isAbstract, after.isAbstract)
    note(.tableChanged, name, nil, before.tableName, after.tableName)
    note(.keyChanged, name, nil, before.key.description, after.key.description)
    note(.storageChanged, name, nil, before.storageSummary, after.storageSummary)
    let attributes = NameMatching(before.attributes, after.attributes)
    let relationships = NameMatching(before.relationships, after.relationships)
    note(
      .partitioningChanged,
      name,
      nil,
      before.partitioningSummary(over: attributes),
      after.partitioning?.description
    )
    let names = matching.destinationNames
    note(
      .distributionChanged,
      name,
      nil,
      before.distributionSummary(over: attributes, relationships, entities: names),
      after.distribution?.description
    )
    note(.hashModifierChanged, name, nil, before.versionHashModifier, after.versionHashModifier)

    for pair in attributes.pairs { compare(pair.source, pair.destination, of: name) }
    for attribute in attributes.added {
      let type = attribute.type.description
      changes.append(ModelChange(.attributeAdded, of: name, attribute.name, after: type))
    }
    for attribute in attributes.removed {
      let type = attribute.type.description
      changes.append(ModelChange(.attributeRemoved, of: name, attribute.name, before: type))
    }
    for pair in relationships.pairs {
      compare(pair.source, pair.destination, of: name, in: matching)
    }
    for relationship in relationships.added {
      let kind = relationship.summary
      changes.append(ModelChange(.relationshipAdded, of: name, relationship.name, after: kind))
    }
    for relationship in relationships.removed {
      let kind = relationship.summary
      changes.append(ModelChange(.relationshipRemoved, of: name, relationship.name, before: kind))
    }
    // Indexes and constraints name inherited properties as well.
    let renamed = Dictionary(
      matching.attributes((before, after)).pairs.map { ($0.source.name, $0.destination.name) }
        + matching.relationships((before, after)).pairs
        .map { ($0.source.name, $0.destination.name) },
      uniquingKeysWith: { first, _ in first }
    )
    compareLists(
      before.uniquenessConstraints.map { $0.map { renamed[$0] ?? $0 }.joined(separator: ", ") },
      after.uniquenessConstraints.map { $0.joined(separator: ", ") },
      .uniquenessRemoved,
      .uniquenessAdded,
      of: name
    )
    compareLists(
      before.declaredIndexes.map { $0.summary(renamed: renamed) },
      after.declaredIndexes.map { $0.summary(renamed: [:]) },
      .indexRemoved,
      .indexAdded,
      of: name
    )
    compareLists(
      before.checks.map(\.summary),
      after.checks.map(\.summary),
      .checkRemoved,
      .checkAdded,
      of: name
    )
    compareLists(
      before.objectNameSummaries,
      after.objectNameSummaries,
      .objectNameRemoved,
      .objectNameAdded,
      of: name
    )
  }

  private mutating func compareLists(
    _ before: [String],
    _ after: [String],
    _ removed: ModelChange.Kind,
    _ added: ModelChange.Kind,
    of entity: String
  ) {
    for text in after where !before.contains(text) {
      changes.append(ModelChange(added, of: entity, after: text))
    }
    for text in before where !after.contains(text) {
      changes.append(ModelChange(removed, of: entity, before: text))
    }
  }

  // MARK: - Properties

  private mutating func compare(
    _ before: AttributeDescription,
    _ after: AttributeDescription,
    of entity: String
  ) {
    let name = after.name
    if before.name != name {
      changes.append(
        ModelChange(.attributeRenamed, of: entity, name, before: before.name, after: name)
      )
    }
    note(
      .renamingIdentifierChanged,
      entity,
      name,
      before.renamingIdentifier,
      after.renamingIdentifier
    )
    note(.typeChanged, entity, name, before.type.description, after.type.description)
    note(.optionalChanged, entity, name, before.isOptional, after.isOptional)
    note(.transientChanged, entity, name, before.isTransient, after.isTransient)
    note(
      .defaultChanged,
      entity,
      name,
      before.defaultSummary,
      after.defaultSummary
    )
    note(
      .derivationChanged,
      entity,
      name,
      before.derivationExpression,
      after.derivationExpression
    )
    note(
      .generationChanged,
      entity,
      name,
      before.generationExpression,
      after.generationExpression
    )
    note(
      .numberingChanged,
      entity,
      name,
      before.numbering?.rawValue,
      after.numbering?.rawValue
    )
    note(.columnChanged, entity, name, before.columnName, after.columnName)
    note(.hashModifierChanged, entity, name, before.versionHashModifier, after.versionHashModifier)
    if before.validation != after.validation {
      changes.append(ModelChange(.validationChanged, of: entity, name))
    }
  }

  private mutating func compare(
    _ before: RelationshipDescription,
    _ after: RelationshipDescription,
    of entity: String,
    in matching: ModelMatching
  ) {
    let name = after.name
    if before.name != name {
      changes.append(
        ModelChange(.relationshipRenamed, of: entity, name, before: before.name, after: name)
      )
    }
    note(
      .renamingIdentifierChanged,
      entity,
      name,
      before.renamingIdentifier,
      after.renamingIdentifier
    )
    let destination =
      matching.destinationNames[before.destinationEntityName] ?? before.destinationEntityName
    note(.destinationChanged, entity, name, destination, after.destinationEntityName)
    note(
      .inverseChanged,
      entity,
      name,
      matching.renamedInverse(of: before),
      after.inverseName
    )
    note(.toManyChanged, entity, name, before.isToMany, after.isToMany)
    note(.orderedChanged, entity, name, before.isOrdered, after.isOrdered)
    note(.optionalChanged, entity, name, before.isOptional, after.isOptional)
    note(.transientChanged, entity, name, before.isTransient, after.isTransient)
    if before.isToMany == after.isToMany, before.isOptional == after.isOptional {
      note(.countsChanged, entity, name, before.counts, after.counts)
    }
    note(.deleteRuleChanged, entity, name, before.deleteRule.rawValue, after.deleteRule.rawValue)
    note(
      .referenceChanged,
      entity,
      name,
      before.reference?.description,
      after.reference?.description
    )
    note(.columnChanged, entity, name, before.columnName, after.columnName)
    note(.joinTableChanged, entity, name, before.joinTableName, after.joinTableName)
    note(.hashModifierChanged, entity, name, before.versionHashModifier, after.versionHashModifier)
  }

  private mutating func note(
    _ kind: ModelChange.Kind,
    _ entity: String,
    _ property: String?,
    _ before: String?,
    _ after: String?
  ) {
    guard before != after else { return }
    changes.append(ModelChange(kind, of: entity, property, before: before, after: after))
  }

  private mutating func note(
    _ kind: ModelChange.Kind,
    _ entity: String,
    _ property: String?,
    _ before: Bool,
    _ after: Bool
  ) {
    note(kind, entity, property, before ? "yes" : "no", after ? "yes" : "no")
  }
}

// MARK: - Summaries

extension ModelMatching {
  /// The name that the inverse of a source's relationship has in the destination.
  fileprivate func renamedInverse(of relationship: RelationshipDescription) -> String? {
    guard let inverse = source.inverse(of: relationship),
      let name = destinationNames[inverse.declaringEntity.name],
      let entity = destination.entity(named: name)
    else { return relationship.inverseName }
    let candidates = entity.relationships
    let match =
      candidates.first { $0.canonicalName == inverse.relationship.canonicalName }
      ?? candidates.first { $0.name == inverse.relationship.name }
    return match?.name ?? relationship.inverseName
  }
}

extension RelationshipDescription {
  fileprivate var summary: String { "\(isToMany ? "to-many" : "to-one") \(destinationEntityName)" }

  fileprivate var counts: String {
    "\(effectiveMinimumCount)..\(effectiveMaximumCount == 0 ? "*" : String(effectiveMaximumCount))"
  }
}

extension AttributeDescription {
  fileprivate var defaultSummary: String? {
    defaultValue?.description ?? defaultExpression.map { "SQL \($0)" }
  }
}

extension CheckDescription {
  fileprivate var summary: String { "\(name) (\(expression))" }
}

extension EntityDescription {
  fileprivate var storageSummary: String? {
    storage.isEmpty
      ? nil
      : storage.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
  }

  /// Returns how the table is partitioned, with the attribute's name in the destination.
  fileprivate func partitioningSummary(
    over attributes: NameMatching<AttributeDescription>
  ) -> String? {
    guard var partitioning else { return nil }
    if let pair = attributes.pairs.first(where: { $0.source.name == partitioning.attributeName }) {
      partitioning.attributeName = pair.destination.name
    }
    return partitioning.description
  }

  /// Returns how the rows are distributed, with the names of the property and of the other entity in the
  /// destination.
  fileprivate func distributionSummary(
    over attributes: NameMatching<AttributeDescription>,
    _ relationships: NameMatching<RelationshipDescription>,
    entities: [String: String]
  ) -> String? {
    guard var distribution else { return nil }
    distribution.propertyName = distribution.propertyName.map { name in
      attributes.pairs.first { $0.source.name == name }?.destination.name
        ?? relationships.pairs.first { $0.source.name == name }?.destination.name ?? name
    }
    distribution.colocatedEntityName = distribution.colocatedEntityName.map { entities[$0] ?? $0 }
    return distribution.description
  }

  fileprivate var objectNameSummaries: [String] {
    objectNames.sorted { $0.key < $1.key }.map { "\($0.value) for \($0.key)" }
  }
}

extension FetchIndexDescription {
  fileprivate func summary(renamed: [String: String]) -> String {
    let mark = isUnique ? "unique " : ""
    if let definition { return mark + definition }
    let parts = elements.map { element in
      let name = element.propertyName.map { renamed[$0] ?? $0 } ?? element.expression ?? ""
      return element.isAscending ? name : "\(name) descending"
    }
    return mark + parts.joined(separator: ", ") + (partialPredicate.map { " where \($0)" } ?? "")
  }
}
