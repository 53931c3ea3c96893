internal import MigrationExecution
internal import MigrationPlanning

extension StatusReport {
  /// The call that leads on from here; none if there is nothing to do, or only somebody else can do
  /// it.
  public var nextCommand: String? {
    if let job { return job.nextCommand(target.name) }
    switch state {
    // Only the call that began another creation continues it.
    case .creating where !obstacles.isEmpty: return nil
    case .empty, .creating, .behind, .older: return "remodel migrate"
    case .reverted: return PlanCall.migrate(to: target.name)
    case .blocked where isEditedDraft: return "remodel migrate --draft"
    case .blocked:
      return unmapped.map {
        "remodel mapping new \([$0.source, $0.target].operandsForShell)"
      }
    case .newer: return "remodel history"
    case .current:
      guard !pending.isEmpty else { return nil }
      return pending.contains { $0.phase == .now } ? "remodel migrate" : "remodel finish"
    }
  }
}

extension CopyJob {
  /// The call that leads on from an unfinished job.
  fileprivate func nextCommand(_ version: String) -> String {
    if state == .aborting { return "remodel job cancel" }
    if isPaused { return "remodel job resume" }
    if isOwnerConnected { return "remodel job show" }
    return target == version ? "remodel migrate" : PlanCall.migrate(to: target)
  }
}
