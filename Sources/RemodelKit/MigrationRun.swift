internal import Diagnostics
internal import MigrationExecution
internal import MigrationPlanning
internal import ObjectModel
internal import PostgresClient

/// Migrates one database to a target: takes the migration lock, reads, plans, and carries out the
/// plan.
struct MigrationRun: ResumableRun {
  private let call: RemodelCall
  private let catalog: VersionCatalog
  private let target: LoadedVersion
  private let database: ConnectionSource
  private let isExplicit: Bool
  /// The catalog of the schema in which the target is created beside the source; `nil` if the
  /// source itself changes.
  private let destination: VersionCatalog?
  /// The only plan that may run, if one is required.
  var approved: ApprovedPlan?
  private let metadata: MetadataStore
  private var report: MigrationReport
  private var hasLargeTables = false
  /// The metadata as it was found when the run began.
  private var glance: MetadataStore.Presence?
  /// The warnings before the run began.
  private(set) var beginning: [Diagnostic] = []
  var resumption: Resumption

  init(
    _ call: RemodelCall,
    _ catalog: VersionCatalog,
    _ target: LoadedVersion,
    _ database: ConnectionSource,
    isExplicit: Bool
  ) throws {
    self.call = call
    self.catalog = catalog
    destination = try catalog.destination
    self.target = target
    self.database = database
    self.isExplicit = isExplicit
    metadata = MetadataStore(catalog.store)
    resumption = Resumption(call, database)
    report = MigrationReport(
      outcome: .unchanged,
      source: nil,
      target: target.reference,
      steps: [],
      warnings: catalog.bundle.warnings + target.warnings
    )
  }

  /// Brings a store to a version, by files that may be read already.
  static func run(
    _ call: RemodelCall,
    on database: ConnectionSource,
    _ catalog: VersionCatalog,
    to version: String?,
    approved plan: ApprovedPlan?
  ) async throws -> MigrationReport {
    let files = version == nil && plan == nil ? catalog.filesDigest : nil
    let found = files == nil ? try catalog.target(version) : nil
    return try await call.withDatabase(to: database, catalog.store, isWriting: true) {
      call,
      connection in
      // What is wrong with the metadata shows when the files are parsed.
      let glance =
        files == nil ? nil : try? MetadataStore(catalog.store).presenceWithJob(connection)
      if let files, case .store(let record)? = glance,
        let report = MigrationReport(atOnce: catalog, files, record)
      {
        return report
      }
      let target =
        try found ?? (files == nil ? nil : catalog.target(nil))
        ?? catalog.version(version, connection)
      var run = try MigrationRun(call, catalog, target, database, isExplicit: version != nil)
      run.approved = plan
      run.glance = glance
      let report = try run.run(connection)
      if files != nil, report.steps.isEmpty { run.noteFiles(connection) }
      return report
    }
  }

  /// Carries out a recorded plan with the settings of the record.
  static func run(
    _ call: RemodelCall,
    on database: ConnectionSource,
    _ plan: ApprovedPlan,
    _ record: ApprovedPlan.Record
  ) async throws -> MigrationReport {
    let asked = try VersionCatalog(call.configuration)
    try asked.checkForks()
    let found = try asked.fileVersion(record.target)
    var differences = [record.settings.otherStore(asked.planSettings(to: nil))].compactMap(\.self)
    if let found, found.hashes.checksum.text != record.targetChecksum {
      differences.append(.editedVersion(found.name))
    }
    guard differences.isEmpty else {
      throw RemodelError(.planDiffers(differences, isDigestOnly: false))
    }
    var planned = call.configuration
    planned.planSettings = record.settings
    planned.tableSizes = TableSizes(record.tables, speed: record.serverSpeed ?? .reference)
    let catalog = try asked.of(planned)
    return try await call.withDatabase(to: database, catalog.store, isWriting: true) {
      call,
      connection in
      let target = try found ?? catalog.version(record.target, connection)
      let place = try PlanOrigin(connection)
      if let difference = record.origin.flatMap(place.difference) {
        throw RemodelError(.planDiffers([difference], isDigestOnly: false))
      }
      let isExplicit = record.settings.version != nil
      var run = try MigrationRun(call, catalog, target, database, isExplicit: isExplicit)
      run.approved = plan
      if let warning = record.origin.flatMap(place.warning) { run.warn(ofBeginning: warning) }
      return try run.run(connection)
    }
  }

