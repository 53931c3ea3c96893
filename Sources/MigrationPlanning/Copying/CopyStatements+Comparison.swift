package import SQLSyntax

extension CopyStatements {
  // MARK: - Rows

  /// The statements that find the units which follow from entries of the queues: they are compared when
  /// the entries have been applied.
  ///
  /// They are the first statements of a transaction with one snapshot (`REPEATABLE READ`), followed by a
  /// rollback.
  package var pendingUnits: [SQLFragment] {
    [sourceLock].compactMap(\.self) + temporaryTables + plan.sources.map(looking) + findUnits
  }

  /// Returns the query that has a row if a table has units among ``pendingUnits``.
  package func pendingUnit(of table: CopiedTable) -> SQLFragment {
    "SELECT FROM \(table.units) LIMIT 1"
  }

  /// Returns the statements that compare a range of units of a table with the rows derived from the
  /// sources, in both directions; the last one returns up to ten different rows with their units.
  ///
  /// A query of ``agreement(of:from:to:leavesPendingOut:)`` is quicker if there is one.
  ///
  /// - Parameters:
  ///   - table: The copied table.
  ///   - start: The first unit, or `nil` if the range is open.
  ///   - end: The unit after the last, or `nil` if the range is open.
  ///   - leavesPendingOut: Whether to leave ``pendingUnits`` out, which the transaction has found.
  /// - Returns: The statements; none if the rows of the table cannot be derived.
  package func differences(
    of table: CopiedTable,
    from start: String?,
    to end: String?,
    leavesPendingOut: Bool
  ) -> [SQLFragment] {
    guard table.isDerivable else { return [] }
    let restriction = restriction(of: table, from: start, to: end, leavesPendingOut)
    return derivation(of: table, restriction)
      + [difference(of: table, restriction("\(table.unit)"))]
  }

  private func restriction(
    of table: CopiedTable,
    from start: String?,
    to end: String?,
    _ leavesPendingOut: Bool
  ) -> (SQLFragment) -> SQLFragment {
    let range = KeyRange(start: start, end: end, type: table.unitType)
    guard leavesPendingOut else { return range.condition }
    return { "\(range.condition($0)) AND \($0) NOT IN (SELECT unit FROM \(table.units))" }
  }

  /// Returns the query that compares a range of units of a table with the rows derived from the
  /// sources.
  ///
  /// For this query, the server need not store the derived rows, and can use parallel workers if it leaves
  /// no units out.
  ///
  /// - Parameters:
  ///   - table: The copied table.
  ///   - start: The first unit, or `nil` if the range is open.
  ///   - end: The unit after the last, or `nil` if the range is open.
  ///   - leavesPendingOut: Whether to leave ``pendingUnits`` out, which the transaction has found.
  /// - Returns: The query, with one row and one column; `nil` if one key can have several derived
  ///   rows, or if rows cannot be derived.
  package func agreement(
    of table: CopiedTable,
    from start: String?,
    to end: String?,
    leavesPendingOut: Bool
  ) -> SQLFragment? {
    guard table.isDerivable, table.key == [table.unit], table.feeds.count == 1,
      let feed = table.feeds.first
    else { return nil }
    let restriction = restriction(of: table, from: start, to: end, leavesPendingOut)
    let expected: SQLFragment = "remodel_expected"
    let found: SQLFragment = "remodel_found"
    let isFound: SQLFragment = "\(found).\(table.unit) IS NOT NULL"
    let agrees = ([isFound] + changedColumns(of: table, expected, found).map { "NOT (\($0))" })
      .joined(separator: " AND ")
    var typed = feed
    typed.values = zip(table.columns, feed.values).map { column, value in
      table.types[column].map { "(\(value))::\($0)" } ?? value
    }
    let rows: SQLFragment = "\(table.staged) WHERE \(restriction("\(table.unit)"))"
    return """
      SELECT count(*) = count(*) FILTER (WHERE \(agrees)) AND count(*) = (
          SELECT count(*) FROM \(rows)) AS agrees
        FROM (\(typed.query(restriction))) AS \(expected) (\(table.columns)) LEFT JOIN (
          SELECT \(table.columns) FROM \(rows)) AS \(found)
          ON \(sameKey(table, expected, found))
      """
  }

  /// The statement that keeps the sources from being emptied while a transaction looks at them; the
  /// first of the transaction.
  ///
  /// A table that was emptied after a snapshot was taken looks empty to the snapshot as well.
  package var sourceLock: SQLFragment? {
    guard !plan.sources.isEmpty else { return nil }
    let names = plan.sources.map { "\(name($0))" as SQLFragment }.joined(separator: ", ")
    return "LOCK TABLE \(names) IN ACCESS SHARE MODE"
  }

  /// Returns the query for the rows that differ, up to ten, among the units that ``apply(limit:)``
  /// has brought up to date earlier in the same transaction; `nil` if the rows of the table cannot
  /// be derived.
  package func comparisonOfApplied(_ table: CopiedTable) -> [SQLFragment] {
    guard table.isDerivable else { return [] }
    let restriction: (SQLFragment) -> SQLFragment = {
      "\($0) IN (SELECT unit FROM \(table.units))"
    }
    return ["DROP TABLE IF EXISTS \(table.derived)"]
      + derivation(of: table, restriction)
      + [difference(of: table, restriction("\(table.unit)"))]
  }

