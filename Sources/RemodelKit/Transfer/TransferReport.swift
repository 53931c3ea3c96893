public import Diagnostics
internal import MigrationExecution

/// The rows that a migration to another database has copied.
public struct TransferReport: Hashable, Sendable {
  /// A table that was filled.
  public struct Table: Hashable, Sendable {
    /// The name of the table.
    public let name: String
    /// The number of its rows.
    public let rowCount: Int
    /// A Boolean value that indicates whether an earlier run filled it, and nothing in it has
    /// changed at the source since.
    public let wasFilled: Bool
  }

  /// The tables, in the order of their names.
  public let tables: [Table]
  /// When the snapshot of the source was taken, by the clock of its server, as ISO 8601 in UTC.
  public let snapshotTime: String

  /// The number of rows in all tables.
  public var rowCount: Int { tables.reduce(0) { $0 + $1.rowCount } }

  init(_ tally: TransferTally) {
    tables = tally.tables.map {
      Table(name: $0.name.name, rowCount: $0.rows, wasFilled: $0.wasFilled)
    }
    snapshotTime = tally.snapshotTime
  }

  /// The warning of rows that no run has copied, since an earlier one has copied all.
  static var earlierRows: Diagnostic {
    Diagnostic(
      .warning,
      "an earlier run has copied the rows, and those written to the source since are not in the "
        + "destination",
      hint:
        "To copy all of them again, name another database, or another schema with --into-schema."
    )
  }

  /// The warning of rows that were left behind.
  var laterRows: Diagnostic {
    Diagnostic(
      .warning,
      "rows that were written to the source after \(snapshotTime) are not in the destination",
      hint: "Stop all writers before the migration begins, and let them write to the destination "
        + "afterwards."
    )
  }
}

/// The error of one of two databases.
public struct TransferFailure: DiagnosticError {
  /// One of the two databases.
  public enum Side: String, Hashable, Sendable {
    /// The database with the rows.
    case source
    /// The database that gets them.
    case destination
  }

  /// The database.
  public let side: Side
  /// The error.
  public let error: any DiagnosticError
  /// The name of the database in messages.
  let place: String

  /// The error, for people.
  public var diagnostics: [Diagnostic] {
    error.diagnostics.map { diagnostic in
      var diagnostic = diagnostic
      diagnostic.message = "in the \(side.rawValue) (\(place)): " + diagnostic.message
      if isConnectionLost || isStatementFailed && diagnostic.hint == nil {
        diagnostic.hint =
          "Run again: it continues with the tables that are not filled, and fills those again that "
          + "have changed at the source."
      }
      return diagnostic
    }
  }

  private var isConnectionLost: Bool {
    guard case .connectionLost = (error as? ExecutionError)?.fact else { return false }
    return true
  }

  private var isStatementFailed: Bool {
    guard case .statementFailed = (error as? ExecutionError)?.fact else { return false }
    return true
  }
}
