/// The parts of a model while it is interpreted: parts that give way change at their positions, and are
/// taken out at the end.
struct EditedParts {
  private let original: ManagedObjectModel
  private var entities: [EntityDescription]
  private var configurations: [ModelConfiguration]
  private var fetchRequests: [FetchRequestTemplate]

  init(_ model: ManagedObjectModel) {
    original = model
    entities = model.entities
    configurations = model.configurations
    fetchRequests = model.fetchRequests
  }

  /// The model with the changes.
  var model: ManagedObjectModel {
    ManagedObjectModel(
      entities: entities,
      composites: original.composites,
      configurations: configurations,
      fetchRequests: fetchRequests,
      versionIdentifier: original.versionIdentifier,
      foreign: original.foreign
    )
  }

  /// Returns the model without some of its parts.
  func model(without omissions: Set<ModelElement>) -> ManagedObjectModel {
    var parts = self
    func kept<Part>(_ parts: [Part], _ element: (Int) -> ModelElement) -> [Part] {
      parts.enumerated().filter { !omissions.contains(element($0.offset)) }.map(\.element)
    }
    for index in entities.indices {
      let entity = entities[index]
      parts.entities[index].attributes = kept(entity.attributes) { .attribute(entity: index, $0) }
      parts.entities[index].relationships =
        kept(entity.relationships) { .relationship(entity: index, $0) }
      parts.entities[index].fetchIndexes =
        kept(entity.fetchIndexes) { .fetchIndex(entity: index, $0) }
      parts.entities[index].compoundIndexes =
        kept(entity.compoundIndexes) { .compoundIndex(entity: index, $0) }
      parts.entities[index].uniquenessConstraints =
        kept(entity.uniquenessConstraints) { .uniquenessConstraint(entity: index, $0) }
    }
    parts.configurations = kept(configurations) { .configuration($0) }
    parts.fetchRequests = kept(fetchRequests) { .fetchRequest($0) }
    return parts.model
  }

  // MARK: - Readings

  /// Has a part give way; `nil` if nothing can be done about the complaint without losing values.
  mutating func interpret(
    _ complaint: ModelComplaint,
    _ omissions: inout Set<ModelElement>
  ) -> OddityReading? {
    let element = complaint.element
    guard !omissions.contains(element) else { return nil }
    switch complaint.fact {
    case .unrecognizedInverse, .inverseOfOther, .inverseToOtherEntity:
      changeRelationship(element) { $0.inverseName = nil }
      return .withoutInverse
    case .orderedToOne:
      changeRelationship(element) { $0.isOrdered = false }
      return .withoutOrder
    case .maximumOfToOne:
      changeRelationship(element) { $0.maximumCount = 1 }
      return .withoutLimits
    case .reversedCounts:
      changeRelationship(element) { relationship in
        relationship.minimumCount = 0
        relationship.maximumCount = relationship.isToMany ? 0 : 1
      }
      return .withoutLimits
    case .reversedBounds: return withoutBounds(element)
    case .inheritedName(let name): return inherited(element, from: name, &omissions)
    case .duplicateName: return duplicate(element, &omissions)
    case .emptyList, .propertyWithoutColumn:
      return isIndexOrConstraint(element) ? leaveOut(element, &omissions) : nil
    case .repeatedProperty(let name):
      changeList(element) { names in
        names = names.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
      }
      return isIndexOrConstraint(element) ? .once(name) : nil
    case .unrecognizedProperty(let name, _, _):
      // A constraint on fewer properties would refuse rows that the application saves.
      if case .uniquenessConstraint = element { return leaveOut(element, &omissions) }
      changeList(element) { $0.removeAll { $0 == name } }
      return isIndexOrConstraint(element) ? .without(name) : nil
    case .unrecognizedEntity(let name, _):
      guard case .configuration(let index) = element else { return nil }
      configurations[index].entityNames.removeAll { $0 == name }
      return .without(name)
    case .emptyName:
      guard case .fetchIndex(let entity, let index) = element else { return nil }
      return rename(entity, index, from: "index")
    case _: return nil  // The other faults are about values, or about settings of our own.
    }
  }

