internal import ObjectModel
internal import SQLSyntax

/// A change of whether Citus distributes a schema as a whole.
package enum SchemaDistribution: Hashable, Sendable {
  /// All tables of the schema move to one node, when everything else is done to them.
  case added
  /// They move to the coordinator before.
  case removed

  /// Creates the change from one version to another; `nil` if there is none.
  ///
  /// - Parameters:
  ///   - source: The version before; `nil` if there is none.
  ///   - destination: The version to migrate to.
  ///   - kinds: The kinds of the tables before.
  init?(from source: ModelProjection?, to destination: ModelProjection, _ kinds: TableKinds) {
    let isDistributed = kinds.schemaColocation != nil
    if destination.model.layout.distribution == .schema {
      // People may have distributed it.
      guard !isDistributed else { return nil }
      self = .added
    } else {
      guard isDistributed, source?.model.layout.distribution == .schema else { return nil }
      self = .removed
    }
  }

  /// Returns the statements that carry it out.
  ///
  /// - Parameters:
  ///   - schema: The schema.
  ///   - moved: The tables that may have rows.
  /// - Returns: The statements.
  func statements(for schema: DatabaseSchema, moving moved: [SQLIdentifier]) -> [PlannedStatement] {
    let name = schema.name
    let impact = OperationImpact(
      locks: Dictionary(uniqueKeysWithValues: moved.map { ($0, .accessExclusive) }),
      rewrites: Set(moved)
    )
    let work = moved.map { RowWork.rewrite(schema.qualified($0)) }
    switch self {
    case .removed:
      return [
        PlannedStatement(
          sql: "SELECT pg_catalog.citus_schema_undistribute(\(text: name.quoted))",
          reason: "move schema \"\(name)\" to the coordinator",
          impact: impact,
          rowWork: work
        )
      ]
    case .added:
      let distribution = PlannedStatement(
        sql: "SELECT pg_catalog.citus_schema_distribute(\(text: name.quoted))",
        reason: "move schema \"\(name)\" to one of the nodes",
        impact: impact,
        rowWork: work
      )
      guard !moved.isEmpty else { return [distribution] }
      return [
        PlannedStatement(
          sql: "SET CONSTRAINTS ALL IMMEDIATE",
          reason: "check what waits for the end of the transaction"
        ),
        distribution,
        PlannedStatement(
          sql: """
            SELECT pg_catalog.truncate_local_data_after_distributing_table(p.logicalrelid) \
            FROM pg_dist_partition AS p JOIN pg_class AS c ON c.oid = p.logicalrelid \
            WHERE c.relnamespace = \(text: name.quoted)::regnamespace AND c.relkind = 'r'
            """,
          reason: "remove the rows that the coordinator had"
        ),
      ]
    }
  }
}
