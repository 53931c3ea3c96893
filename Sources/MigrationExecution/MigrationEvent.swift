public import MigrationPlanning

/// What happens while a migration runs, for reporters and logs.
public enum MigrationEvent: Sendable {
  /// A step is planned, and will be taken next or after others.
  case stepPlanned(MigrationStep)
  /// A step begins.
  case stepStarted(source: String?, destination: String, statementCount: Int)
  /// A step is committed.
  case stepEnded(source: String?, destination: String, duration: Duration)
  /// Another migrator has its turn.
  case waitingForTurn
  /// An attempt is given up and made again.
  case retrying(sqlState: String, attempt: Int, pause: Duration)
  /// A statement was run.
  case statement(sql: String, duration: Duration, rows: Int)
}
