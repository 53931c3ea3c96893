internal import Diagnostics
internal import MigrationExecution
internal import MigrationPlanning
internal import ObjectModel
internal import PostgresClient
internal import SQLSyntax

/// Migrates a store into another database.
///
/// It creates the store's version there, copies the rows, and takes the steps to the target there.
/// The source is only read.
struct TransferRun {
  let call: RemodelCall
  /// The versions, laid out for the source.
  let catalog: VersionCatalog
  let source: ConnectionSource
  /// The versions, laid out for the destination.
  let destination: VersionCatalog
  let database: ConnectionSource
  /// The requested version.
  let version: String?

  init(
    _ call: RemodelCall,
    from source: ConnectionSource,
    into database: ConnectionSource,
    to version: String?
  ) throws {
    self.source = source
    self.database = database
    self.version = version
    catalog = try VersionCatalog(call.configuration)
    try catalog.checkDraftStays()
    var configuration = call.configuration
    configuration.schema = configuration.intoSchema ?? configuration.schema
    configuration.intoSchema = nil
    // Nobody uses the tables yet.
    configuration.strategy = configuration.strategy ?? .locked
    configuration.bindsGivenStrategy = false
    self.call = call.with { $0.configuration = configuration }
    destination = try catalog.of(configuration)
  }

  // MARK: - Sides

  /// Runs a function, and names the source in the errors of its server.
  func inSource<Result>(_ body: () async throws -> Result) async throws -> Result {
    do {
      return try await body()
    } catch let error as PostgresError {
      throw TransferFailure(side: .source, error: error, place: source.place)
    } catch let error as ExecutionError where !error.isOfInterruption {
      throw TransferFailure(side: .source, error: error, place: source.place)
    }
  }

  /// Runs a function, and names the destination in the errors of its server.
  func inDestination<Result>(_ body: () async throws -> Result) async throws -> Result {
    do {
      return try await body()
    } catch let error as PostgresError {
      throw TransferFailure(side: .destination, error: error, place: database.place)
    } catch let error as ExecutionError {
      if case .inSource(let fact) = error.fact {
        throw TransferFailure(side: .source, error: ExecutionError(fact), place: source.place)
      }
      if error.isOfInterruption { throw error }
      throw TransferFailure(side: .destination, error: error, place: database.place)
    }
  }

  // MARK: - Source

  /// The store whose rows are copied.
  struct Origin {
    let record: StoreRecord
    /// Its version, laid out for the destination.
    let version: PlannedVersion
    let target: LoadedVersion
    /// The versions on the way to the target, which is the last; none if the store is there.
    let path: [LoadedVersion]
    let sizes: TableSizes
    /// The rows that violate constraints which are postponed there, and which the destination has.
    let violations: [PreconditionFinding]
    /// The warnings about what is left behind.
    let warnings: [Diagnostic]

    var reference: VersionReference {
      VersionReference(name: record.versionName, checksum: record.checksum)
    }
  }

  /// Reads the store, and checks that all of its rows can be read.
  func origin() async throws -> Origin {
    try catalog.checkForks()
    let target = try catalog.version(version)
    return try await inSource {
      // The settings of the destination are not those of the source.
      let call = call.with { $0.configuration = catalog.configuration }
      return try await call.withLook(at: source, catalog.store) { _, connection in
        let (view, path) = try DatabaseView.settled(catalog, connection) { view, _ in
          (view, try view.versions(to: target, isExplicit: version != nil))
        }
        guard case .store(let record) = view.presence, let model = view.recordedModel else {
          throw RemodelError(.nothingToTransfer(schema: catalog.configuration.schema.name))
        }
        var planned = try destination.planned(record.identity, model)
        planned.isDraft = view.isAtDraft
        let schema = catalog.store.schema
        try ReadinessInspection(catalog.store, metadataLayout: nil).checkReading(
          of: planned.projection.schema.tables.keys.map { QualifiedName(schema: schema, name: $0) },
          connection
        )
        let postponed = view.interfaces.flatMap(\.postponed)
        let whole = postponed.isEmpty ? nil : try view.recordedVersion(isWhole: true)
        let questions = whole.map { postponed.questions(of: $0.projection.schema) } ?? []
        return Origin(
          record: record,
          version: planned,
          target: target,
          path: path,
          sizes: view.sizes,
          violations: try questions.map {
            try PreconditionFinding.asking($0, connection).withExampleKeys(connection)
          }.filter(\.isViolated),
          warnings: view.retained.isEmpty
            ? []
            : [
              Diagnostic(
                .warning,
                "retained tables and columns stay in the source",
                detail: view.retained.map { object in
                  object.column.map { "\(object.table.name).\($0.name)" } ?? object.table.name
                }.shownInLines
              )
            ]
        )
      }
    }
  }

  // MARK: - Destination

  /// What is to be done first in the destination.
  enum Beginning {
    /// Create the store and copy its rows.
    case transfer(MigrationStep)
    /// An earlier run has done it.
    case transferred
  }

