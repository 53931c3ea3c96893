internal import MigrationPlanning
public import ObjectModel

/// What an entry of the audit log is about.
public enum HistoryKind: String, Hashable, Sendable, CaseIterable {
  /// A way to another version.
  case migration
  /// The way back to the version before a migration.
  case revert
  /// The end of what was retained.
  case cleanup
  /// That a database which was there already was taken over.
  case adoption
}

extension HistoryKind {
  /// Creates the kind of the entry that a step has.
  init(_ kind: MigrationStep.Kind) {
    self =
      switch kind {
      case .migration: .migration
      case .revert: .revert
      case .cleanup: .cleanup
      }
  }
}

/// One entry of the audit log.
public struct HistoryEntry: Hashable, Sendable {
  /// The number of the entry.
  public let id: Int
  /// What was done.
  public let kind: HistoryKind
  /// The version before; none if an empty schema was filled.
  public let source: String?
  /// The hash of that version.
  public let sourceChecksum: VersionHash?
  /// The version after.
  public let target: String
  /// The digest of what was to run.
  public let planDigest: String
  /// When it began, as ISO 8601 in UTC.
  public let startedAt: String
  /// When it ended; none if it is running or was killed.
  public let endedAt: String?
  /// How long it took, in milliseconds, waiting included; none if it has not ended.
  public let milliseconds: Int?
  /// What it came to: `started`, `succeeded` or `failed`.
  public let outcome: String
  /// Whose it was.
  public let role: String
  /// The address that it came from; none for a socket of the server's own machine.
  public let client: String?
  /// What the user calls the application.
  public let application: String?
  /// The approval of its plan; none if it needed none.
  public let approval: PlanApproval?
  /// The code of the error that ended it, where it was the server's.
  public let sqlState: String?
  /// The error that ended it.
  public let error: String?
  /// What was to run, as SQL; none if it has not ended.
  public let statements: String?
  /// The version of the tool.
  public let toolVersion: String
}
