internal import Diagnostics
package import ModelMapping
internal import ObjectModel
package import SQLSyntax

/// Turns a mapping between two versions into a step of a plan.
///
/// It is a pure function: the same versions, mapping and settings give the same statements.
package struct MigrationPlanner: Sendable {
  /// The treatment of tables and columns that the destination does not have.
  package var removals: RemovalPolicy
  /// The strategy for copying rows into rebuilt tables.
  package var strategy: CopyStrategy
  /// The schema in which tables are rebuilt, with no other use.
  package var stagingSchema: SQLIdentifier
  /// The server's major version; the oldest that is served where there is no server to ask.
  package var serverMajor: Int
  /// A Boolean value that indicates whether an online step changes large tables in phases.
  package var isPhased = false
  /// The tables of the source that are small, so that whatever is done to them is over at once.
  package var smallTables: Set<SQLIdentifier> = []
  /// The tables of the destination that an unfinished copy creates, or those of the source that an
  /// unfinished fill is of; that does not depend on their sizes now.
  package var madeTables: Set<SQLIdentifier> = []
  /// The NOT NULL constraints of the source's columns that others have created or renamed.
  package var foundNotNull: [ColumnReference: NotNullConstraint] = [:]
  /// The retained objects that the step puts back, if its source has them.
  package var reinstatement: Reinstatement?
  /// The columns of the destination that filled ones replace, although their types stay.
  var replacedColumns: Set<ColumnReference> = []
  /// What keeps tables of the database from being filled in place.
  package var fillObstacles = FillObstacles()
  /// The mapping that leads back, if releases on the version before stay served.
  package var wayBack: CompleteMapping?
  /// What keeps tables in step for releases on both versions.
  var bridges: [BridgeDraft] = []
  /// Why tables of the source are not kept in step.
  var bridgeObstacles: [SQLIdentifier: String] = [:]
  /// The kinds of the source's tables.
  package var kinds = TableKinds()
  /// Further retained objects of the destination that can be put back.
  package var spares: Set<RetainedObject> = []

  /// The oldest major version of PostgreSQL that is served.
  package static let oldestServerMajor = 15

  /// Creates a planner.
  package init(
    removals: RemovalPolicy = .retain,
    strategy: CopyStrategy = .locked,
    stagingSchema: SQLIdentifier = "remodel_staging",
    serverMajor: Int = MigrationPlanner.oldestServerMajor
  ) {
    self.removals = removals
    self.strategy = strategy
    self.stagingSchema = stagingSchema
    self.serverMajor = serverMajor
  }

  /// Plans the creation of a version in an empty schema.
  ///
  /// - Parameters:
  ///   - destination: The version.
  ///   - createsSchema: Whether to create the schema as well.
  /// - Returns: The step.
  /// - Throws: Everything that the planner cannot do.
  package func step(
    creating destination: PlannedVersion,
    createsSchema: Bool = false
  ) throws(PlanningError) -> MigrationStep {
    let nothing = PlannedVersion(
      name: "",
      hashes: destination.hashes,
      projection: ModelProjection(emptySchema: destination.projection.schema.name)
    )
    let mapping = MappingModel(entityMappings: [])
    var planner = self
    planner.reinstatement = nil
    let changes = SchemaChanges(
      from: nothing,
      to: destination,
      by: mapping,
      linking: mapping,
      planner
    )
    let operations = try order(changes.operations)
    let schemaCreation = PlannedStatement(
      sql: "CREATE SCHEMA IF NOT EXISTS \(destination.projection.schema.name)",
      reason: "create schema \"\(destination.projection.schema.name)\"",
      impact: OperationImpact(),
      madeSchema: destination.projection.schema.name
    )
    let schemaDistribution = SchemaDistribution(from: nil, to: destination.projection, kinds)
    var step = MigrationStep(
      source: nil,
      destination: destination,
      passedVersions: [],
      mappingModel: nil,
      preconditions: [],
      lockedTables: [],
      statements: (createsSchema ? [schemaCreation] : [])
        + statements(for: operations, in: destination)
        + (schemaDistribution?.statements(for: destination.projection.schema, moving: []) ?? []),
      retained: [],
      renamedRetained: [:],
      droppedRetained: [],
      warnings: [],
      operations: operations
    )
    step.schemaDistribution = schemaDistribution
    return step
  }

  /// Plans to record a version for a database that already has all of its objects.
  ///
  /// During the check, locks prevent changes of the tables' definitions; rows can be read and
  /// written.
  ///
  /// - Parameter version: The version.
  /// - Returns: The step.
  package func step(adopting version: PlannedVersion) -> MigrationStep {
    let schema = version.projection.schema
    return MigrationStep(
      source: nil,
      destination: version,
      passedVersions: [],
      mappingModel: nil,
      preconditions: [],
      lockedTables: schema.sortedTables.map {
        MigrationStep.LockedTable(name: schema.qualified($0.name), mode: .shareUpdateExclusive)
      },
      statements: [],
      retained: [],
      renamedRetained: [:],
      droppedRetained: [],
      warnings: [],
      operations: []
    )
  }

  /// Plans the step from one version to another.
  ///
  /// - Parameters:
  ///   - source: The version of the database.
  ///   - destination: The version to migrate to.
  ///   - mapping: The mapping of the rows.
  ///   - passedVersions: The versions between, if the step is folded from several.
  ///   - retained: The objects that earlier steps have retained.
  ///   - dependents: The objects outside of the store that use its tables, before the step.
  /// - Returns: The step.
  /// - Throws: Everything that the user does not allow, or that the planner cannot do.
  package func step(
    from source: PlannedVersion,
    to destination: PlannedVersion,
    by mapping: CompleteMapping,
    over passedVersions: [String] = [],
    retained: [RetainedObject] = [],
    dependents: [DependentObject] = []
  ) throws(PlanningError) -> MigrationStep {
    try draft(from: source, to: destination, by: mapping, over: passedVersions, retained: retained)
      .staged(by: strategy).step(among: dependents)
  }

  /// The tables in publications that others take the place of, as the server calls them.
  func unsubscribed(_ operations: [MigrationOperation], _ plan: CopyPlan?) -> [String] {
    let made = Set(plan?.tables.map(\.name) ?? [])
    return operations.compactMap { operation in
      guard let object = operation.base.remadeDependent, object.kind == .publicationTable,
        !made.isDisjoint(with: object.uses.map(\.table))
      else { return nil }
      return object.name
    }
  }

  static func refresh(_ name: String) -> Diagnostic {
    Diagnostic(
      .warning,
      "\(name) is made again",
      detail: "Subscribers know the table that was there before.",
      hint:
        "Run ALTER SUBSCRIPTION … REFRESH PUBLICATION WITH (copy_data = false) on each of them, "
        + "once the table there has the columns."
    )
  }

  /// The storage parameters that an object loses when it is created again.
  static func unrecognizedParameters(_ operation: MigrationOperation) -> [Diagnostic] {
    guard let object = operation.base.remadeDependent else { return [] }
    return object.unrecognizedParameters.map { name in
      Diagnostic(
        .warning,
        "storage parameter \"\(name)\" is not set again: \(object.name)",
        detail: "PostgreSQL documents no such parameter, so that it may be the server's own.",
        hint: "Set it after the migration if it was set."
      )
    }
  }

  // MARK: - Parts

  func order(
    _ operations: [MigrationOperation]
  ) throws(PlanningError) -> [MigrationOperation] {
    do {
      return try OperationGraph(operations).sorted()
    } catch {
      throw PlanningError(fact: .circularOperations(error.summaries))
    }
  }

  func statements(
    for operations: [MigrationOperation],
    in version: PlannedVersion,
    _ hazards: StepHazards? = nil,
    among kinds: TableKinds = TableKinds()
  ) -> [PlannedStatement] {
    StatementCompiler.statements(
      for: operations,
      in: version.projection.schema,
      hazards: hazards,
      among: kinds
    )
  }

  func refuseNumberingChanges(_ match: SchemaMatch) throws(PlanningError) {
    var refused: [String] = []
    for (old, new) in match.keptTables {
      let changed = old.columns.compactMap { column -> (old: SQLIdentifier, new: SQLIdentifier)? in
        guard let name = match.columns[old.name]?[column.name], let newColumn = new.column(name),
          column.sequence?.kind != newColumn.sequence?.kind
            || column.sequence?.kind == .serial && column.type != newColumn.type
        else { return nil }
        return (column.name, name)
      }
      refused += changed.sorted { $0.old < $1.old }.map {
        "column \"\($0.new)\" of table \"\(new.name)\""
      }
    }
    guard refused.isEmpty else { throw PlanningError(fact: .numberingChanges(refused)) }
  }

  func refuseRemovals(_ operations: [MigrationOperation]) throws(PlanningError) {
    let removals = operations.compactMap(\.base.outcome.retention)
    guard removals.isEmpty else { throw PlanningError(fact: .removalsRefused(removals)) }
  }

  /// Returns the strongest locks of a plan, which it takes first, in the order of the names.
  ///
  /// If it fills rows before the DDL of a table, readers may use the table until then. If the DDL
  /// is first, weaker locks gain nothing and risk a deadlock with a reader that writes next.
  func lockedTables(
    for operations: [MigrationOperation],
    _ tableNames: [SQLIdentifier: SQLIdentifier],
    in source: PlannedVersion,
    writing written: Set<SQLIdentifier> = [],
    copying plan: CopyPlan? = nil
  ) -> [MigrationStep.LockedTable] {
    let schema = source.projection.schema
    let oldNames = Dictionary(
      tableNames.map { ($0.value, $0.key) },
      uniquingKeysWith: { first, _ in first }
    )
    var modes: [SQLIdentifier: LockMode] = [:]
    let isCopiedHere = plan != nil && strategy == .locked
    let copied = plan?.sources.map(\.table) ?? []
    var fills = isCopiedHere || !written.isEmpty
    // The tables that readers are kept from at once.
    var closed: Set<SQLIdentifier> = []
    let created = operations.reduce(into: Set()) { $0.formUnion($1.base.outcome.madeTables) }
    for operation in operations.map(\.base) {
      if operation.rowChange != .none { fills = true }
      for (table, mode) in operation.impact.locks {
        let name = operation.speaksOldNames ? table : oldNames[table] ?? table
        let isNew = !operation.speaksOldNames && created.contains(table) && oldNames[table] == nil
        guard !isNew, schema.tables[name] != nil else { continue }
        // Rows that are read to be written elsewhere must not change meanwhile.
        let needed = operation.rowChange != .none ? max(mode, .shareRowExclusive) : mode
        if needed > .shareRowExclusive, !fills { closed.insert(name) }
        modes[name] = max(modes[name] ?? needed, needed)
      }
    }
    for table in written { modes[table] = max(modes[table] ?? .share, .shareRowExclusive) }
    for table in copied {
      let needed: LockMode = isCopiedHere ? .shareRowExclusive : .accessExclusive
      modes[table] = max(modes[table] ?? needed, needed)
    }
    // At the end of a copy, nobody else may write.
    let isEndOfCopy = plan != nil && !isCopiedHere
    return modes.sorted { $0.key < $1.key }.map { name, mode in
      MigrationStep.LockedTable(
        name: schema.qualified(name),
        mode: isEndOfCopy || closed.contains(name) ? mode : min(mode, .shareRowExclusive)
      )
    }
  }
}
