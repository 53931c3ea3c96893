import ObjectModel

/// All that a model says, each under the canonical names of what it is about.
struct ModelFacts {
  private(set) var values: [String: String] = [:]
  private let model: ManagedObjectModel

  init(_ model: ManagedObjectModel) {
    self.model = model
    for entity in model.entities { add(entity) }
    for composite in model.composites {
      values["C:\(composite.name)"] = "there"
      for element in composite.elements { add(element, in: "C:\(composite.name)") }
    }
  }

  /// Returns the facts in which two versions both differ from their base, and from each other.
  static func clashes(_ base: ModelFacts, _ first: ModelFacts, _ second: ModelFacts) -> [String] {
    keys(base, first, second).filter { key in
      let (before, left, right) = (base.values[key], first.values[key], second.values[key])
      return left != before && right != before && left != right
    }
  }

  /// Returns the facts of a merge that are not those of the version that changed them.
  static func losses(
    _ base: ModelFacts,
    _ first: ModelFacts,
    _ second: ModelFacts,
    in merged: ModelFacts
  ) -> [String] {
    keys(base, first, second).union(merged.values.keys).filter { key in
      let (before, left, right) = (base.values[key], first.values[key], second.values[key])
      return merged.values[key] != (left == before ? right : left)
    }
  }

  /// Returns whether a version changes a part of the base that another version removed.
  static func changesRemovedParts(
    _ base: ModelFacts,
    _ version: ModelFacts,
    removedBy other: ModelFacts
  ) -> Bool {
    let kinds = ["there", "attribute", "relationship"]
    let removed = base.values.filter {
      kinds.contains($0.value) && other.values[$0.key] != $0.value
    }
    .keys
    return removed.contains { part in
      keys(base, version).contains { key in
        key.hasPrefix(part) && version.values[key] != base.values[key]
      }
    }
  }

  private static func keys(_ facts: ModelFacts...) -> Set<String> {
    Set(facts.flatMap(\.values.keys))
  }

  // MARK: - Parts

  private mutating func add(_ entity: EntityDescription) {
    let place = name(of: entity.name)
    values[place] = "there"
    values["\(place).name"] = entity.name
    values["\(place).parent"] = entity.superentityName.map(name(of:)) ?? "none"
    values["\(place).abstract"] = "\(entity.isAbstract)"
    values["\(place).table"] = entity.tableName ?? "none"
    values["\(place).key"] = entity.key.description
    values["\(place).modifier"] = entity.versionHashModifier ?? "none"
    for attribute in entity.attributes { add(attribute, in: place) }
    for relationship in entity.relationships { add(relationship, in: place) }
    for list in entity.uniquenessConstraints {
      values["\(place) unique \(list.map { self.place(of: $0, entity) })"] = "there"
    }
    for list in entity.compoundIndexes {
      values["\(place) index \(list.map { self.place(of: $0, entity) })"] = "there"
    }
    for index in entity.fetchIndexes {
      let elements = index.elements.map {
        "\($0.propertyName.map { self.place(of: $0, entity) } ?? "") \($0.isAscending)"
      }
      values["\(place) index \(index.name)"] = "\(elements)"
    }
  }

  private mutating func add(_ attribute: AttributeDescription, in owner: String) {
    let place = "\(owner)/a:\(attribute.canonicalName)"
    values[place] = "attribute"
    values["\(place).name"] = attribute.name
    values["\(place).type"] = attribute.type.description
    values["\(place).optional"] = "\(attribute.isOptional)"
    values["\(place).transient"] = "\(attribute.isTransient)"
    values["\(place).default"] = attribute.defaultValue.map { "\($0)" } ?? "none"
    values["\(place).column"] = attribute.columnName ?? "none"
    values["\(place).indexed"] = "\(attribute.isIndexed)"
    values["\(place).derivation"] = attribute.derivationExpression ?? "none"
  }

  private mutating func add(_ relationship: RelationshipDescription, in owner: String) {
    let place = "\(owner)/r:\(relationship.canonicalName)"
    values[place] = "relationship"
    values["\(place).name"] = relationship.name
    values["\(place).to"] = name(of: relationship.destinationEntityName)
    values["\(place).inverse"] =
      relationship.inverseName.map { inverse in
        model.entity(named: relationship.destinationEntityName)
          .map { self.place(of: inverse, $0) } ?? inverse
      } ?? "none"
    values["\(place).many"] = "\(relationship.isToMany)"
    values["\(place).ordered"] = "\(relationship.isOrdered)"
    values["\(place).optional"] = "\(relationship.isOptional)"
    values["\(place).counts"] = "\(relationship.minimumCount)"
    values["\(place).maximum"] = "\(relationship.maximumCount)"
    values["\(place).delete"] = relationship.deleteRule.rawValue
    values["\(place).column"] = relationship.columnName ?? "none"
    values["\(place).join"] = relationship.joinTableName ?? "none"
  }

  private func name(of entity: String) -> String {
    model.entity(named: entity)?.canonicalName ?? "missing \(entity)"
  }

  private func place(of property: String, _ entity: EntityDescription) -> String {
    let found = model.nearest(of: entity) { entity in
      entity.attributes.first { $0.name == property }.map { "a:\($0.canonicalName)" }
        ?? entity.relationships.first { $0.name == property }.map { "r:\($0.canonicalName)" }
    }
    return found.map { "\($0.declaringEntity.canonicalName)/\($0.property)" }
      ?? "missing \(property)"
  }
}