  /// Notes by which files the store is at the target, so that the next run need not parse them.
  private func noteFiles(_ connection: borrowing PostgresConnection) {
    // Whoever cannot write it parses them again.
    guard !connection.isBroken, let files = catalog.parsedFilesDigest,
      case .store(let record)? = try? metadata.presenceWithJob(connection), isTarget(record)
    else { return }
    try? metadata.noteFiles(files.text(at: record.identity), of: record, connection)
  }

  /// Warns of something before the run begins.
  mutating func warn(ofBeginning diagnostic: Diagnostic) {
    note(ofBeginning: diagnostic)
    call.onEvent?(.warned(diagnostic))
  }

  private mutating func note(ofBeginning diagnostic: Diagnostic) {
    beginning.append(diagnostic)
    report.warnings.append(diagnostic)
  }

  mutating func attempt(
    _ connection: borrowing PostgresConnection
  ) throws -> MigrationReport {
    let glance = glance
    self.glance = nil
    if let destination {
      return try call.holdingMigrationLock(of: destination.store, connection) {
        try takeSteps(knowing: nil, $0)
      }
    }
    if try isAtTarget(glance ?? metadata.presenceWithJob(connection), connection) { return report }
    return try call.holdingMigrationLock(of: catalog.store, connection) { connection in
      // Another migrator may have been quicker.
      let presence = try metadata.presenceWithJob(connection)
      if try isAtTarget(presence, connection) { return report }
      let report = try takeSteps(knowing: presence, connection)
      // Where the speed cannot be measured, plans have that of the reference.
      if hasLargeTables, !report.steps.isEmpty, !connection.isBroken {
        try? metadata.measureSpeed(connection, call.interruption)
      }
      return report
    }
  }

  /// Returns whether the database is at the target, and does its deferred work in this case.
  ///
  /// A deployment with nothing to do takes a single query.
  private mutating func isAtTarget(
    _ presence: MetadataStore.Presence,
    _ connection: borrowing PostgresConnection
  ) throws -> Bool {
    guard case .store(let record) = presence else { return false }
    if !isExplicit, approved == nil, record.versionName != target.name,
      record.serves(target.identity)
    {
      report.isServed = true
      report.source = VersionReference(name: record.versionName, checksum: record.checksum)
      return true
    }
    guard isTarget(record), isServed(record) else { return false }
    try checkApproval(of: [], at: record.versionName, connection)
    if record.unfinishedJobID != nil {
      // Foreign keys are validated unless another process is at it: no deploy has to wait for that.
      warn(try call.control(of: catalog.store).settleIfFree(connection))
    }
    if record.isUnfinished || !report.steps.isEmpty { try finishNow(connection) }
    if record.lacksPartitions == true { addPartitions(record, connection) }
    if report.steps.isEmpty { report.source = target.reference }
    return true
  }

  /// Adds the partitions that time has come for; a deploy without anything else to do does not fail by it.
  private mutating func addPartitions(
    _ record: StoreRecord,
    _ connection: borrowing PostgresConnection
  ) {
    do {
      _ = try call.maintainPartitions(of: catalog.store, record, retaining: false, connection)
    } catch {
      let reason = (error as? any DiagnosticError)?.diagnostics.first?.message ?? "\(error)"
      let warning = Diagnostic(
        .warning,
        "could not add partitions: \(reason)",
        hint: "Run remodel finish as a role that owns the tables."
      )
      report.warnings.append(warning)
      call.onEvent?(.warned(warning))
    }
  }

