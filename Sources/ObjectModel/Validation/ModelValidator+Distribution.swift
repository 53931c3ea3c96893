import Diagnostics
internal import SQLSyntax

/// Rows on several nodes, and what Citus refuses of their tables.
extension ModelValidator {
  mutating func checkDistribution() {
    guard model.entities.contains(where: { $0.distribution != nil }) else { return }
    var tables = TablePlaces(of: model)
    for root in model.entities.indices where model.hierarchy.parents[root] == nil {
      guard let distribution = model.entities[root].distribution else { continue }
      let family = model.hierarchy.family(of: root)
      tables.places[root] = place(of: distribution, at: root, family)
    }
    for root in tables.distributedRoots { checkColocation(at: root, &tables) }
    checkCircles(&tables)
    for root in tables.distributedRoots {
      guard case .rows(let property, _)? = tables.places[root] else { continue }
      for member in model.hierarchy.family(of: root) { checkUniqueness(at: member, property) }
    }
    for (index, entity) in model.entities.enumerated() {
      for (position, relationship) in entity.relationships.enumerated()
      where !relationship.isTransient {
        checkLinks(of: relationship, at: (index, position), &tables)
      }
    }
  }

  private mutating func add(_ fault: DistributionFault, to element: ModelElement) {
    add(.distribution(fault), to: element)
  }

  // MARK: - Setting

  private mutating func place(
    of distribution: DistributionDescription,
    at root: Int,
    _ family: [Int]
  ) -> TablePlaces.Place {
    let entity = model.entities[root]
    guard entity.partitioning == nil, model.layout.distribution == .tables else {
      add(entity.partitioning == nil ? .besideSchema : .besidePartitions, to: .entity(root))
      return .unknown
    }
    checkNumbers(of: root, family)
    switch distribution {
    case .reference: return .everywhere
    case .rows(nil, _): return .rows(by: nil, entity.key.attributeType)
    case .rows(let name?, _): return place(ofRowsBy: name, at: root, family)
    }
  }

  /// Checks that sequences have numbers for each node.
  private mutating func checkNumbers(of root: Int, _ family: [Int]) {
    let key = model.entities[root].key
    if key.numbering != nil, key.attributeType.isShortNumber {
      add(.shortNumbers(key.attributeType), to: .entity(root))
    }
    for member in family {
      for (position, attribute) in model.entities[member].attributes.enumerated()
      where attribute.numbering != nil && attribute.type.isShortNumber {
        add(.shortNumbers(attribute.type), to: .attribute(entity: member, position))
      }
    }
  }

  private mutating func place(
    ofRowsBy name: String,
    at root: Int,
    _ family: [Int]
  ) -> TablePlaces.Place {
    let entity = model.entities[root]
    var unusable: DistributionFault.Unusable?
    var type: AttributeType?
    if name == DistributionDescription.ownKey {
      unusable = .nameOfKey
    } else if let attribute = entity.attributes.first(where: { $0.name == name }) {
      unusable = attribute.distributionFault
      type = attribute.type
    } else if let link = entity.relationships.first(where: { $0.name == name }) {
      unusable = distributionFault(of: link, declaredBy: entity)
      type = model.entity(named: link.destinationEntityName).map { destination in
        model.root(of: destination).key.attributeType
      }
    } else {
      let declaring = family.first { model.entities[$0].declares(name) }
      let links = entity.relationships.filter { !$0.isToMany }
      let names = entity.attributes.map(\.name) + links.map(\.name)
      let fault =
        declaring.map { .propertyBelowRoot(name, entity: model.entities[$0].name) }
        ?? DistributionFault.unrecognizedProperty(
          name,
          suggestion: similar(to: name, among: names)
        )
      add(fault, to: .entity(root))
      return .unknown
    }
    if let unusable {
      add(.unusableProperty(name, unusable), to: .entity(root))
      return .unknown
    }
    if let type, !type.canonical.traits.canBeKey {
      add(.propertyOfOtherType(name, type), to: .entity(root))
      return .unknown
    }
    return .rows(by: name, type)
  }

  private func distributionFault(
    of link: RelationshipDescription,
    declaredBy entity: EntityDescription
  ) -> DistributionFault.Unusable? {
    if link.isTransient { return .transient }
    if link.isToMany { return .toMany }
    guard case .ownKey = model.storage(of: link, declaredBy: entity) else {
      return .keptElsewhere(inverse: link.inverseName)
    }
    return link.isOptional ? .optional : nil
  }

  // MARK: - Colocation

  /// Checks beside which rows those of an entity are, and notes it.
  private mutating func checkColocation(at root: Int, _ tables: inout TablePlaces) {
    let entity = model.entities[root]
    guard case .rows(_, let type)? = tables.places[root] else { return }
    guard let name = entity.distribution?.colocatedEntityName else {
      tables.neighbors[root] = model.colocatedEntity(of: entity)
        .flatMap { model.hierarchy.indexByName[$0.name] }
      return
    }
    guard let fault = colocationFault(name, type, tables) else {
      tables.neighbors[root] = model.hierarchy.indexByName[name]
      return
    }
    add(fault, to: .entity(root))
    tables.misplaced.insert(root)
  }

