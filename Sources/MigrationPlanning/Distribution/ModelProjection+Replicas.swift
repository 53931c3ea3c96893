internal import SQLSyntax

extension ModelProjection {
  /// Returns the conditions that tables which are on all nodes have the same rows on each.
  ///
  /// - Parameter kinds: What the tables are on the server.
  /// - Returns: The conditions; the keys that offend are nodes.
  package func replicaRules(_ kinds: TableKinds) -> [PlannedPrecondition] {
    schema.sortedTables.compactMap { table in
      guard kinds[table.name]?.placement == .reference else { return nil }
      let entityName =
        switch tableOrigins[table.name] {
        case .root(let name), .join(let name, _): name
        case nil: table.name.name
        }
      // The settings of sessions on the nodes play no part in a hash, which not all types have.
      let isHashed = table.columns.allSatisfy { !["json", "xml"].contains($0.type.text) }
      let hash: SQLFragment =
        isHashed
        ? "pg_catalog.hash_record_extended(remodel_row, 0)"
        : "pg_catalog.hashtextextended(remodel_row::pg_catalog.text, 0)"
      let contents: SQLFragment = """
        SELECT pg_catalog.concat(pg_catalog.count(*), ' ', \
        pg_catalog.sum(\(hash)::pg_catalog.numeric)) FROM %s AS remodel_row
        """
      let name = schema.qualified(table.name).quoted
      return PlannedPrecondition(
        requirement: "every node has the same rows in table \"\(table.name)\"",
        remedy: "The keys are nodes that do not answer, or whose rows differ from those of the "
          + "coordinator: have Citus copy the table to them again.",
        entityName: entityName,
        propertyName: nil,
        coreDataError: 134_110,
        failsSilently: false,
        query: Rows.counting(
          """
          SELECT node AS \(StorageNames.key) FROM (SELECT p.nodename || ':' || p.nodeport AS node, \
          success, result IS DISTINCT FROM first_value(result) OVER (ORDER BY n.groupid) AS differs \
          FROM run_command_on_placements(\(text: name), \(text: contents.text)) AS p \
          LEFT JOIN pg_dist_node AS n ON n.nodename = p.nodename AND n.nodeport = p.nodeport) \
          AS placements WHERE NOT success OR differs
          """
        )
      )
    }
  }
}