  /// The finished steps.
  var stepsTaken: [MigrationReport.Step] { report.steps }

  /// Carries out one step of another plan, without its deferred work.
  ///
  /// - Returns: Whether it was carried out; if not, others have changed the database.
  mutating func take(
    _ step: MigrationStep,
    _ view: DatabaseView,
    _ connection: borrowing PostgresConnection
  ) throws -> Bool {
    call.tellPlan(of: [step], sizes: view.sizes, in: catalog.store, connection)
    call.onEvent?(.stepPlanned(step))
    try checkReadiness(for: [step], view, connection)
    try view.checkInterfaces(of: [step], connection)
    if view.metadataLayout != MetadataStore.layoutVersion {
      try metadata.createOrUpgrade(connection, call.interruption)
    }
    if try carryOut([step], connection) { return true }
    guard !connection.isBroken else { throw ExecutionError(.connectionLost(.closed)) }
    return false
  }

  private mutating func takeSteps(
    knowing presence: MetadataStore.Presence?,
    _ connection: borrowing PostgresConnection
  ) throws -> MigrationReport {
    var presence = presence
    repeat {
      // The lock of another schema does not keep others from changing the source.
      let view =
        try destination == nil
        ? DatabaseView(catalog, knowing: presence, connection)
        : DatabaseView.settled(catalog, connection) { view, _ in view }
      presence = nil
      if view.job?.state == .settling {
        try call.control(of: catalog.store).settle(connection)
        continue
      }
      hasLargeTables = view.sizes.areLarge
      if report.steps.isEmpty { report.source = view.reference }
      try checkBeginning(at: view.reference?.name, connection)
      if destination == nil, !view.pending.isEmpty {
        // Deferred work of the last migration is not part of an approved plan, unless that
        // migration was the first part of the plan.
        if let approved, try stepsTaken(of: approved, connection).isEmpty {
          throw RemodelError(
            .planDiffers(
              view.pending.map { .pendingWork($0) },
              isDigestOnly: approved.record == nil
            )
          )
        }
        try finish([.now, .deferred], connection)
      }
      let steps =
        try destination == nil
        ? plan(by: view, connection)
        : DatabaseView.settled(catalog, connection) { view, connection in
          try plan(by: view, connection)
        }
      guard !steps.isEmpty else { return report }
      let store = (destination ?? catalog).store
      call.tellPlan(of: steps, sizes: view.sizes, in: store, connection)
      for step in steps { call.onEvent?(.stepPlanned(step)) }
      let warnings =
        steps.flatMap(\.warnings) + view.warnings(for: steps)
        + (isAmongVersions(steps) ? catalog.lostChanges + view.insertedVersions() : [])
      report.warnings += warnings.filter { !report.warnings.contains($0) }
      if steps.contains(where: \.isCopyJob) {
        warn(try CopyJobWarning.ofHiddenSessions(connection))
      }
      try view.checkInterfaces(of: steps, connection)
      if view.metadataLayout != MetadataStore.layoutVersion {
        try metadata.createOrUpgrade(connection, call.interruption)
      }
      if try carryOut(steps, connection) {
        // The last word, since the coordinator may have committed alone.
        report.warnings += NodeInspection.warnings(connection)
        if steps.last?.hasDeferredWork == true {
          if connection.isBroken { break }
          try finishNow(connection)
        }
        return report
      }
    } while !connection.isBroken
    // A copy that loses its connection continues on another one; so do the steps after it.
    throw ExecutionError(.connectionLost(.closed))
  }

