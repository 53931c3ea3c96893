package import SQLSyntax

/// A trigger that keeps a table in step for releases on both versions.
package struct BridgeTrigger: Hashable, Sendable {
  /// The name.
  package let name: SQLIdentifier
  /// The table.
  package let table: SQLIdentifier
  /// The code of its function.
  package let code: String
  /// A Boolean value that indicates whether it fires for what replication writes as well.
  package let firesAlways: Bool
  /// The statements that create it again, with all that belong to it.
  package let recreation: [SQLFragment]
}
