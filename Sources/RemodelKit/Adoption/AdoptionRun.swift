internal import CatalogComparison
internal import Diagnostics
internal import MigrationExecution
internal import MigrationPlanning
internal import ObjectModel
internal import PostgresClient
internal import SQLSyntax

/// Adopts one database: compares it, and records its version.
struct AdoptionRun: ResumableRun {
  /// The version at which a database is adopted.
  enum Goal {
    /// An existing version, with its warnings.
    case version(PlannedVersion, warnings: [Diagnostic])
    /// A version derived from the tables, and written.
    case written(ModelPlace)
  }

  let call: RemodelCall
  let store: StoreIdentity
  let isDryRun: Bool
  var resumption: Resumption
  /// Whether the files of the model are this run's own.
  var hasWritten = false
  private let goal: Goal
  private let database: ConnectionSource

  var configuration: RemodelConfiguration { call.configuration }
  private var metadata: MetadataStore { MetadataStore(store) }

  init(
    _ call: RemodelCall,
    _ store: StoreIdentity,
    _ database: ConnectionSource,
    by goal: Goal,
    isDryRun: Bool
  ) {
    self.call = call
    self.store = store
    self.database = database
    self.goal = goal
    self.isDryRun = isDryRun
    resumption = Resumption(call, database)
  }

  mutating func attempt(_ connection: borrowing PostgresConnection) throws -> AdoptionReport {
    // A dry run takes no lock, and for an existing store nothing is recorded.
    if isDryRun { return try adopt(connection) }
    if case .store = try presence(connection) { return try adopt(connection) }
    return try call.holdingMigrationLock(of: store, connection) { connection in
      try adopt(connection)
    }
  }

  private mutating func adopt(
    _ connection: borrowing PostgresConnection
  ) throws -> AdoptionReport {
    switch goal {
    case .version(let version, let warnings):
      try adopt(version, warnings: warnings, connection)
    case .written(let place):
      try adopt(writingTo: place, connection)
    }
  }

  /// A comparison of a version with the tables.
  struct Sight {
    let tables: [CatalogTable]
    let made: [CatalogObject: ObjectDefinition]
    let leftAlone: [UnexpressedObject]
    let kinds: TableKinds
    let result: AdoptionComparison.Result
  }

  // MARK: - By a version that there is

  /// Compares the tables with a version, and records it if they are equal.
  mutating func adopt(
    _ version: PlannedVersion,
    warnings: [Diagnostic],
    leavingAlone leftAlone: [UnexpressedObject] = [],
    _ connection: borrowing PostgresConnection
  ) throws -> AdoptionReport {
    for _ in 0..<10 {
      let (report, sight) = try call.look(at: store).run(connection) { connection in
        try metadata.settled(connection) { _, connection in
          try compare(version, warnings, leavingAlone: leftAlone, connection)
        }
      }
      guard let sight, report.outcome == .matches, !isDryRun else { return report }
      let warning = try call.warnOfSuperuser(connection)
      if try record(version, sight, connection) == .committed {
        var adopted = report
        adopted.outcome = .adopted
        adopted.warnings += [warning].compactMap(\.self)
        return adopted
      }
    }
    throw RemodelError(.unsettledSchema(store.schema.name))
  }

  /// Returns the comparison and the record; no record if there is one already.
  private func compare(
    _ version: PlannedVersion,
    _ warnings: [Diagnostic],
    leavingAlone leftAlone: [UnexpressedObject],
    _ connection: borrowing PostgresConnection
  ) throws -> (AdoptionReport, Sight?) {
    let presence = try presence(connection)
    if case .store(let record) = presence {
      guard record.versionName == version.name, record.checksum == version.hashes.checksum,
        record.layoutDigest == version.hashes.layoutDigest
      else { throw RemodelError(.storeExists(version: record.versionName)) }
      return (report(.unchanged, version, warnings, nil, [], []), nil)
    }
    try checkReadiness(for: [MigrationPlanner().step(adopting: version)], presence, connection)
    let sight = try look(at: version, presence, leavingAlone: leftAlone, connection)
    let others = try others(than: version, sight.tables, presence, connection)
    let foreign = try CatalogInspection(store).tablesOfPartman(connection)
      .filter { version.projection.schema.tables[SQLIdentifier($0)] != nil }
    let warnings =
      warnings
      + foreign.map {
        Diagnostic(
          .warning,
          "pg_partman makes the partitions of table \"\($0)\"",
          hint:
            "Let one of the two make them: take the table out of part_config, or have fewer ahead than "
            + "its premake."
        )
      }
    guard sight.result.differences.isEmpty else {
      return (report(.differs, version, warnings, sight, others, []), sight)
    }
    let findings = try version.projection.rowRules.map {
      try PreconditionFinding.asking($0, connection)
    }
    return (report(.matches, version, warnings, sight, others, findings), sight)
  }

