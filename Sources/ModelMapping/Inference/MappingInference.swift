internal import Diagnostics
internal import ObjectModel

/// Walks the entities of both versions and collects mappings and obstacles.
struct MappingInference {
  let matching: ModelMatching
  private let sourceHashes: [String: VersionHash]
  private let destinationHashes: [String: VersionHash]

  /// The properties of each entity of the destination that a mapping model maps.
  let authored: [String: Set<String>]
  /// The properties of each entity of the source that a mapping model uses.
  let read: [String: Set<String>]

  var entityMappings: [EntityMapping] = []
  var obstacles: [InferenceObstacle] = []
  var warnings: [Diagnostic] = []
  /// Properties whose renaming identifiers name nothing in the source.
  var danglingProperties: [DanglingProperty] = []

  typealias EntityPair = (source: EntityDescription, destination: EntityDescription)

  init(
    from source: ManagedObjectModel,
    to destination: ManagedObjectModel,
    _ sourceHashes: ModelVersionHashes,
    _ destinationHashes: ModelVersionHashes,
    isReturn: Bool = false,
    authored: [String: Set<String>] = [:],
    read: [String: Set<String>] = [:]
  ) {
    self.authored = authored
    self.read = read
    matching = ModelMatching(from: source, to: destination, isReturn: isReturn)
    self.sourceHashes = sourceHashes.entities
    self.destinationHashes = destinationHashes.entities
  }

  mutating func inferEntities() {
    checkMergedHierarchies()
    let sources = Dictionary(
      matching.entities.pairs.map { ($0.destination.name, $0.source) },
      uniquingKeysWith: { first, _ in first }
    )
    for destination in matching.destination.entities {
      if let source = sources[destination.name] {
        inferPair((source, destination))
      } else {
        inferAddition(of: destination)
      }
    }
    for removed in matching.entities.removed { inferRemoval(of: removed) }
    for entity in matching.entities.matchedByName { warnMatchedByName("entity", entity) }
    for pair in matching.entities.claimed { warnClaimed("entity", pair) }
  }

  // MARK: - Entities

  mutating func inferPair(_ pair: EntityPair) {
    checkKey(of: pair)
    let isCopy = sourceHashes[pair.source.name] == destinationHashes[pair.destination.name]
    var mapping = EntityMapping(
      pairing: pair.source.name,
      with: pair.destination.name,
      as: isCopy ? .copy : .transform
    )
    if isUnchanged(pair) {
      mapping.attributeMappings = pair.destination.attributes.filter { !$0.isTransient }
        .map { self.mapping(from: $0, to: $0) }
      mapping.relationshipMappings = pair.destination.relationships.filter { !$0.isTransient }
        .map {
          PropertyMapping(
            name: $0.name,
            valueExpression: .destinationInstances(sourceRelationship: $0.name)
          )
        }
      entityMappings.append(mapping)
      return
    }
    let attributes = matching.attributes(pair)
    let relationships = matching.relationships(pair)
    let owners = DeclaringEntities(matching, pair)
    mapping.attributeMappings = inferAttributes(attributes, of: pair, owners)
    mapping.relationshipMappings = inferRelationships(relationships, of: pair, owners)
    warnOfUnmarkedRenames(attributes, relationships, of: pair, owners)
    noteDanglingIdentifiers(attributes, relationships, of: pair, owners)
    entityMappings.append(mapping)
  }

  /// Most entities of a large model are the same in both versions: nothing about them needs matching.
  private func isUnchanged(_ pair: EntityPair) -> Bool {
    pair.source.superentityName == nil && pair.source == pair.destination
      && (matching.source.composites == matching.destination.composites
        || !pair.destination.attributes.contains { $0.type.isComposite })
      && pair.destination.relationships.allSatisfy {
        matching.destinationNames[$0.destinationEntityName] == $0.destinationEntityName
      }
  }

  private mutating func inferAddition(of entity: EntityDescription) {
    entityMappings.append(.addition(of: entity, in: matching.destination))
  }

  private mutating func inferRemoval(of entity: EntityDescription) {
    entityMappings.append(.removal(of: entity))
  }

  // MARK: - Hierarchies

  private mutating func checkMergedHierarchies() {
    var rootsOfSources: [String: [String]] = [:]
    var entities: [String: [InferenceObstacle.MergedEntity]] = [:]
    for pair in matching.entities.pairs {
      let root = matching.source.root(of: pair.source)
      // A hierarchy that can have no rows has none to be merged.
      guard matching.source.family(of: root).contains(where: { !$0.isAbstract }) else { continue }
      let source = root.name
      let destination = matching.destination.root(of: pair.destination).name
      if !pair.source.isAbstract, !pair.destination.isAbstract {
        entities[destination, default: []].append(
          InferenceObstacle.MergedEntity(
            sourceName: pair.source.name,
            destinationName: pair.destination.name
          )
        )
      }
      if rootsOfSources[destination, default: []].contains(source) { continue }
      rootsOfSources[destination, default: []].append(source)
    }
    for root in matching.destination.rootEntities {
      guard let roots = rootsOfSources[root.name], roots.count > 1 else { continue }
      obstruct(
        root.name,
        .mergedHierarchies(roots: roots, entities: entities[root.name] ?? [])
      )
    }
  }

  private mutating func checkKey(of pair: EntityPair) {
    let before = matching.source.root(of: pair.source)
    let after = matching.destination.root(of: pair.destination)
    // The column's name may change, and a default in SQL.
    if before.key.attributeType != after.key.attributeType
      || before.key.numbering != after.key.numbering
    {
      obstruct(after.name, .changedKey(before: before.key, after: after.key))
    }
  }

  // MARK: - Finding

  mutating func obstruct(_ entity: String, _ reason: InferenceObstacle.Reason) {
    obstruct(entity, nil, reason)
  }

  mutating func obstruct(
    _ entity: String,
    _ property: String?,
    _ reason: InferenceObstacle.Reason
  ) {
    let obstacle = InferenceObstacle(entityName: entity, propertyName: property, reason: reason)
    if !obstacles.contains(obstacle) { obstacles.append(obstacle) }
  }

  /// Tells that an identifier went before the name of a sibling.
  mutating func warnClaimed<Element: CanonicallyNamed>(
    _ kind: String,
    _ pair: (source: Element, destination: Element)
  ) {
    let name = pair.destination.canonicalName
    warnings.append(
      Diagnostic(
        .warning,
        "\(kind) \"\(pair.destination.name)\" is \"\(pair.source.name)\" of the source, by the renaming "
          + "identifier \"\(name)\"",
        detail: matching.isReturn
          ? "\"\(name)\" of the source is another \(kind), which the destination does not have."
          : "\"\(name)\" of the destination is another \(kind), which is new."
      )
    )
  }

  mutating func warnMatchedByName(_ kind: String, _ element: some CanonicallyNamed) {
    warnings.append(
      Diagnostic(
        .warning,
        "\(kind) \"\(element.name)\" is matched by its name, not by its renaming identifier",
        detail: element.renamingIdentifier.map {
          "Nothing in the source has the canonical name \"\($0)\"."
        }
      )
    )
  }
}
