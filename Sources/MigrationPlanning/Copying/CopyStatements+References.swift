public import SQLSyntax

extension CopyStatements {
  /// Returns the query for rows that refer to none, up to ten, with their keys as text in the only
  /// column; `nil` if there is nothing to ask.
  ///
  /// What it finds in a snapshot that has all changes applied, or where nobody can write, would keep
  /// the foreign key from being validated.
  public func danglingRows(of reference: LateReference) -> SQLFragment? {
    reference.rows.map { rows in
      "SELECT \(keys(rows)) AS key FROM \(rows.table) AS remodel_row WHERE \(dangles(rows)) LIMIT 10"
    }
  }

  /// Returns the same query for the rows that follow from what ``apply(limit:)`` has taken earlier in
  /// the same transaction, on either side; `nil` if nothing of it has to do with the key.
  public func danglingRowsOfApplied(_ reference: LateReference) -> SQLFragment? {
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
    _ rows: LateReference.Rows
  ) -> (changed: QualifiedName, condition: SQLFragment)? {
    if let table = derivableTables.first(where: { staged($0) == rows.table }) {
      return (table.units, "remodel_row.\(table.unit) = remodel_changed.unit")
    }
    guard let source = plan.sources.first(where: { name($0) == rows.table }) else { return nil }
    let condition = rows.key.map { "remodel_row.\($0) = remodel_changed.\($0)" as SQLFragment }
    return (source.changes, condition.joined(separator: " AND "))
  }

  /// The rows that have changed or gone, and the condition that a row refers to one of them.
  private func referred(
    _ rows: LateReference.Rows
  ) -> (changed: QualifiedName, condition: SQLFragment)? {
    derivableTables.first { staged($0) == rows.referenced }.map {
      ($0.units, "remodel_row.\(rows.column) = remodel_changed.unit")
    }
  }

  private func keys(_ rows: LateReference.Rows) -> SQLFragment {
    let keys = rows.key.map { "remodel_row.\($0)" as SQLFragment }.joined(separator: ", ")
    return "concat_ws(' ', \(keys))"
  }

  private func dangles(_ rows: LateReference.Rows) -> SQLFragment {
    """
    remodel_row.\(rows.column) IS NOT NULL AND NOT EXISTS (SELECT FROM \(rows.referenced) \
    AS remodel_referenced WHERE remodel_referenced.\(rows.referencedKey) = remodel_row.\(rows.column))
    """
  }
}
