internal import Diagnostics
internal import MigrationExecution
internal import MigrationPlanning
internal import ObjectModel
internal import PostgresClient
internal import SQLSyntax

/// Carries a plan out for trial.
struct RehearsalRun {
  let call: RemodelCall
  let report: PlanReport
  let database: ConnectionSource
  /// The requested version.
  let version: String?

  private var configuration: RemodelConfiguration { call.configuration }
  private var interruption: Interruption { call.interruption }

  func run(_ rehearsal: Rehearsal) async throws -> RehearsalReport {
    do {
      return switch rehearsal {
      case .live: try await asRehearsal { try await rehearseLive() }
      case .apart(let rows): try await rehearseApart(rows: rows)
      }
    } catch {
      // Programs that were ended complain, and so do those that read from them.
      try interruption.check()
      throw error
    }
  }

  /// Runs a function, and marks the errors of a migration as those of a rehearsal.
  private func asRehearsal<Result>(_ body: () async throws -> Result) async throws -> Result {
    do {
      return try await body()
    } catch let error as ExecutionError {
      throw RehearsalFailure(error: error)
    } catch let error as PlanningError {
      throw RehearsalFailure(error: error)
    }
  }

  // MARK: - Live

  private func rehearseLive() async throws -> RehearsalReport {
    let catalog = try VersionCatalog(configuration)
    guard let step = report.plan.steps.first else { throw RehearsalError(.nothingToHold) }
    guard !step.isCopyJob, !step.isInParts, !step.hasDeferredWork else {
      throw RehearsalError(.notInOneTransaction(step: step.destination.name))
    }
    guard step.statements.allSatisfy({ $0.rowPolicy == nil }) else {
      throw RehearsalError(.policyInCode(step: step.destination.name))
    }
    guard step.source != nil, !step.isIntoSchema else { throw RehearsalError(.nothingToHold) }
    return try await call.withSession(database, catalog.store) { connection in
      if let job = try CopyJob.unfinished(of: catalog.store, connection) {
        throw RehearsalError(.unfinishedJob(id: job.id))
      }
      guard try PendingWork.all(of: catalog.store, connection).isEmpty else {
        throw RehearsalError(.unfinishedWork)
      }
      let layout = try MetadataStore(catalog.store).layoutVersion(connection)
      let warning = try call.warnOfSuperuser(connection)
      try ReadinessInspection(catalog.store, metadataLayout: layout).check([step], connection)
      var execution = execution(of: step, in: catalog.store)
      let observer = StepObserver(
        of: step,
        metadataSchema: catalog.store.metadataSchema,
        at: .live
      )
      execution.observer = observer
      execution.holdLimit = configuration.maxBlock
      guard try execution.run(connection) == .rehearsed else {
        throw RehearsalError(.superseded(step: step.destination.name))
      }
      return RehearsalReport(
        rehearsal: .live,
        serverVersion: connection.serverVersion,
        rowCount: nil,
        steps: [try observer.result(isJob: false, connection)],
        warnings: [warning].compactMap(\.self) + liveWarnings(of: report.plan)
      )
    }
  }