  /// Plans the steps, and checks that they may run.
  private mutating func plan(
    by view: DatabaseView,
    _ connection: borrowing PostgresConnection
  ) throws -> [MigrationStep] {
    let steps: [MigrationStep]
    do {
      steps = try view.steps(to: target, isExplicit: isExplicit, into: destination, connection)
    } catch let error as PlanningError {
      if case .dependentsInTheWay = error.fact {
        let store = (destination ?? catalog).store
        try ReadinessInspection(store, metadataLayout: view.metadataLayout)
          .checkCreation(connection)
      }
      throw error
    }
    do {
      try checkApproval(of: steps, at: view.reference?.name, connection)
    } catch {
      // An object of another owner that was added since explains more than a different plan.
      try ReadinessInspection((destination ?? catalog).store, metadataLayout: view.metadataLayout)
        .checkOwners(of: steps, connection)
      throw error
    }
    if approved?.record != nil, view.job == nil { try checkLimits(of: steps, connection) }
    if !steps.isEmpty {
      try checkReadiness(for: steps, view, connection)
      // An unfinished copy may have created the named objects.
      if view.job == nil,
        let obstacle = try view.obstacle(to: steps, destination ?? catalog, connection)
      {
        throw obstacle
      }
    }
    return steps
  }

  private mutating func checkReadiness(
    for steps: [MigrationStep],
    _ view: DatabaseView,
    _ connection: borrowing PostgresConnection
  ) throws {
    // The settings of another schema are those of the new one.
    let store = (destination ?? catalog).store
    try warnOfSuperuser(connection)
    resumption.serverStart = try ReadinessInspection(store, metadataLayout: view.metadataLayout)
      .check(steps, connection)
  }

  /// Checks that the plan is the approved one, or the rest of it.
  private func checkApproval(
    of steps: [MigrationStep],
    at version: String?,
    _ connection: borrowing PostgresConnection
  ) throws {
    guard let approved else { return }
    let taken = try stepsTaken(of: approved, connection)
    let catalog = destination ?? catalog
    // A plan recorded without a role may run as any, with a warning.
    let isOfAnyRole = approved.record != nil && approved.record?.origin?.assumedRole == nil
    var differences: [PlanDifference] = []
    for role in isOfAnyRole ? [database.role, nil] : [database.role] {
      let plan = MigrationPlan(steps: steps, in: catalog.place(as: role))
      guard let found = approved.differences(from: plan, after: taken, at: version) else { return }
      differences = found
    }
    throw RemodelError(.planDiffers(differences, isDigestOnly: approved.record == nil))
  }

  /// Checks an approved plan, which is made with the sizes in its file, against the limits with the
  /// current sizes.
  private func checkLimits(
    of steps: [MigrationStep],
    _ connection: borrowing PostgresConnection
  ) throws {
    let sizes = try SchemaInspection(catalog.store).tableSizes(connection)
    let speed = catalog.configuration.tableSizes?.speed ?? .reference
    try PlanLimits(catalog.configuration).check(
      steps,
      sizes: TableSizes(sizes, speed: speed),
      kinds: SchemaInspection(catalog.store).tableKinds(connection)
    )
  }

  /// Checks that an approved plan begins or continues at the version of the database, before any
  /// report about another path.
  private func checkBeginning(
    at version: String?,
    _ connection: borrowing PostgresConnection
  ) throws {
    guard let approved, approved.record != nil, destination == nil else { return }
    let taken = try stepsTaken(of: approved, connection)
    if let difference = approved.otherBeginning(after: taken, at: version) {
      throw RemodelError(.planDiffers([difference], isDigestOnly: false))
    }
  }

  private func stepsTaken(
    of plan: ApprovedPlan,
    _ connection: borrowing PostgresConnection
  ) throws -> [String] {
    if try metadata.presence(connection) == .noMetadata { return [] }
    let store = (destination ?? catalog).store
    return try MetadataStore(store).stepsTaken(ofPlan: plan.digest, connection)
  }

  private mutating func warn(_ warning: CopyJobWarning?) {
    guard let warning, !report.warnings.contains(warning.diagnostic) else { return }
    report.warnings.append(warning.diagnostic)
  }

