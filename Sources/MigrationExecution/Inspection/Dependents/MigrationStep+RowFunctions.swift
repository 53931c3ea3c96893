package import MigrationPlanning
package import PostgresClient
internal import SQLSyntax

extension MigrationStep {
  /// Finds the functions with parsed bodies that return rows of tables whose columns the step
  /// changes.
  ///
  /// The server has stored the columns that these bodies select, even for `*`, so their next call
  /// fails. Creating such a function again from the server's definition does not help.
  ///
  /// - Parameters:
  ///   - earlier: The steps before it.
  ///   - connection: The database before all of them.
  /// - Returns: The functions, in the order of their names.
  /// - Throws: The server's error.
  package func rowFunctionsInTheWay(
    after earlier: [MigrationStep] = [],
    _ connection: borrowing PostgresConnection
  ) throws -> [DependentRefusal] {
    func currentName(_ table: SQLIdentifier) -> SQLIdentifier {
      earlier.reversed().reduce(table) { $1.formerName(ofTable: $0) }
    }
    let tables = Dictionary(
      tablesOfChangedRows.filter { earlier.isEmpty || changesColumns(of: $0.key, to: $0.value) }
        .map { (currentName($0.key), $0.value) },
      uniquingKeysWith: { first, _ in first }
    )
    guard let schema = source?.projection.schema.name, !tables.isEmpty else { return [] }
    return try connection.query(
      """
      SELECT c.relname, o.type || ' ' || o.identity AS function, (SELECT json_agg(a.attname ORDER BY a.attnum) \
      FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped) AS columns \
      FROM pg_namespace n JOIN pg_class c ON c.relnamespace = n.oid JOIN pg_type t ON t.typrelid = c.oid \
      JOIN pg_proc p ON p.prorettype = t.oid \
      CROSS JOIN LATERAL pg_identify_object('pg_proc'::regclass, p.oid, 0) o \
      WHERE n.nspname = $1 AND c.relname::text IN (SELECT json_array_elements_text($2::json)) \
      AND p.prosqlbody::text LIKE '(%' ORDER BY o.identity COLLATE "C"
      """,
      [schema.name, JSONText.text(tables.keys.sorted().map(\.name))]
    ).compactMap { row in
      let table = SQLIdentifier(row["relname"] ?? "")
      let columns = JSONText.strings(in: row["columns"]).map { SQLIdentifier($0) }
      guard !earlier.isEmpty || tables[table] != columns, let function = row["function"] else {
        return nil
      }
      return DependentRefusal(rowFunction: function, of: table)
    }
  }

  /// Returns whether a table gets columns that it has not, or loses some; their order is known when the step
  /// begins.
  private func changesColumns(of table: SQLIdentifier, to columns: [SQLIdentifier]?) -> Bool {
    Set(source?.projection.schema.tables[table]?.columns.map(\.name) ?? []) != Set(columns ?? [])
  }
}