  private mutating func colocationFault(
    _ name: String,
    _ type: AttributeType?,
    _ tables: TablePlaces
  ) -> DistributionFault? {
    guard let index = model.hierarchy.indexByName[name] else {
      let roots = model.entities.filter { $0.superentityName == nil }.map(\.name)
      return .unrecognizedEntity(name, suggestion: similar(to: name, among: roots))
    }
    let other = model.entities[index]
    guard other.superentityName == nil else {
      return .colocatedBelowRoot(name, root: model.root(of: other).name)
    }
    switch tables.places[index] {
    case .rows(_, let otherType)?:
      guard let type, let otherType, type.hashedType != otherType.hashedType else { return nil }
      return .colocatedOfOtherType(name, otherType, own: type)
    case .everywhere?, nil: return .colocatedWithOther(name, other.distribution)
    case .unknown?: return nil
    }
  }

  private mutating func checkCircles(_ tables: inout TablePlaces) {
    for circle in tables.circles() {
      let names = (circle + circle.prefix(1)).map { model.entities[$0].name }
      add(.colocatedInCircle(names), to: .entity(circle[0]))
      for member in circle {
        tables.neighbors[member] = nil
        tables.misplaced.insert(member)
      }
    }
    // What is on the nodes of such rows is not known.
    for root in tables.misplaced { tables.places[root] = .unknown }
  }

  // MARK: - Constraints

  private mutating func checkUniqueness(at index: Int, _ property: String?) {
    for element in elementsUnique(without: property, at: index) {
      add(.uniqueAcrossNodes(property: property), to: element)
    }
  }

  // MARK: - Foreign keys

  /// Checks the foreign keys that keep the links of a relationship, at the end that has them.
  private mutating func checkLinks(
    of relationship: RelationshipDescription,
    at position: (entity: Int, relationship: Int),
    _ tables: inout TablePlaces
  ) {
    let element = ModelElement.relationship(entity: position.entity, position.relationship)
    let entity = model.entities[position.entity]
    let own = tables.roots[position.entity]
    guard let index = model.hierarchy.indexByName[relationship.destinationEntityName] else {
      return
    }
    let destination = tables.roots[index]
    switch model.storage(of: relationship, declaredBy: entity) {
    case .ownKey(let isUnique):
      let isOwnProperty = position.entity == own && tables.property(of: own) == relationship.name
      if isUnique, !isOwnProperty, case .rows(let property, _)? = tables.places[own] {
        add(.uniqueLink(property: property), to: element)
      }
      let fault = referenceFault((own, destination), isOwnProperty, &tables)
      if let fault { return add(fault, to: element) }
      guard let limit = limit((own, destination), isOwnProperty, tables) else { return }
      checkActions(of: relationship, limit, at: element)
    case .joinTable(isOwner: true):
      let end = [own, destination].first { tables.isDistributed($0) }
      if let end { add(.joinTable(of: model.entities[end].name), to: element) }
    case .joinTable(isOwner: false), .inverseKey: return
    }
  }

  /// Returns why Citus refuses a foreign key from one table to another, if it does.
  private func referenceFault(
    _ roots: (own: Int, destination: Int),
    _ isOwnProperty: Bool,
    _ tables: inout TablePlaces
  ) -> DistributionFault? {
    let name = model.entities[roots.destination].name
    switch (tables.places[roots.own], tables.places[roots.destination]) {
    case (.unknown?, _), (_, .unknown?), (nil, nil), (_, .everywhere?), (.everywhere?, nil):
      return nil
    case (nil, .rows?), (.everywhere?, .rows?):
      return .referenceToRows(of: name, from: model.entities[roots.own].distribution)
    case (.rows?, nil): return .referenceToCoordinator(of: name)
    case (.rows(let property, _)?, .rows(let other, _)?):
      guard tables.group(of: roots.own) == tables.group(of: roots.destination) else {
        return .referenceApart(from: name)
      }
      // The destination's column is beside its key, or is the key itself.
      let isSupported = other == nil ? isOwnProperty : property != nil && !isOwnProperty
      return isSupported
        ? nil
        : .referenceAcross(
          to: name,
          by: other,
          own: property,
          isOwn: roots.own == roots.destination
        )
    }
  }

  /// Returns what limits the actions of a foreign key, if anything does.
  private func limit(
    _ roots: (own: Int, destination: Int),
    _ isOwnProperty: Bool,
    _ tables: TablePlaces
  ) -> DistributionFault.Limit? {
    switch (tables.places[roots.own], tables.places[roots.destination]) {
    case (.rows?, .rows?): .distributionColumn
    case (.rows?, .everywhere?): isOwnProperty ? .distributionColumn : nil
    case (.everywhere?, nil): .coordinator(model.entities[roots.destination].name)
    case (_, _): nil  // The server has its own rules.
    }
  }

