import Diagnostics
internal import SQLSyntax

/// Partitions, and what cannot be in a table that has some.
extension ModelValidator {
  mutating func checkPartitioning() {
    // The roots of the entities whose table is partitioned.
    var roots: [Int: Int] = [:]
    for root in model.entities.indices where model.hierarchy.parents[root] == nil {
      guard let partitioning = model.entities[root].partitioning else { continue }
      let family = model.hierarchy.family(of: root)
      for member in family { roots[member] = root }
      checkSettings(of: partitioning, at: .entity(root))
      switch partitioning.attributeName {
      case let name?:
        guard let attribute = partitionAttribute(named: name, at: root, family) else { continue }
        checkType(of: attribute, partitioning.method, at: .entity(root))
      case nil: break
      }
      for member in family { checkUniqueness(at: member, partitioning.attributeName) }
    }
    guard !roots.isEmpty else { return }
    for (index, entity) in model.entities.enumerated() {
      for (position, relationship) in entity.relationships.enumerated()
      where !relationship.isTransient {
        checkLinks(of: relationship, at: (index, position), roots)
      }
    }
  }

  private mutating func add(_ fault: PartitioningFault, to element: ModelElement) {
    add(.partitioning(fault), to: element)
  }

  // MARK: - Settings

  private mutating func checkSettings(
    of partitioning: PartitioningDescription,
    at element: ModelElement
  ) {
    switch partitioning.method {
    case .range(_, let every):
      if !every.isInBounds { add(.intervalOutOfBounds("every", every), to: element) }
      if !(1...100).contains(partitioning.ahead) {
        add(.aheadOutOfBounds(partitioning.ahead), to: element)
      }
      guard let keep = partitioning.retention else { return }
      if !keep.isInBounds { add(.intervalOutOfBounds("keep", keep), to: element) }
      switch keep.isShorter(than: every) {
      case true?: add(.shortRetention(keep, every: every), to: element)
      case false?: break
      case nil: add(.retentionOfOtherKind(keep, every: every), to: element)
      }
    case .list, .hash:
      let key = partitioning.method.key
      if partitioning.ahead != PartitioningDescription.usualAhead {
        add(.settingOfOtherMethod("ahead", key), to: element)
      }
      if partitioning.retention != nil { add(.settingOfOtherMethod("keep", key), to: element) }
      guard case .hash(_, let count) = partitioning.method, !(2...1024).contains(count) else {
        return
      }
      add(.countOutOfBounds(count), to: element)
    }
  }

  // MARK: - Attribute

  /// Returns the attribute that a table is partitioned by, unless it cannot be.
  private mutating func partitionAttribute(
    named name: String,
    at root: Int,
    _ family: [Int]
  ) -> AttributeDescription? {
    let attributes = model.entities[root].attributes
    guard let attribute = attributes.first(where: { $0.name == name }) else {
      let declaring = family.first { member in
        model.entities[member].attributes.contains { $0.name == name }
      }
      if let declaring {
        let entity = model.entities[declaring].name
        add(.attributeBelowRoot(name, entity: entity), to: .entity(root))
      } else {
        let suggestion = similar(to: name, among: attributes.map(\.name))
        add(.unrecognizedAttribute(name, suggestion: suggestion), to: .entity(root))
      }
      return nil
    }
    let unusable: PartitioningFault.Unusable? =
      if attribute.isTransient {
        .transient
      } else if case .composite = attribute.type {
        .composite
      } else if attribute.isComputed {
        .computed
      } else if attribute.isOptional {
        .optional
      } else {
        nil
      }
    if let unusable { add(.unusableAttribute(name, unusable), to: .entity(root)) }
    return unusable == nil ? attribute : nil
  }

  private mutating func checkType(
    of attribute: AttributeDescription,
    _ method: PartitioningDescription.Method,
    at element: ModelElement
  ) {
    let type = attribute.type
    switch method {
    case .range(_, let every):
      let isFitting =
        switch (type.rangeUnit, every) {
        case (.instants, .time), (.integers, .integers): true
        case (.days, .time(_, let unit)): unit != .hour
        case (.instants, .integers), (.days, .integers), (.integers, .time), (nil, _): false
        }
      guard !isFitting else { return }
      add(.rangeOfOtherType(attribute.name, type, every: every), to: element)
    case .list(_, let values): checkList(values, of: attribute, at: element)
    case .hash:
      if !type.canonical.traits.canBeKey {
        add(.hashOfOtherType(attribute.name, type), to: element)
      }
    }
  }