  private func isTarget(_ record: StoreRecord) -> Bool {
    record.versionName == target.name && record.checksum == target.hashes.checksum
      && record.layoutDigest == target.hashes.layoutDigest
  }

  /// Returns whether the version that the store is at is served, if it is to be.
  private func isServed(_ record: StoreRecord) -> Bool {
    !call.configuration.keepsPrevious(serving: !record.served.isEmpty)
      || record.serves(record.identity)
  }

  /// Does the urgent deferred work of the last step, and reports the rest.
  private mutating func finishNow(_ connection: borrowing PostgresConnection) throws {
    try finish([.now], connection)
    report.pending = try PendingWork.all(of: catalog.store, connection)
  }

  /// Returns whether steps lead from version to version, for which the files of all are read.
  private func isAmongVersions(_ steps: [MigrationStep]) -> Bool {
    steps.contains { $0.source != nil }
  }

  private mutating func warnOfSuperuser(_ connection: borrowing PostgresConnection) throws {
    let warning = try call.warnOfSuperuser(unlessIn: report.warnings, connection)
    if let warning { note(ofBeginning: warning) }
  }

  /// Carries out the deferred work of earlier steps.
  private mutating func finish(
    _ phases: Set<MigrationPhase>,
    _ connection: borrowing PostgresConnection
  ) throws {
    guard !connection.isBroken else { return }
    try call.deferredWork(of: catalog.store, database)
      .run(phases, connection, willBegin: { try warnOfSuperuser($0) })
  }

  /// Returns whether all steps were carried out; if not, others have changed the database, or the
  /// connection is lost.
  private mutating func carryOut(
    _ steps: [MigrationStep],
    _ connection: borrowing PostgresConnection
  ) throws -> Bool {
    let clock = ContinuousClock()
    for (index, step) in steps.enumerated() {
      if connection.isBroken { return false }
      if index > 0, steps[index - 1].hasDeferredWork { try finish([.now, .deferred], connection) }
      let begin = clock.now
      var execution = StepExecution(
        step,
        in: (destination ?? catalog).store,
        settings: call.configuration.stepSettings,
        source: database,
        policies: call.configuration.policies,
        approval: approved?.approval,
        interruption: call.interruption,
        onEvent: call.onEvent
      )
      if !isExplicit, destination == nil, index == steps.count - 1 {
        execution.filesDigest = catalog.parsedFilesDigest?.text(at: target.identity)
      }
      if step.hasDeferredWork {
        execution.failpoints = call.configuration.copySettings.failpoints
      }
      let job = CopyJobExecution(execution, settings: call.configuration.copySettings)
      let result = try job?.run(connection) ?? execution.run(connection)
      guard result == .committed else { return false }
      resumption.noteProgress()
      report.outcome =
        step.kind == .interfaces ? .served : step.source == nil ? .created : .migrated
      report.steps.append(
        MigrationReport.Step(
          source: step.source?.name,
          destination: step.destination.name,
          statementCount: step.statementCount,
          duration: begin.duration(to: clock.now),
          digest: step.digest,
          retained: step.retained
        )
      )
    }
    return true
  }
}

extension MigrationReport {
  /// Tells from its record that a store is at the version of files that were not parsed; none if it takes
  /// more to tell.
  init?(atOnce catalog: VersionCatalog, _ files: FilesDigest, _ record: StoreRecord) {
    guard files.leads(to: record), record.unfinishedJobID == nil, !record.isUnfinished,
      record.lacksPartitions != true,
      !catalog.configuration.keepsPrevious(serving: !record.served.isEmpty)
        || record.serves(record.identity)
    else {
      return nil
    }
    let version = VersionReference(name: record.versionName, checksum: record.checksum)
    self.init(
      outcome: .unchanged,
      source: version,
      target: version,
      steps: [],
      warnings: catalog.bundle.warnings
    )
  }
}
