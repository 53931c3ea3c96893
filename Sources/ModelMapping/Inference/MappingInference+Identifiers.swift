internal import Diagnostics
internal import ObjectModel

extension MappingInference {
  /// A renaming identifier that names nothing in the source is out of use if an earlier version had
  /// that name, and an error if none ever had.
  mutating func checkIdentifiers(against earlierVersions: () -> [ManagedObjectModel]) {
    let entities = matching.entities.added.filter { $0.renamingIdentifier != nil }
    let attributes = danglingProperties { matching.attributes($0).added }
    let relationships = danglingProperties { matching.relationships($0).added }
    guard !entities.isEmpty || !attributes.isEmpty || !relationships.isEmpty else { return }

    let known = KnownNames(earlierVersions() + [matching.source])
    for entity in entities where !known.entities.contains(entity.canonicalName) {
      obstruct(
        entity.name,
        .danglingIdentifier(
          entity.canonicalName,
          probably: suggestion(
            for: entity.canonicalName,
            among: matching.entities.removed.map(\.name)
          )
        )
      )
    }
    for (entity, property, candidates) in attributes + relationships {
      let names = known.properties[entity.canonicalName] ?? []
      guard !names.contains(property.canonicalName) else { continue }
      obstruct(
        entity.name,
        property.name,
        .danglingIdentifier(
          property.canonicalName,
          probably: suggestion(for: property.canonicalName, among: candidates)
        )
      )
    }
  }

  private typealias Dangling = (EntityDescription, any CanonicallyNamed, candidates: [String])

  private func danglingProperties<Property: CanonicallyNamed>(
    _ added: (EntityPair) -> [Property]
  ) -> [Dangling] {
    matching.entities.pairs.flatMap { pair -> [Dangling] in
      let declared = Set(
        pair.destination.attributes.map(\.name) + pair.destination.relationships.map(\.name)
      )
      let dangling = added(pair).filter {
        $0.renamingIdentifier != nil && declared.contains($0.name)
      }
      guard !dangling.isEmpty else { return [] }
      let removed =
        matching.attributes(pair).removed.map(\.name)
        + matching.relationships(pair).removed.map(\.name)
      return dangling.map { (pair.destination, $0, removed) }
    }
  }
}

/// All canonical and plain names that some versions have.
private struct KnownNames {
  var entities: Set<String> = []
  var properties: [String: Set<String>] = [:]

  init(_ models: [ManagedObjectModel]) {
    for model in models {
      for entity in model.entities {
        entities.formUnion([entity.name, entity.canonicalName])
        let attributes = model.effectiveAttributes(of: entity).map(\.attribute)
        let relationships = model.effectiveRelationships(of: entity).map(\.relationship)
        let names =
          attributes.flatMap { [$0.name, $0.canonicalName] }
          + relationships.flatMap { [$0.name, $0.canonicalName] }
        properties[entity.canonicalName, default: []].formUnion(names)
      }
    }
  }
}
