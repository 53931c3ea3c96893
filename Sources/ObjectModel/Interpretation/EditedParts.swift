/// The parts of a model while it is interpreted: parts that give way change at their positions, and are
/// taken out at the end.
///
/// The time it takes grows with the size of the model only, however many complaints there are about one
/// part.
struct EditedParts {
  private let original: ManagedObjectModel
  private var entities: [EntityDescription]
  private var configurations: [ModelConfiguration]
  private var fetchRequests: [FetchRequestTemplate]
  /// The names that lists are read without.
  private var strangers: [ModelElement: Set<String>] = [:]
  /// The lists in which each name counts once.
  private var repetitive: Set<ModelElement> = []
  /// The configurations whose entities are added to the first one of the name.
  private var additions: [Int] = []
  /// The names that the indexes of an entity have, with the last number of each in a new name.
  private var indexNames: [Int: (taken: Set<String>, numbers: [String: Int])] = [:]
  /// The attributes of entities that others inherit from, by their names.
  private var inheritable: [String: [String: AttributeDescription]] = [:]

  init(_ model: ManagedObjectModel) {
    original = model
    entities = model.entities
    configurations = model.configurations
    fetchRequests = model.fetchRequests
  }

  /// The model with all changes.
  var finished: ManagedObjectModel {
    var parts = self
    for element in repetitive {
      parts.changeList(element) { names in
        var seen: Set<String> = []
        names.removeAll { !seen.insert($0).inserted }
      }
    }
    for (element, names) in strangers {
      parts.changeList(element) { $0.removeAll { names.contains($0) } }
    }
    parts.addConfigurations()
    return parts.model
  }

  private mutating func addConfigurations() {
    let added = Set(additions)
    var members: [String: Set<String>] = [:]
    var first: [String: Int] = [:]
    for (index, configuration) in configurations.enumerated() where !added.contains(index) {
      if first[configuration.name] == nil { first[configuration.name] = index }
    }
    for index in additions {
      let configuration = configurations[index]
      guard let target = first[configuration.name] else { continue }
      var known =
        members.removeValue(forKey: configuration.name)
        ?? Set(configurations[target].entityNames)
      configurations[target].entityNames += configuration.entityNames.filter {
        known.insert($0).inserted
      }
      members[configuration.name] = known
    }
  }

  private var model: ManagedObjectModel {
    ManagedObjectModel(
      entities: entities,
      composites: original.composites,
      configurations: configurations,
      fetchRequests: fetchRequests,
      versionIdentifier: original.versionIdentifier,
      foreign: original.foreign,
      layout: original.layout
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
      repetitive.insert(element)
      return .once(name)
    case .unrecognizedProperty(let name, _, _):
      // A constraint on fewer properties would refuse rows that the application saves.
      if case .uniquenessConstraint = element { return leaveOut(element, &omissions) }
      strangers[element, default: []].insert(name)
      return .without(name)
    case .unrecognizedEntity(let name, _):
      strangers[element, default: []].insert(name)
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
      var left = names.reduce(into: [:]) { $0[$1, default: 0] += 1 }
      entities[entity].fetchIndexes[index].elements = elements.filter { element in
        guard let name = element.propertyName else { return true }
        guard let count = left[name], count > 0 else { return false }
        left[name] = count - 1
        return true
      }
    case .configuration(let index): change(&configurations[index].entityNames)
    case .model, .entity, .attribute, .relationship, .fetchedProperty, .composite,
      .compositeElement, .fetchRequest:
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
    guard case .attribute(let entity, let index) = element else { return nil }
    if inheritable[name] == nil {
      inheritable[name] = Dictionary(
        (original.entity(named: name)?.attributes ?? []).map { ($0.name, $0) },
        uniquingKeysWith: { first, _ in first }
      )
    }
    let attribute = entities[entity].attributes[index]
    guard let other = inheritable[name]?[attribute.name], other.type == attribute.type,
      other.isTransient == attribute.isTransient, attribute.columnName == nil,
      other.derivationExpression == attribute.derivationExpression
    else { return nil }
    omissions.insert(element)
    return .inherited(from: name)
  }

  private mutating func duplicate(
    _ element: ModelElement,
    _ omissions: inout Set<ModelElement>
  ) -> OddityReading? {
    switch element {
    case .configuration(let index):
      additions.append(index)
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
    var names =
      indexNames.removeValue(forKey: entity)
      ?? (taken: Set(entities[entity].fetchIndexes.map(\.name)), numbers: [:])
    var number = (names.numbers[stem] ?? 1) + 1
    while !names.taken.insert("\(stem) \(number)").inserted { number += 1 }
    names.numbers[stem] = number
    indexNames[entity] = names
    entities[entity].fetchIndexes[index].name = "\(stem) \(number)"
    return .called("\(stem) \(number)")
  }
}
