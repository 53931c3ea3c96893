internal import Diagnostics
internal import ObjectModel

extension MappingInference {
  /// A renaming identifier that names nothing in the source is out of use if an earlier version had
  /// that name, and an error if none ever had.
  mutating func checkIdentifiers(against earlierVersions: () -> [ManagedObjectModel]) {
    let entities = matching.entities.added.filter { $0.renamingIdentifier != nil }
    guard !entities.isEmpty || !danglingProperties.isEmpty else { return }

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
    for dangling in danglingProperties {
      let names = known.properties[dangling.entity.canonicalName] ?? []
      guard !names.contains(dangling.identifier) else { continue }
      obstruct(
        dangling.entity.name,
        dangling.name,
        .danglingIdentifier(
          dangling.identifier,
          probably: suggestion(for: dangling.identifier, among: dangling.candidates)
        )
      )
    }
  }

  mutating func noteDanglingIdentifiers(
    _ attributes: NameMatching<AttributeDescription>,
    _ relationships: NameMatching<RelationshipDescription>,
    of pair: EntityPair,
    _ owners: DeclaringEntities
  ) {
    let added =
      attributes.added.filter { owners.declares($0) }.map { ($0.name, $0.renamingIdentifier) }
      + relationships.added.filter { owners.declares($0) }.map { ($0.name, $0.renamingIdentifier) }
    for case (let name, let identifier?) in added {
      // It has moved up from a subentity, whose rows keep its values.
      if subentities(of: pair.source, have: identifier) { continue }
      danglingProperties.append(
        DanglingProperty(
          entity: pair.destination,
          name: name,
          identifier: identifier,
          candidates: attributes.removed.map(\.name) + relationships.removed.map(\.name)
        )
      )
    }
  }
}

extension MappingInference {
  private func subentities(of entity: EntityDescription, have canonicalName: String) -> Bool {
    matching.source.family(of: entity).contains { member in
      member.name != entity.name
        && (member.attributes.contains { !$0.isTransient && $0.canonicalName == canonicalName }
          || member.relationships.contains { !$0.isTransient && $0.canonicalName == canonicalName })
    }
  }
}

/// A property whose renaming identifier names nothing in the source.
struct DanglingProperty {
  let entity: EntityDescription
  let name: String
  let identifier: String
  /// The removed properties of the source, candidates for the intended name.
  let candidates: [String]
}

/// All canonical and plain names that some versions have.
private struct KnownNames {
  var entities: Set<String> = []
  var properties: [String: Set<String>] = [:]

  init(_ models: [ManagedObjectModel]) {
    for model in models {
      for entity in model.entities {
        entities.formUnion([entity.name, entity.canonicalName])
        let attributes = model.effectiveAttributes(of: entity)
        let relationships = model.effectiveRelationships(of: entity)
        let names =
          attributes.flatMap { [$0.name, $0.canonicalName] }
          + relationships.flatMap { [$0.name, $0.canonicalName] }
        properties[entity.canonicalName, default: []].formUnion(names)
      }
    }
  }
}
