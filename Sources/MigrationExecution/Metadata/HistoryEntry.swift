/// One entry of the audit trail.
public struct HistoryEntry: Hashable, Sendable {
  /// The number of the entry.
  public let id: Int
  /// The version before; none if an empty schema was filled.
  public let source: String?
  /// The version after.
  public let target: String
  /// The digest of what was to run.
  public let planDigest: String
  /// When it began, as ISO 8601 in UTC.
  public let startedAt: String
  /// When it ended; none if it is running or was killed.
  public let endedAt: String?
  /// What it came to: `started`, `succeeded` or `failed`.
  public let outcome: String
  /// Whose it was.
  public let role: String
  /// The error that ended it.
  public let error: String?
}
