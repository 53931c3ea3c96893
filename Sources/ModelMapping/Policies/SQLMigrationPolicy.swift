/// SQL for the stages in which Core Data carries out an entity mapping.
public struct SQLMigrationPolicy: Hashable, Sendable {
  /// The statements of each stage that has any.
  public var statements: [Stage: SQLTemplate]

  /// A stage of an entity mapping, in their order; the raw values are those of mapping files.
  public enum Stage: String, Hashable, Sendable, CaseIterable {
    case begin
    /// Instead of making one row for each of the source.
    case createDestinationInstances
    case endInstanceCreation
    /// Instead of linking the new rows.
    case createRelationships
    case endRelationshipCreation
    /// A query that returns a row for each fault: no row, no fault.
    case validate
    case end
  }

  /// Creates a policy.
  public init(statements: [Stage: SQLTemplate] = [:]) {
    self.statements = statements
  }

  /// A Boolean value that indicates whether no stage has any statement.
  package var isEmpty: Bool { statements.isEmpty }
}