  private mutating func checkActions(
    of relationship: RelationshipDescription,
    _ limit: DistributionFault.Limit,
    at element: ModelElement
  ) {
    let reference = relationship.reference
    let inverse = model.inverse(of: relationship)
    let source: DistributionFault.Source =
      reference?.onDelete != nil
      ? .reference
      : inverse.map { .inverse($0.relationship.name, entity: $0.declaringEntity.name) }
        ?? .noInverse
    let onDelete =
      reference?.onDelete
      ?? relationship.deletion(by: inverse?.relationship.deleteRule ?? .noAction)
    if !limit.allows(onDelete, on: .delete) {
      add(.action(.delete, onDelete, limit, source), to: element)
    }
    if let onUpdate = reference?.onUpdate, !limit.allows(onUpdate, on: .update) {
      add(.action(.update, onUpdate, limit, .reference), to: element)
    }
  }
}

/// Where the tables of hierarchies are, by the positions of their roots.
private struct TablePlaces {
  /// Where the rows of a table are; a table without a place is on the coordinator.
  enum Place {
    /// On all nodes.
    case everywhere
    /// Each on the node of a property's value, or of its key; the values are of the type, if it is known.
    case rows(by: String?, AttributeType?)
    /// The model does not tell.
    case unknown
  }

  /// The root of each entity; itself if it has none.
  let roots: [Int]
  var places: [Int: Place] = [:]
  /// The roots beside whose rows those of others are.
  var neighbors: [Int: Int] = [:]
  /// The roots whose rows are beside none that they could be beside.
  var misplaced: Set<Int> = []
  private var groups: [Int: Int] = [:]

  init(of model: ManagedObjectModel) {
    var roots = Array(model.entities.indices)
    for root in model.entities.indices where model.hierarchy.parents[root] == nil {
      for member in model.hierarchy.family(of: root) { roots[member] = root }
    }
    self.roots = roots
  }

  /// The roots whose rows are distributed, in the order of the model.
  var distributedRoots: [Int] { places.keys.filter(isDistributed).sorted() }

  func isDistributed(_ root: Int) -> Bool {
    if case .rows? = places[root] { true } else { false }
  }

  /// Returns the property that distributes the rows of a root.
  func property(of root: Int) -> String? {
    if case .rows(let property, _)? = places[root] { property } else { nil }
  }

  /// Returns the root that stands for all whose rows are beside each other.
  mutating func group(of root: Int) -> Int {
    var path: [Int] = []
    var current = root
    while groups[current] == nil, let next = neighbors[current] {
      path.append(current)
      current = next
    }
    let group = groups[current] ?? current
    for member in path { groups[member] = group }
    return group
  }

  /// Returns the roots that are beside themselves, circle by circle.
  func circles() -> [[Int]] {
    var circles: [[Int]] = []
    var isDone: Set<Int> = []
    for start in neighbors.keys.sorted() {
      var path: [Int] = []
      var positions: [Int: Int] = [:]
      var current: Int? = start
      while let root = current, !isDone.contains(root), positions[root] == nil {
        positions[root] = path.count
        path.append(root)
        current = neighbors[root]
      }
      isDone.formUnion(path)
      if let closing = current, let position = positions[closing] {
        circles.append(Array(path[position...]))
      }
    }
    return circles
  }
}

extension DistributionFault.Limit {
  /// Returns whether Citus takes an action of a foreign key.
  fileprivate func allows(
    _ action: ReferenceDescription.Action,
    on event: DistributionFault.Event
  ) -> Bool {
    switch (action, self, event) {
    case (.noAction, _, _), (.restrict, _, _), (.cascade, .distributionColumn, .delete): true
    case (.setNull, _, _), (.setDefault, _, _), (.cascade, .distributionColumn, .update),
      (.cascade, .coordinator, _):
      false
    }
  }
}

extension AttributeType {
  /// A Boolean value that indicates whether the values are whole numbers of less than 64 bits.
  fileprivate var isShortNumber: Bool {
    if case .integer(let bits) = canonical.kind { bits < 64 } else { false }
  }

  /// The type whose equal values are on the same node, whatever their length; `nil` if it has no column.
  fileprivate var hashedType: String? { canonical.columnType?.parts.name }
}

extension AttributeDescription {
  fileprivate var distributionFault: DistributionFault.Unusable? {
    if isTransient { return .transient }
    if case .composite = type { return .composite }
    if isComputed { return .computed }
    return isOptional ? .optional : nil
  }
}

extension EntityDescription {
  fileprivate func declares(_ name: String) -> Bool {
    attributes.contains { $0.name == name } || relationships.contains { $0.name == name }
  }
}

extension RelationshipDescription {
  /// Returns the action of a foreign key that follows from the delete rule of the inverse.
  fileprivate func deletion(by rule: DeleteRule) -> ReferenceDescription.Action {
    switch rule {
    case .nullify, .noAction: isOptional ? .setNull : .noAction
    case .cascade: .cascade
    case .deny: .noAction
    }
  }
}