  private mutating func leaveOut(
    _ element: ModelElement,
    _ omissions: inout Set<ModelElement>
  ) -> OddityReading {
    omissions.insert(element)
    return .leftOut
  }

  private func isIndexOrConstraint(_ element: ModelElement) -> Bool {
    switch element {
    case .uniquenessConstraint, .compoundIndex, .fetchIndex: true
    case .model, .entity, .attribute, .relationship, .fetchedProperty, .composite,
      .compositeElement, .configuration, .fetchRequest:
      false
    }
  }

  private mutating func changeRelationship(
    _ element: ModelElement,
    _ change: (inout RelationshipDescription) -> Void
  ) {
    guard case .relationship(let entity, let index) = element else { return }
    change(&entities[entity].relationships[index])
  }

  private mutating func changeList(_ element: ModelElement, _ change: (inout [String]) -> Void) {
    switch element {
    case .uniquenessConstraint(let entity, let index):
      change(&entities[entity].uniquenessConstraints[index])
    case .compoundIndex(let entity, let index):
      change(&entities[entity].compoundIndexes[index])
    case .fetchIndex(let entity, let index):
      let elements = entities[entity].fetchIndexes[index].elements
      var names = elements.compactMap(\.propertyName)
      change(&names)
      // The names that are left, each where it stands first.
      entities[entity].fetchIndexes[index].elements = elements.filter { element in
        guard let name = element.propertyName else { return true }
        guard let position = names.firstIndex(of: name) else { return false }
        names.remove(at: position)
        return true
      }
    case .model, .entity, .attribute, .relationship, .fetchedProperty, .composite,
      .compositeElement, .configuration, .fetchRequest:
      break
    }
  }

  private mutating func withoutBounds(_ element: ModelElement) -> OddityReading? {
    guard case .attribute(let entity, let index) = element,
      !entities[entity].attributes[index].validation.isEnforced
    else { return nil }
    let pattern = entities[entity].attributes[index].validation.pattern
    entities[entity].attributes[index].validation = AttributeValidation(pattern: pattern)
    return .withoutLimits
  }

  /// An attribute that repeats one of a superentity in all that makes its column has the same values.
  private mutating func inherited(
    _ element: ModelElement,
    from name: String,
    _ omissions: inout Set<ModelElement>
  ) -> OddityReading? {
    guard case .attribute(let entity, let index) = element,
      let ancestor = original.entity(named: name)
    else { return nil }
    let attribute = entities[entity].attributes[index]
    let isSame = ancestor.attributes.contains {
      $0.name == attribute.name && $0.type == attribute.type
        && $0.isTransient == attribute.isTransient && attribute.columnName == nil
        && $0.derivationExpression == attribute.derivationExpression
    }
    guard isSame else { return nil }
    omissions.insert(element)
    return .inherited(from: name)
  }

  private mutating func duplicate(
    _ element: ModelElement,
    _ omissions: inout Set<ModelElement>
  ) -> OddityReading? {
    switch element {
    case .configuration(let index):
      let configuration = configurations[index]
      guard let first = configurations.firstIndex(where: { $0.name == configuration.name })
      else { return nil }
      let known = configurations[first].entityNames
      configurations[first].entityNames +=
        configuration.entityNames.filter { !known.contains($0) }
      omissions.insert(element)
      return .addedToFirst
    case .fetchRequest:
      omissions.insert(element)
      return .first
    case .fetchIndex(let entity, let index):
      return rename(entity, index, from: entities[entity].fetchIndexes[index].name)
    case .model, .entity, .attribute, .relationship, .fetchedProperty, .compoundIndex,
      .uniquenessConstraint, .composite, .compositeElement:
      return nil
    }
  }

  /// Gives an index a name that no other of its entity has.
  private mutating func rename(_ entity: Int, _ index: Int, from stem: String) -> OddityReading {
    let taken = Set(entities[entity].fetchIndexes.map(\.name))
    var number = 2
    while taken.contains("\(stem) \(number)") { number += 1 }
    entities[entity].fetchIndexes[index].name = "\(stem) \(number)"
    return .called("\(stem) \(number)")
  }
}
