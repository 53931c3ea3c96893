internal import Diagnostics
internal import MigrationExecution
internal import MigrationPlanning
internal import ObjectModel
internal import PostgresClient

/// Takes migrations of one database back, one after the other.
struct ReturnRun: ResumableRun {
  private let call: RemodelCall
  private let catalog: VersionCatalog
  private let database: ConnectionSource
  /// The version to go back to; the one before the last migration if none is named.
  private let version: String?
  /// Whether to revert in spite of losses.
  var acceptsLosses = false
  var resumption: Resumption
  private var goal: Goal?
  private var report: MigrationReport?

  /// The goal of a revert, as it was when it began.
  private enum Goal {
    /// The database is where it is to be.
    case here
    /// The last migration to be taken back.
    case before(WayBack.Leg)
  }

  init(
    _ call: RemodelCall,
    _ catalog: VersionCatalog,
    _ database: ConnectionSource,
    to version: String?
  ) {
    self.call = call
    self.catalog = catalog
    self.database = database
    self.version = version
    resumption = Resumption(call, database)
  }

  private func goal(of way: WayBack, _ view: DatabaseView) throws -> Goal {
    guard let version else {
      guard let last = way.legs.first else {
        throw RemodelError(.noWayBack(from: view.reference?.name))
      }
      return .before(last)
    }
    if version == view.reference?.name { return .here }
    guard let count = way.count(to: version) else {
      throw RemodelError(.noWayBackTo(version, known: way.legs.map(\.source)))
    }
    return .before(way.legs[count - 1])
  }

  /// Reads where a database has come from.
  static func way(
    of catalog: VersionCatalog,
    _ view: DatabaseView,
    _ connection: borrowing PostgresConnection
  ) throws -> WayBack {
    guard case .store = view.presence else { throw RemodelError(.noWayBack(from: nil)) }
    return WayBack(try MetadataStore(catalog.store).history(connection))
  }

  mutating func attempt(_ connection: borrowing PostgresConnection) throws -> MigrationReport {
    // The last migration is the one that the caller sees, not one that is the last when others have taken
    // theirs back: several processes take back one in all.
    let goal =
      try goal
      ?? DatabaseView.settled(catalog, connection) { view, connection in
        try self.goal(of: Self.way(of: catalog, view, connection), view)
      }
    self.goal = goal
    return try call.holdingMigrationLock(of: catalog.store, connection) { connection in
      try takeSteps(to: goal, connection)
    }
  }

  private mutating func takeSteps(
    to goal: Goal,
    _ connection: borrowing PostgresConnection
  ) throws -> MigrationReport {
    while true {
      let view = try DatabaseView(catalog, connection)
      if view.job?.state == .settling {
        try call.control(of: catalog.store).settle(connection)
        continue
      }
      let way = try Self.way(of: catalog, view, connection)
      // Another process may have been quicker.
      guard case .before(let last) = goal, way.legs.contains(last), let leg = way.legs.first else {
        if report != nil, !view.pending.isEmpty { try finish([.now], connection) }
        return report ?? unchanged(view)
      }
      let (target, step, losses) = try call.look(at: catalog.store).run(connection) {
        connection in
        try view.stepBack(over: leg, acceptingLosses: acceptsLosses, connection)
      }
      var warnings = step.warnings + view.warnings(for: [step])
      if !losses.isEmpty {
        let error = RemodelError(.returnLoses(losses, version: target.name))
        guard acceptsLosses else { throw error }
        warnings += error.warnings
      }
      if !view.pending.isEmpty {
        // Finish deferred work that changes tables, because the plan expects its results. Work that
        // only reads rows is dropped with the version.
        try finish([.now, .deferred], connection)
        continue
      }
      try take(step, to: target, view, warnings, connection)
    }
  }

  /// Carries out a step, or leaves it to the next attempt if others have changed the database.
  private mutating func take(
    _ step: MigrationStep,
    to target: LoadedVersion,
    _ view: DatabaseView,
    _ warnings: [Diagnostic],
    _ connection: borrowing PostgresConnection
  ) throws {
    var run = try MigrationRun(call, catalog, target, database, isExplicit: true)
    run.resumption = resumption
    defer { resumption = run.resumption }
    guard try run.take(step, view, connection) else { return }
    var done = report ?? MigrationReport(source: view.reference, target: target.reference)
    done.target = target.reference
    done.steps += run.stepsTaken
    done.warnings += (run.beginning + warnings).filter { !done.warnings.contains($0) }
    report = done
  }

  private func finish(
    _ phases: Set<MigrationPhase>,
    _ connection: borrowing PostgresConnection
  ) throws {
    try call.deferredWork(of: catalog.store, database)
      .run(phases, connection, willBegin: { _ = try call.warnOfSuperuser($0) })
  }

  private func unchanged(_ view: DatabaseView) -> MigrationReport {
    let reference = view.reference ?? VersionReference(name: "", checksum: VersionHash(text: ""))
    var report = MigrationReport(source: reference, target: reference)
    report.outcome = .unchanged
    return report
  }
}

extension MigrationReport {
  /// Creates the report of a way back.
  init(source: VersionReference?, target: VersionReference) {
    self.init(outcome: .reverted, source: source, target: target, steps: [], warnings: [])
  }
}
