internal import MigrationPlanning
internal import PostgresClient
internal import SQLSyntax

/// The beginning and the end of a transaction.
package struct Transaction {
  /// The snapshot of a transaction, and whether it may write.
  package enum Mode {
    case readCommitted
    case repeatableRead
    case readOnly
    /// Reads one state of the database from beginning to end.
    case readOnlySnapshot

    /// The statement that begins such a transaction.
    var beginning: SQLFragment {
      switch self {
      case .readCommitted: "BEGIN"
      case .repeatableRead: "BEGIN ISOLATION LEVEL REPEATABLE READ"
      case .readOnly: "BEGIN READ ONLY"
      case .readOnlySnapshot: "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
      }
    }
  }

  /// The prefix of the names of its failpoints; `nil` if it has none.
  var name: String?
  var mode = Mode.readCommitted
  /// Statements of our own that are sent together with the beginning, in one round trip.
  var settings: [SQLFragment] = []
  /// Checks before anything else that the job is still ours.
  var fence: ((borrowing PostgresConnection) throws -> Void)?
  /// Whether the transaction is rolled back in the end.
  var isRolledBack = false
}

extension Transaction {
  /// Creates a transaction that only reads, all of it from one state of the database.
  package static var snapshot: Transaction { Transaction(mode: .readOnlySnapshot) }

  /// The statement that has nodes of Citus look objects up where the session does; those that a session sets for
  /// longer than a transaction do not reach them.
  static var lookingUpInCatalog: SQLFragment { "SET LOCAL search_path = \(.catalogPath)" }

  /// The statement that limits how long each lock of the transaction is waited for.
  static func lockTimeout(_ milliseconds: Int64) -> SQLFragment {
    "SET LOCAL lock_timeout = \(milliseconds)"
  }

  /// The statement that locks a view, and changes nothing; LOCK would lock its tables as well.
  static func locking(_ view: QualifiedName) -> SQLFragment {
    "ALTER VIEW IF EXISTS \(view) SET (security_invoker = true)"
  }

  /// The statement that locks tables.
  static func locking(_ tables: [MigrationStep.LockedTable], _ mode: LockMode) -> SQLFragment {
    let names = tables.map { "\($0.name)" as SQLFragment }.joined(separator: ", ")
    return "LOCK TABLE \(names) IN \(SQLFragment(deparsed: mode.name)) MODE"
  }
}
