internal import MigrationExecution
public import MigrationPlanning
internal import ObjectModel
public import PostgresClient
internal import SQLSyntax

extension Remodel {
  /// Drops what versions have left in place.
  ///
  /// Each table has a short transaction of its own, which a rerun continues after. What something
  /// else depends on stays, and is told in the report.
  ///
  /// - Parameters:
  ///   - database: The database.
  ///   - selection: What is to go.
  ///   - isDryRun: Whether to tell what would be done, and do nothing.
  /// - Returns: What was done.
  /// - Throws: Why nothing can be cleaned up, or what was in the way of the rest.
  public func cleanUp(
    _ database: ConnectionSource,
    _ selection: CleanupSelection = CleanupSelection(),
    isDryRun: Bool = false
  ) async throws -> CleanupReport {
    let catalog = try VersionCatalog(configuration)
    return try await withCall(to: database, catalog.store, isWriting: true) { remodel, connection in
      var cleanup = Cleanup(remodel, catalog, database, selection)
      return try isDryRun ? cleanup.show(connection) : cleanup.run(connection)
    }
  }
}

/// The cleanup of one store.
private struct Cleanup: ResumableRun {
  let remodel: Remodel
  let catalog: VersionCatalog
  let database: ConnectionSource
  let selection: CleanupSelection
  var resumption: Resumption
  private let metadata: MetadataStore
  private var report: CleanupReport?
  /// What turned out to be depended on.
  private var stubborn: [RetainedObject: CleanupPlan.Fate] = [:]

  init(
    _ remodel: Remodel,
    _ catalog: VersionCatalog,
    _ database: ConnectionSource,
    _ selection: CleanupSelection
  ) {
    self.remodel = remodel
    self.catalog = catalog
    self.database = database
    self.selection = selection
    metadata = MetadataStore(catalog.store)
    resumption = Resumption(remodel, database)
  }

  func show(_ connection: borrowing PostgresConnection) throws -> CleanupReport {
    guard let sight = try look(connection) else { return nothing(isDryRun: true) }
    return CleanupReport(
      version: sight.version,
      isDryRun: true,
      items: sight.items(try amounts(sight, connection)),
      statements: sight.plan.steps.flatMap(\.statements),
      refusal: denial(of: sight)
    )
  }

  mutating func attempt(_ connection: borrowing PostgresConnection) throws -> CleanupReport {
    while true {
      guard let sight = try look(connection) else { return report ?? nothing(isDryRun: false) }
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

  private func look(_ connection: borrowing PostgresConnection) throws -> Sight? {
    try metadata.settled(connection) { connection in try Sight(self, connection) }.found
  }

  /// Returns whether all was done as planned; if not, the database is not what it was.
  private mutating func carryOut(
    _ sight: Sight,
    _ connection: borrowing PostgresConnection
  ) throws -> Bool {
    let steps = sight.plan.steps.filter { $0.droppedRetained.isDisjoint(with: stubborn.keys) }
    if !steps.isEmpty {
      resumption.serverStart =
        try ReadinessInspection(catalog.store, metadataLayout: sight.metadataLayout)
        .check(steps, connection)
      let warning = try remodel.warnOfSuperuser(connection)
      report?.warnings = [warning].compactMap(\.self)
    }
    if !steps.isEmpty, sight.metadataLayout != MetadataStore.layoutVersion {
      try metadata.createOrUpgrade(connection, remodel.interruption)
    }
    for step in steps {
      let execution = StepExecution(
        step,
        in: catalog.store,
        settings: remodel.configuration.stepSettings,
        source: database,
        interruption: remodel.interruption,
        onEvent: remodel.onEvent
      )
      do {
        guard try execution.run(connection) == .committed else { return false }
        report?.statements += step.statements
        resumption.noteProgress()
      } catch let error as ExecutionError {
        guard case .dependentObject(let serverError, _) = error.fact else { throw error }
        // What `pg_depend` does not tell beforehand, the server tells when it comes to it.
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

/// What one look at a store finds to clean up.
private struct Sight {
  let version: VersionReference
  let plan: CleanupPlan
  let metadataLayout: Int

  /// Looks at a store.
  ///
  /// - Returns: None if the schema is empty.
  /// - Throws: Why nothing can be cleaned up.
  init?(_ cleanup: Cleanup, _ connection: borrowing PostgresConnection) throws {
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
    if let job = try CopyJob.unfinished(of: catalog.store, connection) {
      throw ExecutionError(.jobUnfinished(id: job.id, .comesFirst))
    }
    let planned = try catalog.planned(record.model, metadata.model(of: record, connection))
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
      states: try RetainedInspection(catalog.store).states(of: shapes, connection)
    )
  }

  /// Returns what everything retained has to be like.
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
            schema: catalog.configuration.schema
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
