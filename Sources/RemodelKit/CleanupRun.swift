internal import MigrationExecution
internal import MigrationPlanning
internal import ObjectModel
internal import PostgresClient
internal import SQLSyntax

/// The cleanup of one store.
struct CleanupRun: ResumableRun {
  let call: RemodelCall
  let catalog: VersionCatalog
  let database: ConnectionSource
  let selection: CleanupSelection
  var resumption: Resumption
  private let metadata: MetadataStore
  private var report: CleanupReport?
  /// The objects that turned out to have dependents.
  private var stubborn: [RetainedObject: CleanupPlan.Fate] = [:]

  init(
    _ call: RemodelCall,
    _ catalog: VersionCatalog,
    _ database: ConnectionSource,
    _ selection: CleanupSelection
  ) {
    self.call = call
    self.catalog = catalog
    self.database = database
    self.selection = selection
    metadata = MetadataStore(catalog.store)
    resumption = Resumption(call, database)
  }

  func show(_ connection: borrowing PostgresConnection) throws -> CleanupReport {
    let sight = try metadata.settled(connection) { _, connection in try Sight(self, connection) }
    guard let sight else { return nothing(isDryRun: true) }
    return CleanupReport(
      version: sight.version,
      isDryRun: true,
      items: sight.items(try amounts(sight, connection)),
      statements: sight.plan.steps.flatMap(\.statements),
      refusal: denial(of: sight)
    )
  }

  mutating func attempt(_ connection: borrowing PostgresConnection) throws -> CleanupReport {
    // A process that copies rows holds the migration lock for long; metadata that others can write to
    // tells nothing of jobs.
    _ = try metadata.presence(connection)
    try Sight.refuseUnfinishedJob(catalog.store, connection)
    return try call.holdingMigrationLock(of: catalog.store, connection) { connection in
      try takeSteps(connection)
    }
  }

  private mutating func takeSteps(
    _ connection: borrowing PostgresConnection
  ) throws -> CleanupReport {
    while true {
      guard let sight = try Sight(self, connection) else {
        return report ?? nothing(isDryRun: false)
      }
      if let denial = denial(of: sight) { throw denial }
      var current =
        try report
        ?? CleanupReport(
          version: sight.version,
          isDryRun: false,
          items: sight.items(amounts(sight, connection)),
          statements: []
        )
      report = current
      guard try carryOut(sight, connection) else { continue }
      current = report ?? current
      current.items = current.items.map { item in
        let now = sight.plan.removals.first { $0.entry.object == item.entry.object }?.fate
        return CleanupReport.Item(
          entry: item.entry,
          fate: stubborn[item.entry.object] ?? now ?? item.fate,
          amount: item.amount
        )
      }
      return current
    }
  }

  /// Returns whether everything was done as planned; if not, the database has changed.
  private mutating func carryOut(
    _ sight: Sight,
    _ connection: borrowing PostgresConnection
  ) throws -> Bool {
    let steps = sight.plan.steps.filter { $0.droppedRetained.isDisjoint(with: stubborn.keys) }
    if !steps.isEmpty {
      resumption.serverStart =
        try ReadinessInspection(catalog.store, metadataLayout: sight.metadataLayout)
        .check(steps, connection)
      let warning = try call.warnOfSuperuser(connection)
      report?.warnings = [warning].compactMap(\.self)
    }
    if !steps.isEmpty, sight.metadataLayout != MetadataStore.layoutVersion {
      try metadata.createOrUpgrade(connection, call.interruption)
    }
    if !steps.isEmpty { call.tellPlan(of: steps, in: catalog.store, connection) }
    for step in steps {
      let execution = StepExecution(
        step,
        in: catalog.store,
        settings: call.configuration.stepSettings,
        source: database,
        interruption: call.interruption,
        onEvent: call.onEvent
      )
      do {
        guard try execution.run(connection) == .committed else { return false }
        report?.statements += step.statements
        resumption.noteProgress()
      } catch let error as ExecutionError {
        guard case .dependentObject(let serverError, _) = error.fact else { throw error }
        // The server reports dependencies when it drops that `pg_depend` does not contain.
        let name = serverError.detail ?? serverError.message
        for object in step.droppedRetained { stubborn[object] = .depended([name]) }
      }
    }
    return true
  }

