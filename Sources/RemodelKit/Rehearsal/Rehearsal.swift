public import Diagnostics
public import MigrationExecution

/// How a plan is carried out for trial.
public enum Rehearsal: Hashable, Sendable {
  /// On a throwaway server with the schema of the database and so many rows of each of its tables.
  case apart(rows: Int)
  /// In the database itself, in a transaction that is undone.
  case live
}

/// What a rehearsal came to.
public struct RehearsalReport: Sendable {
  /// How it was done.
  public let rehearsal: Rehearsal
  /// The number of the version of the server that it was done on.
  public let serverVersion: Int
  /// How many rows there were; none where they are the database's own.
  public let rowCount: Int?
  /// The steps that were carried out.
  public let steps: [RehearsedStep]
  /// What may not have been expected.
  public let warnings: [Diagnostic]
}
