internal import ObjectModel

extension MappingRequirements {
  mutating func addRequirements(
    of attribute: AttributeDescription,
    declaredBy entity: EntityDescription,
    _ rows: [ModelPairing.RowOrigin]
  ) {
    // A computed attribute needs no origin.
    guard !attribute.isComputed else { return }
    for leaf in pairing.destination.leaves(of: AttributePart(attribute)) {
      addRequirements(of: leaf, of: attribute, declaredBy: entity, rows)
    }
  }

  private mutating func addRequirements(
    of leaf: AttributePart,
    of attribute: AttributeDescription,
    declaredBy entity: EntityDescription,
    _ rows: [ModelPairing.RowOrigin]
  ) {
    let path = PropertyPath(attribute.name, elements: leaf.path)
    var requirements: [(requirement: DataPrecondition.Requirement, row: ModelPairing.RowOrigin)] =
      []
    var declaring: [String: String] = [:]
    for row in rows {
      let fallback = pairing.fallback(of: path, of: row.destination.name)
      let hasValue = !leaf.isRequired || fallback != nil
      guard let before = pairing.sourcePart(path, of: row) else {
        // The server fills new columns by their SQL.
        if !hasValue, attribute.defaultExpression == nil, attribute.numbering == nil {
          requirements.append((.noRows(requiredProperty: path.description), row))
        }
        continue
      }
      let (type, newType) = (before.part.description.type, leaf.description.type)
      declaring[row.source.name] = before.declaringEntity.name
      if isChecked(type, newType) {
        requirements.append((.valuesFit(before.path, type, into: newType), row))
      }
      if leaf.description.validation.isNewlyEnforced(after: before.part.description, in: newType) {
        let validation = leaf.description.validation
        requirements.append((.valuesValid(before.path, validation, of: newType), row))
      }
      if !before.part.isRequired, !hasValue {
        requirements.append((.noNulls(before.path), row))
      }
    }
    // A new part is reported for the entity that gets it.
    let owner = pairing.sourceEntity(of: entity.name)?.name
    require(requirements) { declaring[$0.source.name] ?? owner ?? $0.source.name }
  }

  /// Returns whether values of a type need not have counterparts in the type that they are mapped to.
  func isChecked(_ type: AttributeType, _ newType: AttributeType) -> Bool {
    AttributeConversion(from: type, to: newType, isReturn: true) == .checked
  }

  /// Asks that there be no duplicates where the destination has a uniqueness constraint that the
  /// source does not have, or where nulls are filled that may differ from one another before.
  mutating func addUniqueness(of entity: EntityDescription, _ rows: [ModelPairing.RowOrigin]) {
    let ranges = Set(
      pairing.destination.effectiveAttributes(of: entity)
        .filter { attribute in
          pairing.destination.leaves(of: AttributePart(attribute))
            .contains { $0.description.type.traits.indexMethod == .gist }
        }
        .map(\.name)
    )
    // Only the server knows which ranges overlap.
    for constraint in entity.uniquenessConstraints where ranges.isDisjoint(with: constraint) {
      var values: [DataPrecondition.UniqueValue] = []
      var isFilled = false
      // Nulls are never duplicates of each other, so rows without the property are not checked.
      var present = Set(rows.map(\.source.name))
      for name in constraint {
        let sources = uniqueSources(of: name, rows)
        isFilled = isFilled || sources.contains { $0.fill != nil }
        present.formIntersection(sources.flatMap(\.memberNames))
        values.append(DataPrecondition.UniqueValue(sources: sources))
      }
      let members = rows.filter { present.contains($0.source.name) }
      guard !members.isEmpty, isFilled || !wasUnique(constraint, members) else { continue }
      require(
        .noDuplicates(values),
        of: members.map(\.source.name),
        about: pairing.sourceEntity(of: entity.name)?.name ?? members[0].source.name
      )
    }
  }

  private func uniqueSources(
    of name: String,
    _ rows: [ModelPairing.RowOrigin]
  ) -> [DataPrecondition.UniqueValue.Source] {
    var groups: [(property: String?, declaring: String, fill: AttributeValue?, names: [String])] =
      []
    for row in rows {
      let mapping = pairing.mapping(of: name, of: row.destination.name)
      let property: String?
      let declaring: String
      if let (entity, attribute) = pairing.sourceAttribute(name, of: row) {
        (property, declaring) = (attribute.name, entity.name)
      } else if let (entity, relationship) = pairing.sourceRelationship(name, of: row) {
        guard case .ownKey = pairing.source.storage(of: relationship, declaredBy: entity) else {
          continue
        }
        (property, declaring) = (relationship.name, entity.name)
      } else {
        guard mapping?.fallback != nil else { continue }
        (property, declaring) = (nil, "")
      }
      let position = groups.firstIndex {
        $0.property == property && $0.declaring == declaring && $0.fill == mapping?.fallback
      }
      if let position {
        groups[position].names.append(row.source.name)
      } else {
        groups.append((property, declaring, mapping?.fallback, [row.source.name]))
      }
    }
    return groups.map { .init(memberNames: $0.names, property: $0.property, fill: $0.fill) }
  }

  /// Returns whether a uniqueness constraint of the source covers all these rows already.
  private func wasUnique(_ constraint: [String], _ rows: [ModelPairing.RowOrigin]) -> Bool {
    guard let first = rows.first else { return true }
    let names = constraint.map { sourceName(of: $0, first) }
    guard !names.contains(nil),
      rows.allSatisfy({ row in constraint.map { sourceName(of: $0, row) } == names })
    else { return false }
    let before = Set(names.compactMap(\.self))
    return pairing.source.entities.contains { entity in
      // Uniqueness in fewer properties implies uniqueness in all of them.
      guard
        entity.uniquenessConstraints.contains(where: { !$0.isEmpty && before.isSuperset(of: $0) })
      else { return false }
      let family = Set(pairing.source.family(of: entity).map(\.name))
      return rows.allSatisfy { family.contains($0.source.name) }
    }
  }

  private func sourceName(of property: String, _ row: ModelPairing.RowOrigin) -> String? {
    pairing.sourceAttribute(property, of: row)?.attribute.name
      ?? pairing.sourceRelationship(property, of: row)?.relationship.name
  }
}