  private func nothing(isDryRun: Bool) -> CleanupReport {
    CleanupReport(version: nil, isDryRun: isDryRun, items: [], statements: [])
  }

  private func amounts(
    _ sight: Sight,
    _ connection: borrowing PostgresConnection
  ) throws -> [RetainedObject: RetainedInspection.Amount] {
    try RetainedInspection(catalog.store).amounts(
      of: sight.plan.removals.map(\.entry.object),
      connection
    )
  }

  private func denial(of sight: Sight) -> RemodelError? {
    do {
      try PlanLimits(catalog.configuration).check(sight.plan.steps, sizes: [:])
      return nil
    } catch {
      return error
    }
  }
}

/// A snapshot of a store's retained objects.
private struct Sight {
  let version: VersionReference
  let plan: CleanupPlan
  let metadataLayout: Int

  /// Looks at a store.
  ///
  /// - Returns: None if the schema is empty.
  /// - Throws: Why nothing can be cleaned up.
  init?(_ cleanup: CleanupRun, _ connection: borrowing PostgresConnection) throws {
    let catalog = cleanup.catalog
    let metadata = MetadataStore(catalog.store)
    guard connection.serverVersion >= 150_000 else {
      throw ExecutionError(.oldServer(connection.serverVersion))
    }
    let record: StoreRecord
    switch try metadata.presence(connection) {
    case .noMetadata, .noStore:
      // Tables that are not ours are an error, an empty schema has nothing to clean up.
      _ = try DatabaseView(catalog, connection)
      return nil
    case .creating(let creation):
      throw RemodelError(.unfinishedCreation(version: creation.versionName))
    case .store(let found): record = found
    }
    try Self.refuseUnfinishedJob(catalog.store, connection)
    let planned = try catalog.planned(record.identity, metadata.model(of: record, connection))
    let entries = try metadata.retainedEntries(connection)
    let shapes = try Self.shapes(of: entries, catalog, metadata, connection)
    let objects = StoreObjects(
      planned.projection.schema,
      retained: entries.map(\.object),
      stagingSchema: catalog.store.stagingSchema
    )
    version = VersionReference(name: record.versionName, checksum: record.checksum)
    metadataLayout = try metadata.layoutVersion(connection)
    plan = CleanupPlan(
      cleanup.selection,
      of: entries,
      at: planned,
      dependents: entries.isEmpty ? [] : try DependentInspection(objects).dependents(connection),
      states: try RetainedInspection(catalog.store).states(of: shapes, connection),
      interfaces: try metadata.interfaces(connection)
    )
  }

  static func refuseUnfinishedJob(
    _ store: StoreIdentity,
    _ connection: borrowing PostgresConnection
  ) throws {
    if let job = try CopyJob.unfinished(of: store, connection) {
      throw ExecutionError(.jobUnfinished(id: job.id, .comesFirst))
    }
  }

  /// Returns the expected shapes of all retained objects.
  private static func shapes(
    of entries: [RetainedEntry],
    _ catalog: VersionCatalog,
    _ metadata: MetadataStore,
    _ connection: borrowing PostgresConnection
  ) throws -> [RetainedObject: RetainedShape] {
    let untold = Set(entries.map(\.object).filter { $0.origin == nil }.map(\.version))
    var schemas: [String: [DatabaseSchema]] = [:]
    if !untold.isEmpty {
      for archive in try metadata.archivedModels(connection)
      where untold.contains(archive.version.name) {
        guard
          let projection = try? ModelProjection(
            archive.model,
            schema: catalog.configuration.schema,
            isInterpreted: true
          )
        else { continue }
        schemas[archive.version.name, default: []].append(projection.schema)
      }
    }
    return Dictionary(
      entries.map { entry in
        (entry.object, RetainedShape(of: entry.object, in: schemas[entry.object.version] ?? []))
      },
      uniquingKeysWith: { first, _ in first }
    )
  }

  func items(
    _ amounts: [RetainedObject: RetainedInspection.Amount]
  ) -> [CleanupReport.Item] {
    plan.removals.map {
      CleanupReport.Item(entry: $0.entry, fate: $0.fate, amount: amounts[$0.entry.object])
    }
  }
}
