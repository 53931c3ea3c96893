package import ObjectModel

/// The tables that a mapping must rebuild because it cannot be carried out in place: a pure
/// function of the mapping and the two versions.
package struct CopyScope: Hashable, Sendable {
  /// The root entities of the destination whose tables are rebuilt.
  package private(set) var rootNames: Set<String> = []
  /// The relationships, by the end that owns the join table, whose join tables are rebuilt.
  package private(set) var joins: Set<JoinName> = []
  /// The entity mappings whose rows keep their keys, by name.
  package private(set) var keptKeys: Set<String> = []
  /// The roots of the destination all of whose rows are led to by the keys that they had before.
  package private(set) var steadyRootNames: Set<String> = []
  /// The mapping without the parts for rebuilt rows only: at most one entity mapping for each
  /// entity of either version.
  package private(set) var placement: MappingModel

  /// A relationship that is kept in a join table.
  package struct JoinName: Hashable, Sendable {
    /// The entity that declares it.
    package let entityName: String
    /// The relationship.
    package let relationshipName: String

    /// Names the join table of a relationship.
    package init(entityName: String, relationshipName: String) {
      self.entityName = entityName
      self.relationshipName = relationshipName
    }
  }

  /// Returns whether the join table of a relationship is rebuilt.
  package func makes(
    _ relationship: RelationshipDescription,
    declaredBy entity: EntityDescription
  ) -> Bool {
    joins.contains(JoinName(entityName: entity.name, relationshipName: relationship.name))
  }

  /// A Boolean value that indicates whether no table is rebuilt.
  package var isEmpty: Bool { rootNames.isEmpty && joins.isEmpty }

  /// Creates the scope of an inferred mapping, which rebuilds no tables.
  init(ofInferred mapping: MappingModel) {
    placement = mapping
  }

  /// Finds the tables to rebuild.
  ///
  /// - Parameters:
  ///   - mapping: A complete mapping.
  ///   - source: The version of the rows.
  ///   - destination: The version to migrate to.
  init(
    of mapping: MappingModel,
    from source: ManagedObjectModel,
    to destination: ManagedObjectModel
  ) {
    placement = mapping
    let mappings = RowMappings(mapping, from: source, to: destination)
    keptKeys = mappings.keptKeys
    steadyRootNames = mappings.steadyRootNames
    rootNames = mappings.transformedRootNames
    for entity in mapping.entityMappings where entity.addsRows {
      guard let added = entity.destinationEntityName.flatMap({ destination.entity(named: $0) }),
        !added.isAbstract
      else { continue }
      rootNames.insert(destination.root(of: added).name)
      steadyRootNames.remove(destination.root(of: added).name)
    }
    while let next = mappings.nextRoot(besides: rootNames, steadyRootNames) {
      rootNames.insert(next)
    }
    joins = mappings.joins(steadyRootNames)
    placement = mappings.placement(besides: rootNames)
  }
}

extension CopyScope {
  /// Creates the scope of a destination beside the source: everything.
  init(
    ofEverythingIn mapping: MappingModel,
    from source: ManagedObjectModel,
    to destination: ManagedObjectModel
  ) {
    let mappings = RowMappings(mapping, from: source, to: destination)
    placement = mapping
    keptKeys = mappings.keptKeys
    steadyRootNames = mappings.steadyRootNames
    rootNames = Set(destination.rootEntities.map(\.name))
    for entity in destination.entities {
      for relationship in entity.relationships where !relationship.isTransient {
        guard
          destination.storage(of: relationship, declaredBy: entity) == .joinTable(isOwner: true)
        else { continue }
        joins.insert(JoinName(entityName: entity.name, relationshipName: relationship.name))
      }
    }
    placement = mappings.placement(besides: rootNames)
  }
}

extension CopyScope {
  /// Returns the scope with more tables, which the mapping does not require to be rebuilt.
  ///
  /// - Parameters:
  ///   - roots: The root entities of the destination.
  ///   - joins: The relationships with the join tables.
  ///   - mapping: The complete mapping.
  ///   - source: The version of the rows.
  ///   - destination: The version to migrate to.
  /// - Returns: The scope.
  func adding(
    rootsNamed roots: Set<String>,
    joins: Set<JoinName>,
    of mapping: MappingModel,
    from source: ManagedObjectModel,
    to destination: ManagedObjectModel
  ) -> CopyScope {
    let mappings = RowMappings(mapping, from: source, to: destination)
    var scope = self
    scope.keptKeys = mappings.keptKeys
    scope.steadyRootNames = mappings.steadyRootNames.subtracting(
      rootNames.subtracting(steadyRootNames)
    )
    scope.rootNames.formUnion(roots)
    while let next = mappings.nextRoot(besides: scope.rootNames, scope.steadyRootNames) {
      scope.rootNames.insert(next)
    }
    scope.joins.formUnion(joins.union(mappings.joins(scope.steadyRootNames)))
    scope.placement = mappings.placement(besides: scope.rootNames)
    return scope
  }
}
