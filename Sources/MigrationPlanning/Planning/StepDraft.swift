package import ModelMapping
internal import SQLSyntax

/// The first pass of planning: the matching tables, their changes, and the queries that copy rows.
///
/// It does not decide yet how rows are copied, and does not depend on other objects of the
/// database.
package struct StepDraft {
  let planner: MigrationPlanner
  let source: PlannedVersion
  let destination: PlannedVersion
  let mapping: CompleteMapping
  var passedVersions: [String] = []
  let changes: SchemaChanges
  /// The objects that earlier steps have retained.
  let retained: [RetainedObject]
  /// The tables that are copied because they are divided into partitions in another way, and whether all of
  /// their values stay as they are.
  fileprivate(set) var redividedTables: [SQLIdentifier: Bool] = [:]
  /// Why tables of the source cannot be served, although nothing but values that are computed is in the way.
  private(set) var bridgeConflicts: [SQLIdentifier: String] = [:]
  /// The tables with columns that are filled in place; none are copied then.
  private(set) var fills: [FilledTable] = []
  /// Why updates replace nulls of large tables, although the step is to fill columns.
  var updateReasons: [SQLIdentifier: String] = [:]
  /// The compiled copy; without a table to copy it has people's SQL alone.
  private let compilation: Result<CompiledCopy, PlanningError>

  init(
    _ planner: MigrationPlanner,
    _ mapping: CompleteMapping,
    from source: PlannedVersion,
    to destination: PlannedVersion,
    retained: [RetainedObject]
  ) {
    self.planner = planner
    self.source = source
    self.destination = destination
    self.mapping = mapping
    self.retained = retained
    changes = SchemaChanges(
      from: source,
      to: destination,
      by: mapping.copyScope.placement,
      linking: mapping.mappingModel,
      copying: destination.projection.copiedTables(mapping.copyScope),
      planner,
      retained: retained
    )
    compilation = Result { () throws(PlanningError) in
      try CompiledCopy(
        CopyRequest(
          mapping: mapping,
          source: source.projection,
          destination: destination.projection,
          staging: planner.isSchemaDistributed(from: source, to: destination) ? .renamed : .apart,
          mapSchema: planner.stagingSchema
        )
      )
    }
  }

  /// Creates the draft of the same step that fills columns in place.
  ///
  /// - Parameters:
  ///   - draft: The draft that copies.
  ///   - mapping: The mapping, by which the tables would be copied.
  ///   - changes: The changes of tables that stay.
  ///   - compiled: The copy of the tables, of which only the questions about the rows remain.
  ///   - fills: The tables.
  init(
    of draft: StepDraft,
    _ mapping: CompleteMapping,
    _ changes: SchemaChanges,
    _ compiled: CompiledCopy,
    filling fills: [FilledTable]
  ) {
    planner = changes.planner
    source = draft.source
    destination = draft.destination
    self.mapping = mapping
    passedVersions = draft.passedVersions
    bridgeConflicts = draft.bridgeConflicts
    self.changes = changes
    retained = draft.retained
    self.fills = fills
    compilation = .success(compiled)
  }

  /// Returns the draft that keeps rows in step for releases on both versions.
  ///
  /// - Parameter wayBack: The mapping from the destination to the source.
  /// - Returns: The draft.
  fileprivate func bridged(back wayBack: CompleteMapping) -> StepDraft {
    let compiler = BridgeCompiler(self, back: wayBack)
    var draft = bridged(by: compiler.bridges, obstacles: compiler.obstacles)
    draft.bridgeConflicts = compiler.conflicts
    return draft
  }

  /// Returns the draft of the same step without a bridge over tables that would have to be filled.
  ///
  /// - Parameter reason: Why they cannot be.
  /// - Returns: The draft.
  package func withoutFilledBridges(_ reason: String) -> StepDraft {
    let copied = changes.match.copiedTables
    var obstacles = planner.bridgeObstacles
    for bridge in planner.bridges where copied.contains(bridge.newName) {
      obstacles[bridge.oldName] = reason
    }
    let bridges = planner.bridges.filter { !copied.contains($0.newName) }
    return bridged(by: bridges, obstacles: obstacles)
  }

  private func bridged(
    by bridges: [BridgeDraft],
    obstacles: [SQLIdentifier: String]
  ) -> StepDraft {
    var planner = planner
    planner.bridges = bridges
    planner.bridgeObstacles = obstacles
    var draft = StepDraft(planner, mapping, from: source, to: destination, retained: retained)
    draft.passedVersions = passedVersions
    draft.redividedTables = redividedTables
    draft.bridgeConflicts = bridgeConflicts
    return draft
  }

  /// A Boolean value that indicates whether tables that would be copied have to be filled in place, for
  /// releases on both versions to write them.
  package var fillsBridges: Bool {
    planner.bridges.contains { changes.match.copiedTables.contains($0.newName) }
  }

  /// A Boolean value that indicates whether rows are copied into tables that take the places of others.
  var copies: Bool { !changes.match.copiedTables.isEmpty }

  /// The compiled copy.
  ///
  /// - Throws: Everything in the mapping that cannot be carried out.
  func compiled() throws(PlanningError) -> CompiledCopy { try compilation.get() }

  /// Decides how rows are copied, or that they are not.
  package func staged(by strategy: CopyStrategy) throws(PlanningError) -> StagedStep {
    var planner = planner
    planner.strategy = strategy
    guard strategy == .filled else { return try StagedStep(self, planner) }
    do {
      return try StagedStep(filled(), planner)
    } catch let obstacle as FillObstacle {
      throw PlanningError(fact: .notFillable(obstacle.reason))
    } catch let error as PlanningError {
      throw error
    } catch {
      throw PlanningError(fact: .notFillable("\(type(of: error))"))
    }
  }

  // MARK: - Large tables

  /// The large tables that the transaction of a step would keep others from for long, unless they are
  /// copied before.
  var copyableTables: [SQLIdentifier] {
    let divided = OnlineChanges(
      dividing: changes.operations,
      of: changes,
      smallTables: planner.smallTables
    )
    return divided.obstacles.filter { table, operations in
      operations.allSatisfy { $0.base.traits.contains(.staysInTable) && $0.base.table == table }
    }.map(\.key)
  }

  /// The tables that are divided into other partitions than before, or into none, or spread over nodes in
  /// another way, so that their rows have to be copied.
  fileprivate func findRedividedTables() -> [SQLIdentifier: Bool] {
    let match = changes.match
    let redistributed = redistributedTables
    return Dictionary(
      match.tables.compactMap { old, new in
        guard let before = match.source.schema.tables[old],
          let after = match.destination.schema.tables[new]
        else { return nil }
        let columns = match.columns[old] ?? [:]
        if !redistributed.contains(new) {
          guard before.partitioning != nil || after.partitioning != nil else { return nil }
          // People may have divided it in this way already.
          if before.partitioning == nil, let kind = planner.kinds[old],
            after.partitioning?.isThat(of: kind) == true
          {
            return nil
          }
          if let former = before.partitioning, let partitioning = after.partitioning,
            partitioning.keepsPartitions(of: former, columns: columns)
          {
            return nil
          }
        }
        let keepsValues = after.columns.allSatisfy { column in
          let place = match.oldColumns[ColumnReference(table: new, column: column.name)]
          return place?.table == old && before.column(place?.column ?? "")?.type == column.type
        }
        return (new, keepsValues)
      },
      uniquingKeysWith: { first, _ in first }
    )
  }

  /// The tables that Citus knows already, and that are to be distributed in another way, or no longer.
  private var redistributedTables: Set<SQLIdentifier> {
    let match = changes.match
    // Tables that are distributed with their schema stay in it.
    let distributed = match.tables.filter {
      guard let former = match.source.schema.tables[$0.key]?.distribution, former != .schema,
        let table = match.destination.schema.tables[$0.value]
      else { return false }
      return table.distribution != .schema
    }
    var found = Set(
      distributed.filter { old, new in
        match.source.schema.tables[old]?.distribution?
          .renamed(columns: match.columns[old] ?? [:], tables: match.tables)
          != match.destination.schema.tables[new]?.distribution
      }.values
    )
    // Citus does not distribute a table with an identity column that it knows on the coordinator.
    for (old, new) in match.keptTables where planner.kinds[old.name]?.placement == .coordinator {
      guard let distribution = new.distribution, distribution != .schema,
        old.columns.contains(where: { $0.identitySequence != nil })
      else { continue }
      found.insert(new.name)
    }
    // Rows beside those of such a table follow them.
    var count = -1
    while count < found.count {
      count = found.count
      found.formUnion(
        distributed.values.filter { new in
          match.destination.schema.tables[new]?.distribution?.colocatedTable
            .map(found.contains) == true
        }
      )
    }
    return found
  }

  /// A Boolean value that indicates whether all that is copied can be copied while others write.
  var canCopyOnline: Bool {
    // Links that move and rows that leave need the old tables; values that depend on the copied
    // rows by more than a query are only computed at the end.
    let copied = changes.match.copiedTables
    let moves = changes.operations.contains { operation in
      switch operation.base.rowChange {
      case .rows, .links, .derivedValues:
        !copied.isDisjoint(with: operation.base.impact.locks.keys)
      case .none, .values, .returns: false
      }
    }
    guard !moves, case .success(let copy) = compilation else { return false }
    return copy.notes.onlineObstacle == nil
  }
}

