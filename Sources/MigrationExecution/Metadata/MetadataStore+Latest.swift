package import PostgresClient
internal import SQLSyntax

/// The time of a look at a store, and the latest that its audit log has.
package struct LatestEntry: Sendable {
  /// The server's clock, as ISO 8601 in UTC.
  package let time: String
  /// The latest entry of the audit log, without its statements; `nil` if there is none.
  package let entry: HistoryEntry?
}

extension MetadataStore {
  /// Reads the server's clock, and the latest entry of the audit log if there is metadata.
  package func latest(
    hasMetadata: Bool,
    _ connection: borrowing PostgresConnection
  ) throws -> LatestEntry {
    let statements = MetadataStatements(identity)
    let query = hasMetadata ? statements.latest : statements.clock
    let row = try connection.query(query).first
    return LatestEntry(
      time: row?["time"] ?? "",
      entry: row.flatMap { $0["id"] == nil ? nil : HistoryEntry($0) }
    )
  }
}

extension MetadataStatements {
  fileprivate var clock: SQLFragment { "SELECT \(now) AS time" }

  fileprivate var latest: SQLFragment {
    // The log is in the order of its numbers, the last of which is wanted.
    """
    SELECT \(now) AS time, l.id, l.kind, l.from_version, l.from_checksum, l.to_version, \
    l.plan_digest, l.started_at, l.ended_at, l.milliseconds, l.outcome, l.role, l.client, \
    l.application, l.approved_digest, l.approved_by, l.sqlstate, l.error, l.tool_version \
    FROM (VALUES (1)) AS one LEFT JOIN LATERAL (\(history) DESC LIMIT 1) AS l ON true
    """
  }

  private var now: SQLFragment {
    #"to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')"#
  }
}
