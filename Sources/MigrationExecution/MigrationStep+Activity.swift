internal import MigrationPlanning

/// The activities of a step, for errors.
extension MigrationStep {
  /// Returns a description of an action of a transaction.
  func activity(in action: ExecutionState.Action) -> String {
    if case .runStatements(let group) = action { return activity(inStatement: group.lowerBound) }
    return activity
  }

  private var activity: String {
    switch kind {
    case .migration: migrating
    case .revert: "reverting \(way)"
    case .cleanup: "cleaning up"
    case .interfaces: "changing which versions are served"
    }
  }

  /// Returns a description of what a statement does.
  func activity(inStatement index: Int) -> String {
    "\(activity), statement \(index + 1) of \(statements.count): \(statements[index].reason)"
  }

  /// Returns a description of an action of a copy job.
  func activity(in action: CopyJobMachine.Action) -> String {
    if strategy == .filled, let activity = fillActivity(in: action) {
      return "\(migrating), \(activity)"
    }
    return switch action {
    case .takeMigrationLock, .claim, .prepare, .guardSources, .pause, .reconnect, .findBlockers,
      .finish:
      "\(migrating), preparing the copy"
    case .copy: "\(migrating), copying rows"
    case .index: "\(migrating), adding indexes and constraints to the copied tables"
    case .catchUp: "\(migrating), copying again what has changed"
    case .verify: "\(migrating), comparing the copied rows"
    case .cutOver: "\(migrating), bringing the copied tables to their places"
    case .settle: "\(migrating), validating foreign keys"
    }
  }

  /// The activity of a job that fills columns in place, where it is another one.
  private func fillActivity(in action: CopyJobMachine.Action) -> String? {
    switch action {
    case .takeMigrationLock, .claim, .prepare, .guardSources, .pause, .reconnect, .findBlockers,
      .finish:
      "preparing the filling of columns"
    case .copy: "filling columns"
    case .index: "validating the filled columns"
    case .catchUp, .verify: "comparing the filled columns"
    case .cutOver: "bringing the filled columns to their places"
    case .settle: nil
    }
  }

  private var migrating: String { "migrating \(way)" }

  private var way: String {
    let beginning = source.map { "from version \"\($0.name)\" " } ?? ""
    return "\(beginning)to version \"\(destination.name)\""
  }
}
