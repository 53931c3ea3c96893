internal import ModelMapping
internal import SQLSyntax

extension MigrationPlanner {
  /// A Boolean value that indicates whether large tables are changed in phases.
  var dividesSteps: Bool { isPhased && strategy == .online }

  /// Returns a mapping by which those large tables are made anew that the transaction of the step
  /// would keep others from for long.
  ///
  /// - Parameters:
  ///   - mapping: The mapping.
  ///   - source: The version that the database is at.
  ///   - destination: The version that it is to be at.
  ///   - retained: What earlier steps have left in place.
  /// - Returns: The mapping; the same one where no table is in the way, or none of them can be copied.
  func mapping(
    copyingLargeTablesOf mapping: CompleteMapping,
    from source: PlannedVersion,
    to destination: PlannedVersion,
    retained: [RetainedObject]
  ) -> CompleteMapping {
    guard dividesSteps || !madeTables.isEmpty else { return mapping }
    var result = mapping
    var tables = madeTables
    // Each round adds a table or ends.
    while true {
      if dividesSteps {
        let changes = changes(result, from: source, to: destination, retained)
        tables.formUnion(copyableTables(changes))
      }
      guard let wider = copying(tables, of: mapping, from: source, to: destination),
        wider.copyScope != result.copyScope
      else { return result }
      guard canCopy(wider, from: source, to: destination, retained) else { return result }
      result = wider
    }
  }

  /// Returns the large tables that the transaction of a step would keep others from for long, unless
  /// they are copied before.
  private func copyableTables(_ changes: SchemaChanges) -> [SQLIdentifier] {
    let divided = OnlineChanges(
      dividing: changes.operations,
      of: changes,
      smallTables: smallTables
    )
    return divided.obstacles.filter { table, operations in
      operations.allSatisfy { $0.staysInTable && $0.base.table == table }
    }.map(\.key)
  }

  func changes(
    _ mapping: CompleteMapping,
    from source: PlannedVersion,
    to destination: PlannedVersion,
    _ retained: [RetainedObject]
  ) -> SchemaChanges {
    let match = SchemaMatch(
      from: source.projection,
      to: destination.projection,
      by: mapping.copyScope.placement,
      copying: CopyCompiler.copiedTables(mapping.copyScope, in: destination.projection)
    )
    var changes = SchemaChanges(from: source, to: destination, match, self, retained: retained)
    changes.leaveLinks(ofMappingsIn: mapping.mappingModel)
    changes.collect()
    return changes
  }

  private func copying(
    _ tables: Set<SQLIdentifier>,
    of mapping: CompleteMapping,
    from source: PlannedVersion,
    to destination: PlannedVersion
  ) -> CompleteMapping? {
    guard !tables.isEmpty else { return nil }
    var roots: Set<String> = []
    var joins: Set<CopyScope.JoinName> = []
    for table in tables {
      switch destination.projection.tableOrigins[table] {
      case .root(let entity): roots.insert(entity)
      case .join(let entity, let relationship):
        joins.insert(CopyScope.JoinName(entityName: entity, relationshipName: relationship))
      case nil: continue
      }
    }
    return mapping.copying(
      rootsNamed: roots,
      joins: joins,
      from: source.projection.model,
      to: destination.projection.model
    )
  }

  /// Returns whether all that a mapping has copied can be copied while others write.
  private func canCopy(
    _ mapping: CompleteMapping,
    from source: PlannedVersion,
    to destination: PlannedVersion,
    _ retained: [RetainedObject]
  ) -> Bool {
    let changes = changes(mapping, from: source, to: destination, retained)
    // Links that move, and rows that leave for other tables, are known to the tables as they are; and
    // what follows from the copied rows by more than a query is only computed at the end.
    let copied = changes.match.copiedTables
    let moves = changes.operations.contains { operation in
      switch operation {
      case .moveLinks, .cutLinks, .copyRows, .retainRows, .deleteRows, .computeValues,
        .numberLinks:
        !copied.isDisjoint(with: operation.base.impact.locks.keys)
      default: false  // Nothing else takes rows or links from one place to another.
      }
    }
    var compiler = CopyCompiler(
      mapping,
      from: source.projection,
      to: destination.projection,
      stagingSchema: stagingSchema
    )
    guard !moves, let plan = try? compiler.compile() else { return false }
    return plan.onlineObstacle == nil
  }

  /// Says which tables a step keeps others from, although it is to keep nobody from anything.
  static func obstacle(_ divided: OnlineChanges?) -> String? {
    guard let divided else { return nil }
    let obstacles = divided.obstacles.sorted { $0.key < $1.key }
    guard let (table, operations) = obstacles.first, let operation = operations.first else {
      return nil
    }
    return "table \"\(table)\" is not small, and others would have to wait for it to "
      + operation.base.summary
  }
}
