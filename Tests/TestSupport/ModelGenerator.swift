package import ObjectModel

/// Makes random models that are valid, and random next versions of them that can be inferred.
///
/// The same seed gives the same models.
package struct ModelGenerator {
  var random: SeededGenerator
  private var count = 0
  /// Whether attributes may be composites.
  let hasComposites: Bool
  /// Whether tables and columns of different things would have one name by the rules.
  let hasCollidingNames: Bool
  /// Whether tables may be partitioned.
  let hasPartitions: Bool

  /// Creates a generator.
  ///
  /// - Parameters:
  ///   - seed: The same seed gives the same models.
  ///   - hasComposites: Whether attributes may be composites.
  ///   - hasCollidingNames: Whether tables and columns of different things would have one name by the
  ///     rules.
  ///   - hasPartitions: Whether tables may be partitioned.
  package init(
    seed: UInt64,
    hasComposites: Bool = false,
    hasCollidingNames: Bool = false,
    hasPartitions: Bool = false
  ) {
    random = SeededGenerator(seed: seed)
    self.hasComposites = hasComposites
    self.hasCollidingNames = hasCollidingNames
    self.hasPartitions = hasPartitions
  }

  /// Returns a generator with other choices that gives out the same names from here on.
  package func reseeded(_ seed: UInt64) -> ModelGenerator {
    var generator = self
    generator.random = SeededGenerator(seed: seed)
    return generator
  }

  /// Returns a model with hierarchies, relationships of all kinds, indexes, uniqueness and defaults.
  package mutating func model() -> ManagedObjectModel {
    var draft = ModelDraft()
    for _ in 0..<Int.random(in: 2...4, using: &random) { addEntity(to: &draft) }
    for _ in 0..<Int.random(in: 0...3, using: &random) { shareAttribute(&draft) }
    for _ in 0..<Int.random(in: 2...7, using: &random) { addRelationship(to: &draft) }
    for _ in 0..<Int.random(in: 0...2, using: &random) { shareRelationship(&draft) }
    for _ in 0..<Int.random(in: 0...3, using: &random) { addIndex(to: &draft) }
    for _ in 0..<Int.random(in: 0...3, using: &random) { addUniqueness(to: &draft) }
    if hasComposites {
      for _ in 0..<2 { addComposite(to: &draft) }
    }
    return draft.model
  }

  // MARK: - Names

  /// Returns a name that nothing had before.
  mutating func name(capitalized: Bool = false) -> String {
    count += 1
    if hasCollidingNames {
      let spelling = ["Row", "_row", "ROW", "_ROW"][count % 4]
      return "\(capitalized ? "B" : "b")\(count / 4)\(spelling)"
    }
    let words = ["title", "userID", "HTTPCookie", "order", "añoNuevo", "isbn13", "x", "ΣΑΣ"]
    var word = random.pick(words) ?? "x"
    if random.once(in: 12) { word = String(repeating: "veryLong", count: 9) }
    let first = word.prefix(1)
    word = (capitalized ? first.uppercased() : first.lowercased()) + word.dropFirst()
    return "\(word)\(count)"
  }

  /// Returns a name for a table or column that nothing had before.
  mutating func storageName(_ word: String) -> String {
    count += 1
    return "\(word) \(count)"
  }

  // MARK: - Entities

  mutating func addEntity(to draft: inout ModelDraft) {
    var root = EntityDescription(name: name(capitalized: true))
    root.key = random.once(in: 4) ? .uuid : .bigint
    if random.once(in: 8) { root.tableName = storageName("table") }
    root.attributes = attributes()
    let subentities = random.once(in: 2) ? Int.random(in: 1...4, using: &random) : 0
    root.isAbstract = subentities > 0 && random.once(in: 2)
    draft.entities.append(root)
    for _ in 0..<subentities { addSubentity(to: root.name, &draft) }
  }

  /// Adds a subentity to a member of a hierarchy.
  mutating func addSubentity(to root: String, _ draft: inout ModelDraft) {
    let members = draft.model.entity(named: root).map { draft.model.family(of: $0) } ?? []
    var entity = EntityDescription(
      name: name(capitalized: true),
      superentityName: random.pick(members)?.name ?? root
    )
    entity.attributes = attributes()
    draft.entities.append(entity)
  }

  /// Gives several children of an entity an attribute of the same name.
  private mutating func shareAttribute(_ draft: inout ModelDraft) {
    guard let children = siblings(in: draft) else { return }
    var shared = attribute()
    shared.columnName = nil
    let types: [AttributeType] = [.integer16, .integer32, .integer64]
    for child in children {
      if let type = random.pick(types), types.contains(shared.type) {
        shared.type = type
        shared.defaultValue = shared.defaultValue == nil ? nil : defaultValue(of: type)
      }
      draft.entities[child].attributes.append(shared)
    }
  }

  /// Gives several children of an entity a relationship of the same name.
  private mutating func shareRelationship(_ draft: inout ModelDraft) {
    guard let children = siblings(in: draft), let target = random.pick(draft.entities) else {
      return
    }
    var shared = RelationshipDescription(name: name(), destinationEntityName: target.name)
    shared.isToMany = random.once(in: 2)
    shared.setCounts()
    for child in children { draft.entities[child].relationships.append(shared) }
  }

  private mutating func siblings(in draft: ModelDraft) -> [Int]? {
    random.pick(
      draft.entities.indices.map { draft.children(ofEntityAt: $0) }.filter { $0.count > 1 }
    )
  }

  // MARK: - Attributes

  private mutating func attributes() -> [AttributeDescription] {
    (0..<Int.random(in: 0...4, using: &random)).map { _ in attribute() }
  }

  mutating func attribute() -> AttributeDescription {
    var attribute = AttributeDescription(name: name(), type: type())
    attribute.isOptional = !random.once(in: 3)
    if random.once(in: 2) { attribute.defaultValue = defaultValue(of: attribute.type) }
    attribute.isTransient = random.once(in: 12)
    attribute.isIndexed = random.once(in: 8)
    if random.once(in: 10) { attribute.columnName = storageName("column") }
    return attribute
  }

  private mutating func type() -> AttributeType {
    random.pick([
      .integer16, .integer32, .integer64, .decimal, .double, .float, .string, .uri, .boolean, .date,
      .binary, .uuid, .transformable, .json, .calendarDate, .interval, .inet, .varchar(20),
      .numeric(precision: 12, scale: 2), .enumeration(["a", "it's"]), .array(.integer32), .string,
      .integer32, .integer64,
    ]) ?? .string
  }

  /// Returns a constant of a type that has constants which any server reads alike.
  mutating func defaultValue(of type: AttributeType) -> AttributeValue? {
    let number = Int.random(in: 0...9, using: &random)
    if type == .calendarDate { return .text("2001-01-0\(max(1, number))") }
    if type == .json { return .text("{\"n\": \(number)}") }
    if type == .interval { return .text("\(number) days") }
    switch type.kind {
    case .integer: return .integer(Int64(number) - 4)
    case .decimal: return .decimal("\(number).5")
    case .floating: return .double(Double(number) + 0.25)
    case .text(.all), .text(.upTo): return .string("it's \(number)")
    case .text(.listed(let values)): return .string(values[number % values.count])
    case .boolean: return .boolean(number > 4)
    case .instant: return .date(Double(number) * 86_400 - 0.5)
    case .uuid: return .uuid("00000000-0000-0000-0000-00000000000\(number)")
    case .bytes, .objectID, .constant, .array, .none: return nil
    }
  }

  // MARK: - Indexes and uniqueness

  mutating func addIndex(to draft: inout ModelDraft) {
    guard let position = draft.entities.indices.randomElement(using: &random) else { return }
    let entity = draft.entities[position]
    var names = draft.model.effectiveAttributes(of: entity)
      .filter { !$0.isTransient }.map(\.name)
    names += draft.keptReferences(of: entity)
    names.shuffle(using: &random)
    let chosen = Array(names.prefix(Int.random(in: 1...2, using: &random)))
    guard !chosen.isEmpty else { return }
    if random.once(in: 3) {
      guard !entity.compoundIndexes.contains(chosen) else { return }
      draft.entities[position].compoundIndexes.append(chosen)
    } else {
      let elements = chosen.map {
        FetchIndexDescription.Element(propertyName: $0, isAscending: !random.once(in: 3))
      }
      let index = FetchIndexDescription(name: name(), elements: elements)
      draft.entities[position].fetchIndexes.append(index)
    }
  }

  mutating func addUniqueness(to draft: inout ModelDraft) {
    guard let position = draft.entities.indices.randomElement(using: &random) else { return }
    addUniqueness(toEntityAt: position, &draft)
  }

  mutating func addUniqueness(toEntityAt position: Int, _ draft: inout ModelDraft) {
    let entity = draft.entities[position]
    let attributes = draft.model.effectiveAttributes(of: entity)
      .filter { !$0.isTransient }
    guard let distinct = random.pick(attributes.filter(\.hasManyValues))?.name else { return }
    let others = attributes.map(\.name) + draft.keptReferences(of: entity)
    var constraint = [distinct]
    if random.once(in: 2), let other = random.pick(others.filter { $0 != distinct }) {
      constraint.append(other)
    }
    let known = entity.uniquenessConstraints.map { Set($0) }
    guard !known.contains(Set(constraint)) else { return }
    draft.entities[position].uniquenessConstraints.append(constraint)
  }
}

extension AttributeDescription {
  /// A Boolean value that indicates whether a column of it can tell any number of rows apart.
  fileprivate var hasManyValues: Bool {
    switch type.kind {
    case .integer, .decimal, .text(.all), .text(.upTo), .uuid, .instant: true
    case .text(.listed), .floating, .boolean, .bytes, .objectID, .constant, .array, .none: false
    }
  }
}