  private mutating func checkList(
    _ values: [String]?,
    of attribute: AttributeDescription,
    at element: ModelElement
  ) {
    let type = attribute.type.canonical
    let labels: [String]?
    switch type.kind {
    case .text(.listed(let texts)): labels = texts
    case .text(.all), .text(.upTo), .integer: labels = nil
    case .boolean, .decimal, .floating, .instant, .uuid, .bytes, .objectID, .constant, .array,
      .none:
      return add(.listOfOtherType(attribute.name, attribute.type), to: element)
    }
    guard let listed = values ?? labels else {
      return add(.missingValues(attribute.name, attribute.type), to: element)
    }
    if listed.isEmpty { add(.noValues, to: element) }
    if listed.count > 1000 { return add(.tooManyValues(listed.count), to: element) }
    var seen: Set<AttributeValue> = []
    for text in values ?? [] {
      guard let value = AttributeValue(text, of: type), !text.utf8.contains(0) else {
        add(.valueOfOtherType(text, attribute.type), to: element)
        continue
      }
      if !seen.insert(value).inserted { add(.repeatedValue(text), to: element) }
    }
  }

  // MARK: - Constraints

  private mutating func checkUniqueness(at index: Int, _ attribute: String?) {
    for element in elementsUnique(without: attribute, at: index) {
      add(.uniqueAcrossPartitions(attribute: attribute), to: element)
    }
  }

  /// Returns what keeps values of an entity unique, and does not have a property in it.
  ///
  /// - Parameters:
  ///   - property: The property; without one, nothing has it.
  ///   - index: The position of the entity.
  /// - Returns: Its uniqueness constraints and unique indexes.
  func elementsUnique(without property: String?, at index: Int) -> [ModelElement] {
    func isInside(_ names: [String]) -> Bool { property.map(names.contains) ?? false }
    let entity = model.entities[index]
    let constraints = entity.uniquenessConstraints.enumerated()
      .filter { !$0.element.isEmpty && !isInside($0.element) }
      .map { ModelElement.uniquenessConstraint(entity: index, $0.offset) }
    // What a definition in SQL contains is for the server to say.
    let indexes = entity.fetchIndexes.enumerated()
      .filter { _, fetchIndex in
        fetchIndex.isUnique && fetchIndex.definition == nil && !fetchIndex.elements.isEmpty
          && !isInside(fetchIndex.elements.compactMap(\.propertyName))
      }
      .map { ModelElement.fetchIndex(entity: index, $0.offset) }
    return constraints + indexes
  }

  /// Checks the foreign keys that keep the links of a relationship, at the end that has them.
  private mutating func checkLinks(
    of relationship: RelationshipDescription,
    at position: (entity: Int, relationship: Int),
    _ roots: [Int: Int]
  ) {
    let element = ModelElement.relationship(entity: position.entity, position.relationship)
    let entity = model.entities[position.entity]
    let destination = model.hierarchy.indexByName[relationship.destinationEntityName]
    let ends: [Int?]
    switch model.storage(of: relationship, declaredBy: entity) {
    case .ownKey(let isUnique):
      ends = [destination]
      guard isUnique, let root = roots[position.entity],
        let method = model.entities[root].partitioning?.method
      else { break }
      add(.uniqueLink(method.key), to: element)
    case .joinTable(isOwner: true): ends = [destination, position.entity]
    case .joinTable(isOwner: false), .inverseKey: return
    }
    // A table that refers to itself twice has one fault.
    for root in Set(ends.compactMap { end in end.flatMap { roots[$0] } }).sorted() {
      guard let name = model.entities[root].partitioning?.attributeName else { continue }
      add(.reference(to: model.entities[root].name, attribute: name), to: element)
    }
  }
}

extension AttributeType {
  /// What ranges of values of a type have as their extent.
  enum RangeUnit {
    case instants, days, integers
  }

  /// The extent of ranges of the type's values, if partitions can have such ranges.
  var rangeUnit: RangeUnit? {
    switch columnType?.family {
    case .timestamp: .instants
    case .date: .days
    case .integer: .integers
    case .numeric, .floating, .boolean, .text, .bytea, .time, .interval, .uuid, .network, .json,
      .range, .textSearch, .array, .other, nil:
      nil
    }
  }
}