  private func liveWarnings(of plan: MigrationPlan) -> [Diagnostic] {
    var warnings: [Diagnostic] = []
    let changed = plan.steps.prefix(1).flatMap(\.statements).reduce(into: Set<SQLIdentifier>()) {
      $0.formUnion($1.impact.rewrites)
      $0.formUnion($1.impact.locks.filter { $0.value == .rowExclusive }.keys)
    }
    if !changed.isEmpty {
      warnings.append(
        Diagnostic(
          .warning,
          "the rehearsal has left traces that no rollback removes",
          detail: "Sequences have skipped numbers, and VACUUM has to remove dead rows of: "
            + "\(changed.sorted().map { "\"\($0)\"" }.joined(separator: ", "))."
        )
      )
    }
    if plan.steps.count > 1 {
      warnings.append(
        Diagnostic(
          .warning,
          "only the first of \(plan.steps.count) steps was rehearsed",
          hint: "Rehearse all of them on a throwaway server, without --live."
        )
      )
    }
    return warnings
  }

  // MARK: - Apart

  private func rehearseApart(rows: Int) async throws -> RehearsalReport {
    let catalog = try VersionCatalog(configuration)
    let (original, kinds) = try await call.withSession(database, catalog.store) { connection in
      if let job = try CopyJob.unfinished(of: catalog.store, connection) {
        throw RehearsalError(.unfinishedJob(id: job.id))
      }
      guard try PendingWork.all(of: catalog.store, connection).isEmpty else {
        throw RehearsalError(.unfinishedWork)
      }
      return (
        try DatabaseProperties(connection),
        try SchemaInspection(catalog.store).tableKinds(connection)
      )
    }
    let binaries = configuration.serverBinaries
    return try await RehearsalServer.with(original, binaries: binaries, interruption) { server in
      var (rowCount, warnings) = try await copyDatabase(catalog.store, rows: rows, to: server)
      var rehearsed = configuration
      rehearsed.lockCapacity = original.lockCapacity.total
      rehearsed.tableSizes = report.sizes
      rehearsed.trustedOwners.formUnion(original.superusers)
      let trial = RehearsalRun(
        call: RemodelCall(
          configuration: rehearsed,
          interruption: interruption,
          onEvent: call.onEvent
        ),
        report: report,
        database: server.database,
        version: version
      )
      warnings += [Diagnostic(unrehearsed: kinds)].compactMap(\.self)
      let (digest, steps) = try await asRehearsal { try await trial.rehearse(on: server) }
      if digest != report.plan.digest {
        warnings.append(
          Diagnostic(
            .warning,
            "the plan that was rehearsed is not the same",
            detail: "Its digest is \(digest). The copy of the database lacks something, or the "
              + "database has changed meanwhile."
          )
        )
      }
      return RehearsalReport(
        rehearsal: .apart(rows: rows),
        serverVersion: original.serverVersion,
        rowCount: rowCount,
        steps: steps,
        warnings: warnings
      )
    }
  }

  /// Copies a database, with some of its rows.
  ///
  /// - Returns: The number of rows, and warnings.
  private func copyDatabase(
    _ store: StoreIdentity,
    rows: Int,
    to server: RehearsalServer
  ) async throws -> (Int, [Diagnostic]) {
    try await PostgresSession.with(database) { session in
      let snapshot = try await session.run { connection in
        try connection.execute(
          """
          \(SessionSetting.silence.statement("'15min'")); \
          BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY
          """
        )
        return try connection.query("SELECT pg_export_snapshot()").value ?? ""
      }
      var warnings = try await server.copySchema(
        with: store.metadataSchema,
        snapshot: snapshot,
        lockTimeout: configuration.lockRetryFor
      )
      let (count, emptyViews) = try await server.inCopy { target in
        let triggers = try RowTriggers(resting: target)
        let result = try copyRows(store, snapshot: snapshot, rows: rows, to: target)
        try triggers.restore(target)
        try analyze(target)
        return result
      }
      warnings += try await server.makeEventTriggers()
      guard !emptyViews.isEmpty else { return (count, warnings) }
      let names = emptyViews.map { "\"\($0)\"" }.joined(separator: ", ")
      let warning = Diagnostic(
        .warning,
        "the rehearsal has materialized views without rows that have rows in the database",
        detail: "They could not be filled: \(names)."
      )
      return (count, warnings + [warning])
    }
  }

  private func copyRows(
    _ store: StoreIdentity,
    snapshot: String,
    rows: Int,
    to target: borrowing PostgresConnection
  ) throws -> (count: Int, emptyViews: [QualifiedName]) {
    let source = try PostgresConnection.session(to: database)
    interruption.watch(source.canceller)
    defer { interruption.watch(nil) }
    try interruption.check()
    try source.execute(
      """
      \(SessionSetting.silence.statement("'15min'")); \
      BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; \
      SET TRANSACTION SNAPSHOT \(SQLLiteral.text(snapshot))
      """
    )
    var transfer = RowTransfer(from: source, limit: rows)
    try transfer.copyAll(of: store.metadataSchema, to: target)
    try transfer.copySome(of: store, to: target)
    let empty = try transfer.fillViews(target)
    return (transfer.rowCount, empty)
  }

  /// Has the server look at the rows of each table; not at foreign ones, which a table may have for
  /// parts.
  private func analyze(_ connection: borrowing PostgresConnection) throws {
    let tables = try connection.query(
      """
      SELECT n.nspname, c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace \
      WHERE c.relkind IN ('r', 'm') AND n.nspname NOT LIKE 'pg\\_%' \
      AND n.nspname <> 'information_schema' AND NOT EXISTS (SELECT FROM pg_inherits i \
      JOIN pg_class child ON child.oid = i.inhrelid WHERE i.inhparent = c.oid AND child.relkind = 'f')
      """
    ).compactMap { row -> QualifiedName? in
      guard let schema = row["nspname"], let name = row["relname"] else { return nil }
      return QualifiedName(schema: SQLIdentifier(schema), name: SQLIdentifier(name))
    }
    for table in tables { try connection.execute("ANALYZE \(table)") }
  }

  /// Rehearses a plan on a throwaway server.
  ///
  /// - Returns: The digest of the plan, and the measurements.
  private func rehearse(
    on server: RehearsalServer
  ) async throws -> (digest: String, steps: [RehearsedStep]) {
    let catalog = try VersionCatalog(configuration)
    let destination = try catalog.destination
    let found = try catalog.fileVersion(version)
    let steps = try await call.withSession(database, catalog.store) { connection in
      let target = try found ?? catalog.version(version, connection)
      let view = try DatabaseView(catalog, connection)
      let steps = try view.steps(
        to: target,
        isExplicit: version != nil,
        into: destination,
        connection
      )
      if view.metadataLayout != MetadataStore.layoutVersion {
        try MetadataStore(catalog.store).createOrUpgrade(connection, interruption)
      }
      return steps
    }
    let plan = MigrationPlan(steps: steps, in: report.plan.place)
    var rehearsed: [RehearsedStep] = []
    for (index, step) in steps.enumerated() {
      let store = (destination ?? catalog).store
      var result = try await rehearse(step, store, on: server)
      if step.hasDeferredWork {
        // The next step needs all of it.
        let phases: Set<MigrationPhase> = index + 1 < steps.count ? [.now, .deferred] : [.now]
        result.deferredWork = try await call.withSession(database, store) { connection in
          try call.deferredWork(of: store).run(phases, connection)
        }
      }
      rehearsed.append(result)
    }
    return (plan.digest, rehearsed)
  }

  private func rehearse(
    _ step: MigrationStep,
    _ store: StoreIdentity,
    on server: RehearsalServer
  ) async throws -> RehearsedStep {
    if !step.isCopyJob { try await server.makeTrial() }
    let observer = StepObserver(of: step, metadataSchema: store.metadataSchema, at: .apart)
    try await call.withSession(database, store) { connection in
      var execution = execution(of: step, in: store)
      execution.observer = observer
      let job = CopyJobExecution(execution, settings: configuration.copySettings)
      guard try job?.run(connection) ?? execution.run(connection) == .committed else {
        throw RehearsalError(.superseded(step: step.destination.name))
      }
    }
    let measured = step.isCopyJob ? nil : try await measure(step, store, on: server)
    return try await server.inCopy { connection in
      try observer.result(isJob: step.isCopyJob, comparisons: measured, connection)
    }
  }

  private func measure(
    _ step: MigrationStep,
    _ store: StoreIdentity,
    on server: RehearsalServer
  ) async throws -> [ImpactComparison] {
    let trial = StatementTrial(
      step,
      metadataSchema: store.metadataSchema,
      policies: configuration.policies,
      interruption: interruption
    )
    return try await call.withSession(server.trial, store) { try trial.run($0) }
  }

  private func execution(
    of step: MigrationStep,
    in store: StoreIdentity
  ) -> StepExecution {
    let onEvent = call.onEvent
    return StepExecution(
      step,
      in: store,
      settings: configuration.stepSettings,
      source: database,
      policies: configuration.policies,
      interruption: interruption,
      onEvent: { event in
        // It must not look like a migration.
        switch event {
        case .statement, .retrying, .waitingForMigrationLock, .waitingForOthers: onEvent?(event)
        case .warned, .runPlanned, .statementStarted, .statementProgressed, .locksHeld,
          .deferredWorkPlanned, .stepPlanned, .stepStarted, .stepEnded, .cleanedUp, .jobStarted,
          .jobMoved, .copied, .caughtUp, .fallingBehind, .compared, .throttled,
          .deferredWorkStarted, .deferredWorkEnded, .connectionLost:
          break
        }
      }
    )
  }
}

extension Diagnostic {
  /// Warns of what a throwaway server does not show: there, tables of Citus are ordinary ones.
  fileprivate init?(unrehearsed kinds: TableKinds) {
    let distributed = kinds.tables.filter { $0.value.placement != nil }.sorted { $0.key < $1.key }
    guard !distributed.isEmpty else { return nil }
    self.init(
      .warning,
      "the rehearsal cannot show what Citus refuses, and for how long other nodes are locked",
      detail: "Tables of Citus are ordinary ones on the throwaway server:\n"
        + distributed.map { "\"\($0.key)\", \($0.value)" }.shownInLines,
      hint: "Rehearse with --live."
    )
  }
}