  /// Returns the query for the rows that are either derived or in the table but not both, or that
  /// have different values.
  ///
  /// The rows are joined by their keys: the difference of the two sets gives the same, but hashes
  /// every row twice in each direction.
  private func difference(of table: CopiedTable, _ restriction: SQLFragment) -> SQLFragment {
    let expected: SQLFragment = "remodel_expected"
    let found: SQLFragment = "remodel_found"
    let isAbsent = [expected, found].map { "\($0).\(table.unit) IS NULL" as SQLFragment }
    let isChanged = changedColumns(of: table, expected, found)
    return """
      (SELECT CASE WHEN \(isAbsent[1]) THEN 'missing' WHEN \(isAbsent[0]) THEN 'surplus' \
      ELSE 'changed' END AS remodel_difference,
          coalesce(\(expected).\(table.unit), \(found).\(table.unit))::text AS remodel_unit,
          \(expected)::text, \(found)::text
        FROM \(table.derived) AS \(expected) FULL JOIN (
          SELECT \(table.columns) FROM \(table.staged) WHERE \(restriction)) AS \(found)
          ON \(sameKey(table, expected, found))
        WHERE \((isAbsent + isChanged).joined(separator: " OR ")) LIMIT 10)
      UNION ALL
      (SELECT 'repeated', \(table.unit)::text, NULL, NULL
        FROM \(table.derived) GROUP BY \(table.key) HAVING count(*) > 1 LIMIT 10)
      LIMIT 10
      """
  }

  /// The conditions that two rows of the same key have different values in a column.
  private func changedColumns(
    of table: CopiedTable,
    _ first: SQLFragment,
    _ second: SQLFragment
  ) -> [SQLFragment] {
    table.columns.filter { !table.key.contains($0) && !table.givenColumns.contains($0) }.map {
      column in
      let cast: SQLFragment = table.comparedAsText.contains(column) ? "::text" : ""
      return "\(first).\(column)\(cast) IS DISTINCT FROM \(second).\(column)\(cast)"
    }
  }

  // MARK: - References

  /// Returns the query for up to ten rows with dangling references, with their keys as text in the
  /// only column; `nil` if there is nothing to check.
  ///
  /// In a snapshot with all changes applied, or without writers, such rows would keep the foreign
  /// key from being validated.
  package func danglingRows(of reference: UnvalidatedReference) -> SQLFragment? {
    reference.rows.map { rows in
      "SELECT \(keys(rows)) AS key FROM \(rows.table) AS remodel_row WHERE \(dangles(rows)) LIMIT 10"
    }
  }

  /// Returns the same query for the rows, on either side, that depend on the entries taken by
  /// ``apply(limit:)`` in the same transaction; `nil` if the key is not affected.
  package func danglingRowsOfApplied(_ reference: UnvalidatedReference) -> SQLFragment? {
    guard let rows = reference.rows else { return nil }
    let sides = [referring(rows), referred(rows)].compactMap(\.self)
    guard !sides.isEmpty else { return nil }
    let queries = sides.map { changed, condition -> SQLFragment in
      // Row by row through an index, whatever the server takes the number of changes for.
      """
      SELECT remodel_found.key FROM \(changed) AS remodel_changed CROSS JOIN LATERAL (
          SELECT \(keys(rows)) AS key FROM \(rows.table) AS remodel_row
          WHERE \(condition) AND \(dangles(rows)) OFFSET 0) AS remodel_found
      """
    }
    return "(\(queries.joined(separator: "\n  UNION ALL "))) LIMIT 10"
  }

  /// The rows themselves that have changed, and the condition that a row is one of them.
  private func referring(
    _ rows: UnvalidatedReference.Rows
  ) -> (changed: QualifiedName, condition: SQLFragment)? {
    if let table = derivableTables.first(where: { $0.staged == rows.table }) {
      return (table.units, "remodel_row.\(table.unit) = remodel_changed.unit")
    }
    guard let source = plan.sources.first(where: { name($0) == rows.table }) else { return nil }
    let condition = rows.key.map { "remodel_row.\($0) = remodel_changed.\($0)" as SQLFragment }
    return (source.changes, condition.joined(separator: " AND "))
  }

  /// The changed or deleted rows, and the condition that a row refers to one of them.
  private func referred(
    _ rows: UnvalidatedReference.Rows
  ) -> (changed: QualifiedName, condition: SQLFragment)? {
    derivableTables.first { $0.staged == rows.referenced }.map {
      ($0.units, "remodel_row.\(rows.column) = remodel_changed.unit")
    }
  }

  private func keys(_ rows: UnvalidatedReference.Rows) -> SQLFragment {
    let keys = rows.key.map { "remodel_row.\($0)" as SQLFragment }.joined(separator: ", ")
    return "concat_ws(' ', \(keys))"
  }

  private func dangles(_ rows: UnvalidatedReference.Rows) -> SQLFragment {
    """
    remodel_row.\(rows.column) IS NOT NULL AND NOT EXISTS (SELECT FROM \(rows.referenced) \
    AS remodel_referenced WHERE remodel_referenced.\(rows.referencedKey) = remodel_row.\(rows.column))
    """
  }
}
