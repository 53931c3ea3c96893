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
      // The settings of sessions on the nodes play no part in a hash.
      let contents: SQLFragment = """
        SELECT count(*) || ' ' || coalesce(sum(hash_record_extended(t, 0)::numeric), 0) FROM %s AS t
        """
      let name = schema.qualified(table.name).quoted
      return PlannedPrecondition(
        requirement: "every node has the same rows in table \"\(table.name)\"",
        remedy: "The keys are nodes whose rows differ from those of the first one: compare them, "
          + "and have Citus copy the table again.",
        entityName: entityName,
        propertyName: nil,
        coreDataError: 134_110,
        failsSilently: false,
        query: Rows.counting(
          """
          SELECT node AS \(StorageNames.key) FROM (SELECT nodename || ':' || nodeport AS node, \
          result IS DISTINCT FROM first_value(result) OVER (ORDER BY nodename, nodeport) AS differs \
          FROM run_command_on_placements(\(text: name), \(text: contents.text))) AS placements \
          WHERE differs
          """
        )
      )
    }
  }
}