extension MigrationPlanner {
  /// Drafts the step from one version to another; tables that its transaction would block for long
  /// are copied if that is possible.
  ///
  /// - Parameters:
  ///   - source: The version of the database.
  ///   - destination: The version to migrate to.
  ///   - mapping: The mapping of the rows.
  ///   - passedVersions: The versions between, if the step is folded from several.
  ///   - retained: The objects that earlier steps have retained.
  /// - Returns: The draft.
  /// - Throws: Everything that the user does not allow, or that the planner cannot do.
  package func draft(
    from source: PlannedVersion,
    to destination: PlannedVersion,
    by mapping: CompleteMapping,
    over passedVersions: [String] = [],
    retained: [RetainedObject] = []
  ) throws(PlanningError) -> StepDraft {
    func draft(_ mapping: CompleteMapping) -> StepDraft {
      StepDraft(self, mapping, from: source, to: destination, retained: retained)
    }
    var mapping = mapping
    var chosen = draft(mapping)
    let redivided = chosen.findRedividedTables()
    let projections = (source.projection, destination.projection)
    if let wider = mapping.copying(
      Set(redivided.keys),
      from: projections.0,
      to: projections.1
    ) {
      mapping = wider
      chosen = draft(mapping)
    }
    chosen.redividedTables = redivided
    var tables = madeTables
    // Each round adds a table or ends.
    while dividesSteps || !madeTables.isEmpty, strategy != .filled {
      if dividesSteps { tables.formUnion(chosen.copyableTables) }
      guard let wider = mapping.copying(tables, from: projections.0, to: projections.1),
        wider.copyScope != chosen.mapping.copyScope
      else { break }
      let next = draft(wider)
      guard next.canCopyOnline else { break }
      chosen = next
      chosen.redividedTables = redivided
    }
    if removals == .refuse { try refuseRemovals(chosen.changes.operations) }
    try refuseNumberingChanges(chosen.changes.match)
    chosen.passedVersions = passedVersions
    return wayBack.map(chosen.bridged) ?? chosen
  }

