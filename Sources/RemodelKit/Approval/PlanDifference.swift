public import MigrationExecution

/// How what would run differs from a plan that was approved.
public enum PlanDifference: Hashable, Sendable {
  /// What says which store a plan is of.
  public enum Setting: Hashable, Sendable {
    case model
    case configuration
    case schema
    case metadataSchema
  }

  /// What a step does in its order.
  public enum Part: Hashable, Sendable {
    /// A question to the rows.
    case question
    /// A statement.
    case statement
  }

  /// The digest is that of another plan.
  case digest(String)
  /// The digest in the file is not that of what the file says.
  case fileDigest
  /// The plan is of another store.
  case setting(Setting, planned: String?, asked: String?)
  /// The target is another one than it was.
  case editedVersion(String)
  /// The plan was made for another database.
  case database(planned: String, found: String)
  /// The plan was made for another server, as the clusters' numbers say.
  case server(planned: String, found: String)
  /// The plan was made for another version of PostgreSQL.
  case serverMajor(planned: Int, found: Int)
  /// The plan was made for another role; none is that of the login.
  case role(planned: String, found: String?)
  /// The plan begins somewhere else; none is an empty schema.
  case beginning(planned: String?, found: String?)
  /// The plan leads over other versions.
  case way(planned: [String], found: [String])
  /// What the last migration has left to do would come first.
  case pendingWork(PendingWork)
  /// A step would also do something that was not planned.
  case added(Part, sql: String, step: String)
  /// A step would no longer do something that was planned.
  case removed(Part, sql: String, step: String)
  /// A step would run the same statements in other circumstances.
  case circumstances(step: String)
}
