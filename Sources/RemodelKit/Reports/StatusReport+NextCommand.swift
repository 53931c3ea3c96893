package import Diagnostics
internal import MigrationExecution
internal import MigrationPlanning

extension StatusReport {
  /// The call that leads on from here; none if there is nothing to do, or only somebody else can do
  /// it.
  public var nextCommand: String? { nextCall?.text }

  /// The same in words.
  package var nextCall: CommandCall? {
    if let job { return job.nextCall(target.name) }
    switch state {
    // Only the call that began another creation continues it.
    case .creating where !obstacles.isEmpty: return nil
    case .empty, .creating, .behind, .older: return CommandCall("migrate")
    case .reverted: return PlanCall.migrate(to: target.name)
    case .blocked where isEditedDraft: return CommandCall("migrate", options: ["--draft"])
    case .blocked:
      return unmapped.map { CommandCall("mapping new", $0.source, $0.target) }
    case .newer: return CommandCall("history")
    case .current:
      guard !pending.isEmpty else { return nil }
      return pending.contains { $0.phase == .now } ? CommandCall("migrate") : CommandCall("finish")
    }
  }
}

extension CopyJob {
  /// The call that leads on from an unfinished job.
  fileprivate func nextCall(_ version: String) -> CommandCall {
    if state == .aborting { return CommandCall("job cancel") }
    if isPaused { return CommandCall("job resume") }
    if isOwnerConnected { return CommandCall("job show") }
    return target == version ? CommandCall("migrate") : PlanCall.migrate(to: target)
  }
}
