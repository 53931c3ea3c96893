package import SQLSyntax

/// A setting that a session is given while it is at work, besides those that every session has.
///
/// All of them are reset in a session that a pooler hands on to others.
package enum SessionSetting: CaseIterable, Sendable {
  /// The interval of the server's checks that the client is still connected.
  case connectionCheckInterval
  /// The time that an idle session or transaction may stay open.
  case silence
  /// The time that a session may be idle between transactions.
  case idleSession
  /// How long locks are waited for.
  case lockTimeout
  /// Whether transactions change nothing.
  case readOnly
  /// Whether a commit waits until it is on disk.
  case synchronousCommit
  /// The role in whose name a migration is planned.
  case actingRole

  /// The setting's name as SQL has it.
  package var name: SQLFragment {
    switch self {
    case .connectionCheckInterval: "client_connection_check_interval"
    case .silence: "idle_in_transaction_session_timeout"
    case .idleSession: "idle_session_timeout"
    case .lockTimeout: "lock_timeout"
    case .readOnly: "default_transaction_read_only"
    case .synchronousCommit: "synchronous_commit"
    case .actingRole: "remodel.acting_role"
    }
  }

  /// Returns the statement that gives the setting a value for the rest of the session.
  package func statement(_ value: SQLFragment) -> SQLFragment { "SET \(name) = \(value)" }
}

extension PostgresConnection {
  /// Gives a setting a value for the rest of the session.
  package borrowing func set(
    _ setting: SessionSetting,
    to value: SQLFragment
  ) throws(PostgresError) {
    try execute(setting.statement(value))
  }
}