  /// Reads whether there is a store, which no creation may be on its way to.
  func presence(_ connection: borrowing PostgresConnection) throws -> MetadataStore.Presence {
    guard connection.serverVersion >= 150_000 else {
      throw ExecutionError(.oldServer(connection.serverVersion))
    }
    let presence = try metadata.presence(connection)
    if case .creating(let record) = presence {
      throw RemodelError(.unfinishedCreation(version: record.versionName))
    }
    return presence
  }

  /// Checks that a version can be tried, and recorded if it is to be.
  func checkReadiness(
    for steps: [MigrationStep],
    _ presence: MetadataStore.Presence,
    _ connection: borrowing PostgresConnection
  ) throws {
    let isRecorded = presence != .noMetadata && !isDryRun
    let layout = isRecorded ? try metadata.layoutVersion(connection) : nil
    try ReadinessInspection(store, metadataLayout: layout)
      .check(isDryRun ? [] : steps, makesSchemas: true, connection)
  }

  /// Reads the tables that could be taken over, whose definitions run when they are tried.
  func tables(
    _ presence: MetadataStore.Presence,
    _ connection: borrowing PostgresConnection
  ) throws -> [CatalogTable] {
    let tables = try CatalogInspection(store)
      .tables(connection, hasMetadata: presence != .noMetadata)
    guard !tables.isEmpty else {
      throw RemodelError(.nothingToAdopt(schema: store.schema.name))
    }
    try StoreOwnership(
      of: tables.map { QualifiedName(schema: store.schema, name: SQLIdentifier($0.name)) },
      in: store,
      isWriting: true
    ).check(connection)
    return tables
  }

  private func look(
    at version: PlannedVersion,
    _ presence: MetadataStore.Presence,
    leavingAlone leftAlone: [UnexpressedObject],
    _ connection: borrowing PostgresConnection
  ) throws -> Sight {
    let tables = try tables(presence, connection)
    switch try trial(of: version).outcome(connection) {
    case .refused(_, let error): throw error
    case .made(let made):
      return try compare(version.projection, made, tables, leavingAlone: leftAlone, connection)
    }
  }

  /// Returns a trial of a version in a schema of its own.
  func trial(of version: PlannedVersion) throws -> VersionTrial {
    let projection = try ModelProjection(
      version.projection.model,
      schema: VersionTrial.schemaName(),
      isInterpreted: true
    )
    let step = try MigrationPlanner().step(
      creating: PlannedVersion(
        name: version.name,
        hashes: version.hashes,
        projection: projection
      ),
      createsSchema: true
    )
    return VersionTrial(step, of: store)
  }

  /// Compares a version with the existing objects.
  func compare(
    _ projection: ModelProjection,
    _ made: [CatalogObject: ObjectDefinition],
    _ tables: [CatalogTable],
    leavingAlone leftAlone: [UnexpressedObject],
    _ connection: borrowing PostgresConnection
  ) throws -> Sight {
    let live = try DefinitionInspection(store, projection).live(retained: [], connection)
    let comparison = AdoptionComparison(
      of: projection,
      made: made,
      live: live,
      tables: tables,
      leavingAlone: leftAlone
    )
    return Sight(
      tables: tables,
      made: made,
      leftAlone: leftAlone,
      kinds: live.kinds,
      result: comparison.result()
    )
  }

  // MARK: - Recording

