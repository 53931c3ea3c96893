internal import ObjectModel

/// The entity mappings that create rows, and the parts that cannot be done in place.
struct RowMappings {
  /// An entity mapping with both entities.
  struct RowMapping {
    let mapping: EntityMapping
    let source: EntityDescription
    let destination: EntityDescription
    let root: String
  }

  let mapping: MappingModel
  let source: ManagedObjectModel
  let destination: ManagedObjectModel
  let rows: [RowMapping]
  let byRoot: [String: [RowMapping]]
  let keptKeys: Set<String>

  init(
    _ mapping: MappingModel,
    from source: ManagedObjectModel,
    to destination: ManagedObjectModel
  ) {
    self.mapping = mapping
    self.source = source
    self.destination = destination
    let rows = mapping.entityMappings.compactMap { entity -> RowMapping? in
      guard
        let before = entity.sourceEntityName.flatMap({ source.entity(named: $0) }),
        let after = entity.destinationEntityName.flatMap({ destination.entity(named: $0) }),
        !before.isAbstract, !after.isAbstract
      else { return nil }
      let root = destination.root(of: after).name
      return RowMapping(mapping: entity, source: before, destination: after, root: root)
    }
    self.rows = rows
    byRoot = Dictionary(grouping: rows, by: \.root)
    var kept: Set<String> = []
    for group in byRoot.values { kept.formUnion(Self.keptKeys(group, source, destination)) }
    keptKeys = kept
  }

  /// Decides which mappings keep the keys of rows: the first one of each table of the source, and
  /// others of the same table whose rows do not overlap.
  private static func keptKeys(
    _ group: [RowMapping],
    _ source: ManagedObjectModel,
    _ destination: ManagedObjectModel
  ) -> Set<String> {
    var kept: Set<String> = []
    var home: String?
    var entities: Set<String> = []
    for row in group
    where row.mapping.distinct == nil && row.mapping.instanceCreation?.count != .any {
      guard let driving = row.driving(in: source) else { continue }
      let root = source.root(of: driving)
      let after = destination.root(of: row.destination)
      guard root.key.attributeType == after.key.attributeType, home == nil || home == root.name,
        entities.isDisjoint(with: [driving.name])
      else { continue }
      home = root.name
      entities.insert(driving.name)
      kept.insert(row.mapping.name)
    }
    return kept
  }

  // MARK: - Roots

  var steadyRootNames: Set<String> {
    var steady = Set(destination.rootEntities.map(\.name))
    for row in rows {
      let isSteady =
        keptKeys.contains(row.mapping.name) && row.mapping.condition == nil
        && row.mapping.forEach == nil && !row.mapping.makesRowsByItself
      if !isSteady { steady.remove(row.root) }
    }
    return steady
  }

  var transformedRootNames: Set<String> {
    var names: Set<String> = []
    for (root, group) in byRoot where isTransformed(group) { names.insert(root) }
    // Of several that take the rows of one entity, one at most can have the table.
    for (_, group) in Dictionary(grouping: rows, by: \.source.name) where group.count > 1 {
      let heir = heir(of: group.filter { !names.contains($0.root) })
      for row in group where row.root != heir?.root { names.insert(row.root) }
    }
    return names
  }

  private func heir(of group: [RowMapping]) -> RowMapping? {
    group.first { $0.source.canonicalName == $0.destination.canonicalName }
      ?? group.first { $0.source.name == $0.destination.name } ?? group.first
  }

  private func isTransformed(_ group: [RowMapping]) -> Bool {
    if group.contains(where: { $0.mapping.isTransformingRows }) { return true }
    if Set(group.map(\.destination.name)).count < group.count { return true }
    if Set(group.map { source.root(of: $0.source).name }).count > 1 { return true }
    return group.contains { row in
      !keptKeys.contains(row.mapping.name) || expressions(ofKeysIn: row)
    }
  }

  /// Returns whether a to-one relationship that is kept in the row itself is computed, by its own
  /// mapping or by that of its inverse.
  private func expressions(ofKeysIn row: RowMapping) -> Bool {
    for declaring in destination.lineage(of: row.destination) {
      for relationship in declaring.relationships where !relationship.isTransient {
        guard case .ownKey = destination.storage(of: relationship, declaredBy: declaring) else {
          continue
        }
        if row.mapping.isExpression(relationship.name) || isInverseExpression(relationship) {
          return true
        }
      }
    }
    return false
  }

  private func isInverseExpression(_ relationship: RelationshipDescription) -> Bool {
    guard let inverse = destination.inverse(of: relationship) else { return false }
    let family = Set(destination.family(of: inverse.declaringEntity).map(\.name))
    return rows.contains {
      family.contains($0.destination.name)
        && $0.mapping.isExpression(inverse.relationship.name)
    }
  }

