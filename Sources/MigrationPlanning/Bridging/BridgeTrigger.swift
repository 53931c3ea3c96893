package import SQLSyntax

/// A trigger that keeps a table in step for releases on both versions.
package struct BridgeTrigger: Hashable, Sendable {
  // The server runs triggers of one event in the order of their names by bytes: these after those of others,
  // and before that of a fill, which computes from what they leave.
  /// The name of the trigger before rows are inserted.
  static let insertion: SQLIdentifier = "~remodel_bridge_insert"
  /// The name of the trigger before rows are updated, which does not run for rows that are filled.
  package static let update: SQLIdentifier = "~remodel_bridge_update"

  /// The name.
  package let name: SQLIdentifier
  /// The table.
  package let table: SQLIdentifier
  /// The code of its function.
  package let code: String
  /// A Boolean value that indicates whether it fires for what replication writes as well.
  package let firesAlways: Bool
  /// The columns that its condition reads; `nil` if there is more than a condition that reads some.
  package let readColumns: Set<SQLIdentifier>?
  /// The statements that create it again, with all that belong to it.
  package let recreation: [SQLFragment]
}
