internal import ObjectModel

extension MappingInference {
  mutating func inferAttributes(
    _ attributes: NameMatching<AttributeDescription>,
    of pair: EntityPair,
    _ owners: DeclaringEntities
  ) -> [PropertyMapping] {
    for (source, destination) in attributes.pairs {
      inferConversion(from: source, to: destination, of: pair, owners)
    }
    for attribute in attributes.matchedByName where owners.declares(attribute) {
      warnMatchedByName("attribute", attribute)
    }
    for pair in attributes.claimed where owners.declares(pair.destination) {
      warnClaimed("attribute", pair)
    }
    return attributes.pairs.map { mapping(from: $0.source, to: $0.destination) }
      + attributes.added.map { .addition(of: $0, in: matching.destination) }
  }

  private mutating func inferConversion(
    from source: AttributeDescription,
    to destination: AttributeDescription,
    of pair: EntityPair,
    _ owners: DeclaringEntities
  ) {
    guard let owner = owners.attributes[destination.name] else { return }
    let ownerBefore = owners.sourceAttributes[source.name].flatMap { matching.destinationNames[$0] }
    // The entity that declares an inherited property reports its change.
    guard owner == pair.destination.name || ownerBefore != owner else { return }

    // A computed attribute needs no origin.
    guard !destination.isComputed else { return }
    inferParts(from: source, to: destination, of: owner)
  }
}

/// Which entity declares each property that a pair of entities has.
struct DeclaringEntities {
  let attributes: [String: String]
  let relationships: [String: String]
  let sourceAttributes: [String: String]
  let sourceRelationships: [String: String]
  private let entityName: String

  init(_ matching: ModelMatching, _ pair: MappingInference.EntityPair) {
    entityName = pair.destination.name
    let lineage = matching.destination.lineage(of: pair.destination)
    let sourceLineage = matching.source.lineage(of: pair.source)
    attributes = Self.index(lineage) { $0.attributes.map(\.name) }
    relationships = Self.index(lineage) { $0.relationships.map(\.name) }
    sourceAttributes = Self.index(sourceLineage) { $0.attributes.map(\.name) }
    sourceRelationships = Self.index(sourceLineage) { $0.relationships.map(\.name) }
  }

  func declares(_ attribute: AttributeDescription) -> Bool {
    attributes[attribute.name] == entityName
  }

  func declares(_ relationship: RelationshipDescription) -> Bool {
    relationships[relationship.name] == entityName
  }

  private static func index(
    _ lineage: [EntityDescription],
    names: (EntityDescription) -> [String]
  ) -> [String: String] {
    var owners: [String: String] = [:]
    for entity in lineage {
      for name in names(entity) where owners[name] == nil { owners[name] = entity.name }
    }
    return owners
  }
}
