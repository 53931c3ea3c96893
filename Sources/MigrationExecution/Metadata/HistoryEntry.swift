internal import MigrationPlanning
public import ObjectModel
internal import PostgresClient

/// The kind of an entry in the audit log.
public enum HistoryKind: String, Hashable, Sendable, CaseIterable {
  /// A way to another version.
  case migration
  /// The way back to the version before a migration.
  case revert
  /// A cleanup of retained objects.
  case cleanup
  /// A change of which versions are served.
  case interfaces
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
      case .interfaces: .interfaces
      }
  }
}

/// One entry of the audit log.
public struct HistoryEntry: Hashable, Sendable {
  /// The number of the entry.
  public let id: Int
  /// The kind of work.
  public let kind: HistoryKind
  /// The version before; none if an empty schema was filled.
  public let source: String?
  /// The hash of that version.
  public let sourceChecksum: VersionHash?
  /// The version after.
  public let target: String
  /// The digest of the plan.
  public let planDigest: String
  /// When it began, as ISO 8601 in UTC.
  public let startedAt: String
  /// When it ended; none if it is running or was killed.
  public let endedAt: String?
  /// How long it took, in milliseconds, waiting included; none if it has not ended.
  public let milliseconds: Int?
  /// The outcome: `started`, `succeeded` or `failed`.
  public let outcome: String
  /// Whose it was.
  public let role: String
  /// The address that it came from; none for a socket of the server's own machine.
  public let client: String?
  /// The name of the application, from the user.
  public let application: String?
  /// The approval of its plan; none if it needed none.
  public let approval: PlanApproval?
  /// The code of the error that ended it, where it was the server's.
  public let sqlState: String?
  /// The error that ended it.
  public let error: String?
  /// The planned statements, as SQL; `nil` if it has not ended.
  public let statements: String?
  /// The version of the tool.
  public let toolVersion: String
}

extension HistoryEntry {
  /// Creates an entry from a row of the audit log.
  init(_ row: QueryResult.Row) {
    self.init(
      id: row.integer("id") ?? 0,
      kind: row["kind"].flatMap(HistoryKind.init) ?? .migration,
      source: row["from_version"],
      sourceChecksum: row["from_checksum"].map { VersionHash(text: $0) },
      target: row["to_version"] ?? "",
      planDigest: row["plan_digest"] ?? "",
      startedAt: row["started_at"] ?? "",
      endedAt: row["ended_at"],
      milliseconds: row.integer("milliseconds"),
      outcome: row["outcome"] ?? "",
      role: row["role"] ?? "",
      client: row["client"],
      application: row["application"],
      approval: row["approved_digest"].map {
        PlanApproval(planDigest: $0, approvedBy: row["approved_by"])
      },
      sqlState: row["sqlstate"],
      error: row["error"],
      statements: row["statements"],
      toolVersion: row["tool_version"] ?? ""
    )
  }
}
