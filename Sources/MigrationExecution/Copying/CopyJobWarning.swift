package import Diagnostics
package import PostgresClient
package import SQLSyntax

/// Warnings about jobs that nevertheless succeed.
package enum CopyJobWarning: Hashable, Sendable {
  /// The job has only foreign keys to validate, and is paused.
  case settlingIsPaused(id: String)
  /// The job has only foreign keys to validate, and another process is at it.
  case settlingIsTaken(id: String, holder: Blocker?)
  /// The role may not see the sessions of others, so a job does not yield to them.
  case othersAreHidden(role: SQLIdentifier)

  /// The warning, for people.
  package var diagnostic: Diagnostic {
    switch self {
    case .settlingIsPaused(let id):
      Diagnostic(
        .warning,
        "copy job \(id), which has foreign keys to validate, is paused",
        detail: "The database is at the target.",
        advice: "Use \(CommandCall("job resume", id)) and run again to have them validated."
      )
    case .settlingIsTaken(let id, let holder):
      Diagnostic(
        .warning,
        "another process validates the foreign keys of copy job \(id)",
        detail: (["The database is at the target."] + [holder?.description].compactMap(\.self))
          .shownInLines
      )
    case .othersAreHidden(let role):
      Diagnostic(
        .warning,
        "the role may not see other sessions, so copies do not yield to them",
        detail: "Nor is the lag of replicas seen.",
        hint: "GRANT pg_read_all_stats TO \(role.quoted);"
      )
    }
  }
}

extension CopyJobWarning {
  /// Returns a warning if the role sees too little for a job to yield to others.
  package static func ofHiddenSessions(
    _ connection: borrowing PostgresConnection
  ) throws -> CopyJobWarning? {
    let row = try connection.query(
      """
      SELECT current_user::text AS role, \
      pg_has_role(current_user, 'pg_read_all_stats', 'USAGE') AS sees
      """
    ).first
    guard row?.boolean("sees") != true else { return nil }
    return .othersAreHidden(role: SQLIdentifier(row?["role"] ?? ""))
  }
}