  /// Returns a root whose rows lead to others that have new keys.
  func nextRoot(besides names: Set<String>, _ steady: Set<String>) -> String? {
    for row in rows where !names.contains(row.root) {
      for declaring in destination.lineage(of: row.destination) {
        for relationship in declaring.relationships where !relationship.isTransient {
          guard case .ownKey = destination.storage(of: relationship, declaredBy: declaring),
            let mapping = row.mapping.relationshipMappings.first(where: {
              $0.name == relationship.name
            }), mapping.valueExpression != nil,
            let target = destination.entity(named: relationship.destinationEntityName)
          else { continue }
          if !steady.contains(destination.root(of: target).name) { return row.root }
        }
      }
    }
    return nil
  }

  // MARK: - Join tables

  func joins(_ steady: Set<String>) -> Set<CopyScope.JoinName> {
    var joins: Set<CopyScope.JoinName> = []
    for entity in destination.entities {
      for relationship in entity.relationships where !relationship.isTransient {
        guard
          destination.storage(of: relationship, declaredBy: entity) == .joinTable(isOwner: true),
          let target = destination.entity(named: relationship.destinationEntityName)
        else { continue }
        let family = Set(destination.family(of: entity).map(\.name))
        let owners = rows.filter { family.contains($0.destination.name) }
        let isComputed =
          owners.contains { $0.mapping.isExpression(relationship.name) }
          || isInverseExpression(relationship) || isWritten(entity, target, relationship)
        let isSteady = [entity, target].allSatisfy {
          steady.contains(destination.root(of: $0).name)
        }
        let hasLinks = owners.contains { owner in
          owner.mapping.relationshipMappings.contains {
            $0.name == relationship.name && $0.valueExpression != nil
          }
        }
        if isComputed || !isSteady && hasLinks {
          joins.insert(
            CopyScope.JoinName(entityName: entity.name, relationshipName: relationship.name)
          )
        }
      }
    }
    return joins
  }

  /// Returns whether authored SQL creates the links of a relationship, from either end.
  private func isWritten(
    _ entity: EntityDescription,
    _ target: EntityDescription,
    _ relationship: RelationshipDescription
  ) -> Bool {
    let ends = [entity] + (destination.inverse(of: relationship) == nil ? [] : [target])
    let families = Set(ends.flatMap { destination.family(of: $0) }.map(\.name))
    return mapping.entityMappings.contains { entity in
      entity.destinationEntityName.map(families.contains) ?? false
        && (entity.policy.statements[.createRelationships] != nil || entity.addsRows)
    }
  }

  // MARK: - What stays

  func placement(besides copied: Set<String>) -> MappingModel {
    var sources: Set<String> = []
    var destinations: Set<String> = []
    var placed: Set<String> = []
    func place(_ mapping: EntityMapping) {
      guard let before = mapping.sourceEntityName, let after = mapping.destinationEntityName,
        !sources.contains(before), !destinations.contains(after)
      else { return }
      sources.insert(before)
      destinations.insert(after)
      placed.insert(mapping.name)
    }
    let copiedNames = Set(rows.filter { copied.contains($0.root) }.map(\.mapping.name))
    for entity in mapping.entityMappings where !copiedNames.contains(entity.name) { place(entity) }
    for row in rows where copied.contains(row.root) && keptKeys.contains(row.mapping.name) {
      place(row.mapping)
    }
    return MappingModel(
      entityMappings: mapping.entityMappings.filter { entity in
        placed.contains(entity.name) || entity.sourceEntityName == nil
          || entity.destinationEntityName == nil
      }
    )
  }
}

extension RowMappings.RowMapping {
  /// The entity whose rows there is one row each for, if they have keys of their own.
  func driving(in source: ManagedObjectModel) -> EntityDescription? {
    guard let name = mapping.forEach else { return self.source }
    for declaring in source.lineage(of: self.source) {
      guard let relationship = declaring.relationships.first(where: { $0.name == name }) else {
        continue
      }
      guard case .inverseKey = source.storage(of: relationship, declaredBy: declaring) else {
        return nil
      }
      return source.entity(named: relationship.destinationEntityName)
    }
    return nil
  }
}

extension EntityMapping {
  /// A Boolean value that indicates whether the rows are other ones or have computed values.
  fileprivate var isTransformingRows: Bool {
    condition != nil || distinct != nil || forEach != nil || makesRowsByItself
      || instanceCreation != nil || attributeMappings.contains { isExpression($0.name) }
  }

  /// A Boolean value that indicates whether a policy creates the rows.
  fileprivate var makesRowsByItself: Bool {
    countsRowsInCode || policy.statements.keys.contains { $0 != .validate }
  }

  /// A Boolean value that indicates whether authored SQL creates rows without a source.
  var addsRows: Bool {
    sourceEntityName == nil && policy.statements[.createDestinationInstances] != nil
  }

  /// Returns whether a property is computed.
  fileprivate func isExpression(_ property: String) -> Bool {
    (attributeMappings + relationshipMappings).contains { mapping in
      guard mapping.name == property, case .expression = mapping.valueExpression else {
        return false
      }
      return true
    }
  }
}
