public import SQLSyntax

extension CopyStatements {
  /// Returns the statements that compare a range of units of a table with what is derived from the
  /// sources, both ways; the last one returns rows that differ, up to ten, with their units.
  ///
  /// They are the first statements of a transaction with one snapshot (`REPEATABLE READ`) and are
  /// followed by a rollback: what waits in the queues is looked at as if it were taken. Where
  /// ``agreement(of:from:to:)`` can be asked instead, it is quicker.
  ///
  /// - Parameters:
  ///   - table: The table that is made.
  ///   - start: The first unit, or `nil` if the range is open.
  ///   - end: The unit after the last, or `nil` if the range is open.
  ///   - isCaptured: Whether there are queues; units that follow from their entries are left out.
  /// - Returns: The statements; none if the rows of the table cannot be derived.
  public func comparison(
    of table: CopiedTable,
    from start: String?,
    to end: String?,
    isCaptured: Bool = true
  ) -> [SQLFragment] {
    guard table.isDerivable else { return [] }
    let range = KeyRange(start: start, end: end, type: table.unitType)
    let units = isCaptured ? temporaryTables + plan.sources.map(looking) + findUnits : []
    let restriction: (SQLFragment) -> SQLFragment = { unit in
      guard isCaptured else { return range.condition(unit) }
      return "\(range.condition(unit)) AND \(unit) NOT IN (SELECT unit FROM \(table.units))"
    }
    return [sourceLock].compactMap(\.self) + units
      + derivation(of: table, restriction)
      + [difference(of: table, restriction("\(table.unit)"))]
  }

  /// Returns the query for whether a range of units of a table holds what is derived from the sources,
  /// while nobody writes to them.
  ///
  /// The server needs not keep what it derives for this, and may share the work among processes of
  /// its own.
  ///
  /// - Parameters:
  ///   - table: The table that is made.
  ///   - start: The first unit, or `nil` if the range is open.
  ///   - end: The unit after the last, or `nil` if the range is open.
  /// - Returns: The query, with a row and a column; `nil` if two rows could be derived for one key, or
  ///   none at all.
  public func agreement(
    of table: CopiedTable,
    from start: String?,
    to end: String?
  ) -> SQLFragment? {
    guard table.isDerivable, table.key == [table.unit], table.feeds.count == 1,
      let feed = table.feeds.first
    else { return nil }
    let range = KeyRange(start: start, end: end, type: table.unitType)
    let expected: SQLFragment = "remodel_expected"
    let found: SQLFragment = "remodel_found"
    let isFound: SQLFragment = "\(found).\(table.unit) IS NOT NULL"
    let agrees = ([isFound] + changedColumns(of: table, expected, found).map { "NOT (\($0))" })
      .joined(separator: " AND ")
    var typed = feed
    typed.values = zip(table.columns, feed.values).map { column, value in
      table.types[column].map { "(\(value))::\($0)" } ?? value
    }
    return """
      SELECT count(*) = count(*) FILTER (WHERE \(agrees)) AND count(*) = (
          SELECT count(*) FROM \(staged(table)) WHERE \(range.condition("\(table.unit)"))) AS agrees
        FROM (\(typed.query(range.condition))) AS \(expected) (\(table.columns)) LEFT JOIN (
          SELECT \(table.columns) FROM \(staged(table))
          WHERE \(range.condition("\(table.unit)"))) AS \(found)
          ON \(sameKey(table, expected, found))
      """
  }

  /// The statement that keeps the sources from being emptied while a transaction looks at them; the
  /// first of the transaction.
  ///
  /// A table that was emptied after a snapshot was taken looks empty to the snapshot as well.
  public var sourceLock: SQLFragment? {
    guard !plan.sources.isEmpty else { return nil }
    let names = plan.sources.map { "\(name($0))" as SQLFragment }.joined(separator: ", ")
    return "LOCK TABLE \(names) IN ACCESS SHARE MODE"
  }

  /// Returns the query for the rows that differ, up to ten, among the units that ``apply(limit:)``
  /// has brought up to date earlier in the same transaction; `nil` if the rows of the table cannot
  /// be derived.
  public func comparisonOfApplied(_ table: CopiedTable) -> [SQLFragment] {
    guard table.isDerivable else { return [] }
    let restriction: (SQLFragment) -> SQLFragment = {
      "\($0) IN (SELECT unit FROM \(table.units))"
    }
    return ["DROP TABLE IF EXISTS \(table.derived)"]
      + derivation(of: table, restriction)
      + [difference(of: table, restriction("\(table.unit)"))]
  }

  /// Returns the query for the rows that either were derived and are not in the table, or the other
  /// way round, or have other values.
  ///
  /// The rows are joined by their keys: the difference of the two sets says the same, and has every
  /// row hashed twice for each direction.
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
          SELECT \(table.columns) FROM \(staged(table)) WHERE \(restriction)) AS \(found)
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
}