  private mutating func record(
    _ version: PlannedVersion,
    _ sight: Sight,
    _ connection: borrowing PostgresConnection
  ) throws -> StepExecution.Result {
    let layout =
      try metadata.presence(connection) == .noMetadata ? nil : metadata.layoutVersion(connection)
    resumption.serverStart =
      try ReadinessInspection(store, metadataLayout: layout).check([], connection)
    if layout != MetadataStore.layoutVersion {
      try metadata.createOrUpgrade(connection, call.interruption)
    }
    let onEvent = call.onEvent
    var execution = StepExecution(
      MigrationPlanner().step(adopting: version),
      in: store,
      settings: configuration.stepSettings,
      source: database,
      interruption: call.interruption,
      onEvent: { event in
        // Nothing is migrated.
        switch event {
        case .stepStarted, .stepEnded: break
        case _: onEvent?(event)
        }
      }
    )
    execution.adoption = AdoptionCheck(
      of: version.projection,
      made: sight.made,
      leavingAlone: sight.leftAlone,
      found: sight.result
    )
    execution.failpoints = configuration.copySettings.failpoints
    return try execution.run(connection)
  }

  // MARK: - Report

  private func report(
    _ outcome: AdoptionReport.Outcome,
    _ version: PlannedVersion,
    _ warnings: [Diagnostic],
    _ sight: Sight?,
    _ others: [UnexpressedObject],
    _ findings: [PreconditionFinding]
  ) -> AdoptionReport {
    let tables = version.projection.schema.tables
    let listed = Set((sight?.result.unexpressed ?? []).compactMap(\.part))
    let unknown = (sight?.tables ?? []).filter { !$0.isPartition }.map {
      CatalogObject(.table, table: $0.name)
    }
    .filter { tables[SQLIdentifier($0.table)] == nil && !listed.contains($0) }
    .map { UnexpressedObject(.part($0), .notInModel) }
    return AdoptionReport(
      outcome: outcome,
      version: VersionReference(name: version.name, checksum: version.hashes.checksum),
      tables: tables.keys.map(\.name).sorted(),
      differences: sight?.result.differences ?? [],
      unexpressed: unknown + (sight?.result.unexpressed ?? []) + others,
      kinds: sight?.kinds.undeclared(in: version.projection.schema) ?? [:],
      findings: findings,
      warnings: warnings + findings.filter(\.isViolated).map(\.warning)
    )
  }
}

extension PreconditionFinding {
  /// The violations, as a warning.
  fileprivate var warning: Diagnostic {
    Diagnostic(
      .warning,
      "not so in \(count ?? 0) rows: \(precondition.requirement)",
      detail: sampleKeys.map { "Keys: \($0)." },
      hint: precondition.remedy
    )
  }
}

extension AdoptionRun {
  /// Lists the objects besides the tables of a version.
  func others(
    than version: PlannedVersion,
    _ tables: [CatalogTable],
    _ presence: MetadataStore.Presence,
    _ connection: borrowing PostgresConnection
  ) throws -> [UnexpressedObject] {
    let hasMetadata = presence != .noMetadata
    let known = Set(tables.map { "\(store.schema.name).\($0.name)" })
    let bystanders = try BystanderInspection(store)
      .bystanders(
        of: version.projection.schema,
        retained: [],
        hasMetadata: hasMetadata,
        connection
      )
      .filter { !$0.kind.hasSuffix("table") || !known.contains($0.unquotedIdentity) }
    let schemas = try CatalogInspection(store).otherSchemas(connection)
    return bystanders.map(\.unexpressed)
      + schemas.map {
        UnexpressedObject(
          .other(kind: "schema", name: $0.name),
          .schemaOfOthers(tableCount: $0.tableCount)
        )
      }
  }
}

extension Bystander {
  /// The name without the quotes that the server puts around its parts.
  fileprivate var unquotedIdentity: String { identity.replacingScalars("\"", with: "") }

  /// The object as one that a model cannot describe.
  fileprivate var unexpressed: UnexpressedObject {
    let reason: UnexpressedObject.Reason =
      switch kind {
      case "function", "procedure", "aggregate": .routine
      case "type", "domain", "composite type": .ownType
      case "sequence": .ownSequence
      case _: .noEntity
      }
    return UnexpressedObject(.other(kind: kind, name: identity), reason)
  }
}
