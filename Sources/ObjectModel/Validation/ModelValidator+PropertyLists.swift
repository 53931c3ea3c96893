import Diagnostics

/// Uniqueness constraints and indexes.
extension ModelValidator {
  mutating func checkPropertyLists(
    of entity: EntityDescription,
    at index: Int,
    in scope: PropertyScope
  ) {
    for (position, names) in entity.uniquenessConstraints.enumerated() {
      let element = ModelElement.uniquenessConstraint(entity: index, position)
      if names.isEmpty { add(.emptyList, to: element) }
      checkColumns(names, of: entity, at: element, in: scope, isUnique: true)
    }
    for (position, names) in entity.compoundIndexes.enumerated() {
      let element = ModelElement.compoundIndex(entity: index, position)
      if names.isEmpty { add(.emptyList, to: element, .warning) }
      checkColumns(names, of: entity, at: element, in: scope, isUnique: false)
    }
    var indexNames: Set<String> = []
    for (position, fetchIndex) in entity.fetchIndexes.enumerated() {
      let element = ModelElement.fetchIndex(entity: index, position)
      checkName(fetchIndex.name, of: element)
      if !indexNames.insert(fetchIndex.name).inserted { add(.duplicateName, to: element) }
      if let definition = fetchIndex.definition {
        checkExpression(definition, "sql", at: element)
        if !fetchIndex.elements.isEmpty { add(.excludingSettings("sql", "elements"), to: element) }
        if fetchIndex.partialPredicate != nil {
          add(.excludingSettings("sql", "where"), to: element)
        }
      } else if fetchIndex.elements.isEmpty {
        add(.emptyList, to: element, .warning)
      }
      let names = fetchIndex.elements.compactMap(\.propertyName)
      checkColumns(names, of: entity, at: element, in: scope, isUnique: false)
    }
  }

  private mutating func checkColumns(
    _ names: [String],
    of entity: EntityDescription,
    at element: ModelElement,
    in scope: PropertyScope,
    isUnique: Bool
  ) {
    var seen: Set<String> = []
    for name in names {
      if !seen.insert(name).inserted { add(.repeatedProperty(name), to: element) }
      guard let property = scope.properties[name] else {
        guard scope.isComplete else { continue }
        let suggestion = similar(to: name, among: scope.properties.keys)
        let fact = ModelComplaint.Fact.unrecognizedProperty(
          name,
          entity: entity.name,
          suggestion: suggestion
        )
        add(fact, to: element)
        continue
      }
      guard !hasColumn(property.element) else { continue }
      // Xcode allows to-many relationships in an index, and real models have them; they have no
      // effect.
      add(.propertyWithoutColumn(name), to: element, isUnique ? .error : .warning)
    }
  }

  private func hasColumn(_ element: ModelElement) -> Bool {
    switch element {
    case .attribute(let entity, let index):
      !model.entities[entity].attributes[index].isTransient
    case .relationship(let entity, let index):
      !model.entities[entity].relationships[index].isToMany
        && !model.entities[entity].relationships[index].isTransient
    case .model, .entity, .fetchedProperty, .fetchIndex, .compoundIndex, .uniquenessConstraint,
      .composite, .compositeElement, .configuration, .fetchRequest:
      false
    }
  }
}