  /// Returns what is to be done first, in a destination that is empty or that an earlier run has
  /// begun to fill.
  func beginning(
    _ origin: Origin,
    _ view: DatabaseView,
    _ connection: borrowing PostgresConnection
  ) throws -> Beginning {
    let planner = try StepPlanning(destination, serverMajor: view.serverMajor).planner
    func step(createsSchema: Bool) throws -> MigrationStep {
      try planner.step(
        transferring: origin.version,
        from: origin.record.id,
        recordedIn: destination.store.transferRecord,
        createsSchema: createsSchema
      )
    }
    switch view.presence {
    case .noMetadata, .noStore:
      let step = view.lockBudget.continued(
        try step(createsSchema: !view.hasSchema),
        after: 0
      )
      try view.refusePublications(in: [step], connection)
      guard origin.violations.isEmpty else {
        throw ExecutionError(.inSource(.preconditionsViolated(origin.violations)))
      }
      return .transfer(step)
    case .creating(let record):
      for createsSchema in [false, true] {
        let step = try step(createsSchema: createsSchema)
        if step.digest == record.planDigest {
          return .transfer(view.lockBudget.continued(step, after: record.done))
        }
      }
      throw RemodelError(
        .otherTransfer(
          version: record.versionName,
          record: destination.store.transferRecord.quoted
        )
      )
    case .store(let record):
      let digests = try [false, true].map { try step(createsSchema: $0).digest }
      let isOurs = try view.metadata.history(connection).contains { entry in
        entry.source == nil && entry.outcome == "succeeded" && digests.contains(entry.planDigest)
      }
      guard isOurs else {
        throw RemodelError(
          .occupiedDestination(
            schema: destination.store.schema.name,
            version: record.versionName
          )
        )
      }
      return .transferred
    }
  }

  /// Returns the steps that follow when the rows are in the destination.
  func following(
    _ origin: Origin,
    _ view: DatabaseView,
    isForShow: Bool
  ) throws -> [MigrationStep] {
    var configuration = call.configuration
    configuration.isForShow = isForShow
    let planning = try StepPlanning(
      destination.of(configuration),
      serverMajor: view.serverMajor
    )
    return try view.lockBudget.fitted(
      planning.steps(from: origin.version, over: origin.path, retained: [])
    )
  }

  // MARK: - Migration

  /// Copies the rows unless this is done, and migrates the destination to the target.
  func migrate() async throws -> MigrationReport {
    let origin = try await origin()
    var report = MigrationReport(
      outcome: .unchanged,
      source: origin.reference,
      target: origin.target.reference,
      steps: [],
      warnings: []
    )
    let (begun, beginningWarnings) = try await inDestination { try await transfer(origin) }
    let rest = try await inDestination {
      try await MigrationRun.run(call, on: database, destination, to: version, approved: nil)
    }
    report.steps = rest.steps
    report.pending = rest.pending
    if let begun {
      report.steps.insert(begun.step, at: 0)
      report.transfer = begun.report
    }
    if !report.steps.isEmpty { report.outcome = .transferred }
    for warning in beginningWarnings + origin.warnings + rest.warnings
    where !report.warnings.contains(warning) {
      report.warnings.append(warning)
    }
    return report
  }

  /// Creates the store with its rows, unless an earlier run has done this.
  private func transfer(
    _ origin: Origin
  ) async throws -> ((step: MigrationReport.Step, report: TransferReport?)?, [Diagnostic]) {
    try await call.withDatabase(to: database, destination.store, isWriting: true) {
      call,
      connection in
      try call.holdingMigrationLock(of: destination.store, connection) { connection in
        let view = try DatabaseView(destination, connection)
        guard case .transfer(let step) = try beginning(origin, view, connection) else {
          return (nil, [TransferReport.earlierRows])
        }
        // Nothing is copied that cannot be migrated.
        _ = try following(origin, view, isForShow: false)
        call.tellPlan(of: [step], in: destination.store, connection)
        call.onEvent?(.stepPlanned(step))
        let warning = try call.warnOfSuperuser(connection)
        try ReadinessInspection(destination.store, metadataLayout: view.metadataLayout)
          .check([step], connection)
        if let obstacle = try view.obstacle(to: [step], destination, connection) { throw obstacle }
        if view.metadataLayout != MetadataStore.layoutVersion {
          try view.metadata.createOrUpgrade(connection, call.interruption)
        }
        let (done, report) = try carryOut(step, origin, call, connection)
        let left = report?.laterRows ?? TransferReport.earlierRows
        call.onEvent?(.warned(left))
        return ((done, report), [warning, left].compactMap(\.self))
      }
    }
  }

  /// Carries out the step; without a report of rows if an earlier run has copied them.
  private func carryOut(
    _ step: MigrationStep,
    _ origin: Origin,
    _ call: RemodelCall,
    _ connection: borrowing PostgresConnection
  ) throws -> (MigrationReport.Step, TransferReport?) {
    let clock = ContinuousClock()
    let begin = clock.now
    let transfer = StoreTransfer(
      from: source,
      catalog.store,
      id: origin.record.id,
      wait: call.configuration.wait,
      workers: call.configuration.copySettings.workers
    )
    var execution = StepExecution(
      step,
      in: destination.store,
      settings: call.configuration.stepSettings,
      source: database,
      policies: call.configuration.policies,
      interruption: call.interruption,
      onEvent: call.onEvent
    )
    execution.transfer = transfer
    execution.failpoints = call.configuration.copySettings.failpoints
    guard try execution.run(connection) == .committed else {
      throw RemodelError(
        .otherTransfer(
          version: step.destination.name,
          record: destination.store.transferRecord.quoted
        )
      )
    }
    let done = MigrationReport.Step(
      source: nil,
      destination: step.destination.name,
      statementCount: step.statementCount,
      duration: begin.duration(to: clock.now),
      digest: step.digest,
      retained: []
    )
    let report = TransferReport(transfer.tally)
    return (done, report.snapshotTime.isEmpty ? nil : report)
  }
}
