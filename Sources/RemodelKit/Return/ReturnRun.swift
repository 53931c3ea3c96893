internal import Diagnostics
internal import MigrationExecution
internal import MigrationPlanning
internal import ObjectModel
internal import PostgresClient

/// Takes migrations of one database back, one after the other.
struct ReturnRun {
  private let remodel: Remodel
  private let catalog: VersionCatalog
  private let database: ConnectionSource
  /// The last migration to be taken back; none if the database is where it is to be.
  private let goal: WayBack.Leg?
  /// Whether to go back although something cannot be brought back.
  var acceptsLosses = false

  init(
    _ remodel: Remodel,
    _ catalog: VersionCatalog,
    _ database: ConnectionSource,
    to version: String?,
    _ connection: borrowing PostgresConnection
  ) throws {
    self.remodel = remodel
    self.catalog = catalog
    self.database = database
    let view = try DatabaseView(catalog, connection)
    let way = try Self.way(of: catalog, view, connection)
    guard let version else {
      guard let last = way.legs.first else {
        throw RemodelError(.noWayBack(from: view.reference?.name))
      }
      goal = last
      return
    }
    if version == view.reference?.name {
      goal = nil
      return
    }
    guard let count = way.count(to: version) else {
      throw RemodelError(
        .noWayBackTo(version, known: way.legs.map(\.source))
      )
    }
    goal = way.legs[count - 1]
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

  func revert(_ connection: borrowing PostgresConnection) throws -> MigrationReport {
    var report: MigrationReport?
    while true {
      let view = try DatabaseView(catalog, connection)
      if view.job?.state == .settling {
        try remodel.control(of: catalog.store).settle(connection)
        continue
      }
      let way = try Self.way(of: catalog, view, connection)
      // Another process may have been quicker.
      guard let goal, way.legs.contains(goal), let leg = way.legs.first else {
        return report ?? unchanged(view)
      }
      let (target, step, losses) = try view.stepBack(
        over: leg,
        acceptingLosses: acceptsLosses,
        connection
      )
      var warnings = step.warnings + view.warnings(for: [step])
      if !losses.isEmpty {
        let error = RemodelError(.returnLoses(losses, version: target.name))
        guard acceptsLosses else { throw error }
        warnings += error.warnings
      }
      if !view.pending.isEmpty {
        // The plan takes the tables for what they are when that is done.
        try endNow(connection)
        continue
      }
      var run = try MigrationRun(remodel, catalog, target, database, isExplicit: true)
      guard try run.take(step, view, connection) else {
        guard !connection.isBroken else { throw RemodelError(.interruptedReturn(target.name)) }
        continue
      }
      var done = report ?? MigrationReport(source: view.reference, target: target.reference)
      done.target = target.reference
      done.steps += run.stepsTaken
      done.warnings += warnings.filter { !done.warnings.contains($0) }
      report = done
    }
  }

  /// Ends what the version that is left still has to do as far as its tables are concerned, so that
  /// they are what the plan takes them for; what only looks at rows goes with the version.
  private func endNow(_ connection: borrowing PostgresConnection) throws {
    _ = try remodel.lateWork(of: catalog.store, database).run([.now, .deferred], connection)
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