  /// Returns whether Citus distributes the schema as a whole while a step runs.
  fileprivate func isSchemaDistributed(
    from source: PlannedVersion,
    to destination: PlannedVersion
  ) -> Bool {
    kinds.schemaColocation != nil
      && SchemaDistribution(from: source.projection, to: destination.projection, kinds) != .removed
  }

  /// A Boolean value that indicates whether large tables are changed in phases, and copied if they
  /// cannot be.
  var dividesSteps: Bool { isPhased && strategy == .online }
}

extension CompleteMapping {
  /// Returns the mapping by which some tables are copied besides; none if there are none.
  func copying(
    _ tables: Set<SQLIdentifier>,
    from source: ModelProjection,
    to destination: ModelProjection
  ) -> CompleteMapping? {
    guard !tables.isEmpty else { return nil }
    var roots: Set<String> = []
    var joins: Set<CopyScope.JoinName> = []
    for table in tables {
      switch destination.tableOrigins[table] {
      case .root(let entity): roots.insert(entity)
      case .join(let entity, let relationship):
        joins.insert(CopyScope.JoinName(entityName: entity, relationshipName: relationship))
      case nil: continue
      }
    }
    return copying(
      rootsNamed: roots,
      joins: joins,
      from: source.model,
      to: destination.model
    )
  }
}
