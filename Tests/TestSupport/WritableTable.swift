package import PostgresClient
package import SQLSyntax

/// A table as those see it who write to it, read from the catalog.
package struct WritableTable: Sendable {
  /// A column of a table.
  package struct Column: Sendable {
    /// Its name.
    package let name: SQLIdentifier
    /// Its type, as the server names it.
    package let type: String
    /// Whether it may be without a value.
    package let isOptional: Bool
    /// Whether it is of the primary key.
    package let isKey: Bool
    /// The table whose rows it refers to.
    package let target: SQLIdentifier?
    /// Some of its values when it was read.
    package let known: [String]
  }

  /// Its name.
  package let name: SQLIdentifier
  /// Its columns, in their order.
  package let columns: [Column]

  /// The columns of its primary key.
  package var key: [SQLIdentifier] { columns.filter(\.isKey).map(\.name) }

  /// Its name with that of its schema.
  package var qualified: QualifiedName { QualifiedName(schema: "public", name: name) }

  /// Returns the table with some of its columns.
  package func with(_ columns: [Column]) -> WritableTable {
    WritableTable(name: name, columns: columns)
  }

  /// Reads all tables of the schema `public`.
  package static func all(
    _ connection: borrowing PostgresConnection
  ) throws -> [WritableTable] {
    let rows = try connection.query(
      """
      SELECT c.relname, a.attname, format_type(a.atttypid, a.atttypmod) AS type, a.attnotnull,
          EXISTS (SELECT FROM pg_constraint p WHERE p.conrelid = c.oid AND p.contype = 'p'
            AND a.attnum = ANY (p.conkey)) AS is_key,
          (SELECT t.relname FROM pg_constraint f JOIN pg_class t ON t.oid = f.confrelid
            WHERE f.conrelid = c.oid AND f.contype = 'f' AND f.conkey = ARRAY[a.attnum] LIMIT 1)
            AS target
        FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
          JOIN pg_attribute a ON a.attrelid = c.oid
        WHERE n.nspname = 'public' AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped
          AND a.attgenerated = ''
        ORDER BY c.relname, a.attnum
      """
    )
    var columns: [(table: String, column: Column)] = []
    for row in rows {
      let table = row["relname"] ?? ""
      let name = SQLIdentifier(row["attname"] ?? "")
      let place = QualifiedName(schema: "public", name: SQLIdentifier(table))
      let known = try connection.query(
        "SELECT DISTINCT \(name)::text AS value FROM \(place) WHERE \(name) IS NOT NULL LIMIT 8"
      )
      columns.append(
        (
          table,
          Column(
            name: name,
            type: row["type"] ?? "",
            isOptional: row.boolean("attnotnull") == false,
            isKey: row.boolean("is_key") == true,
            target: row["target"].map { SQLIdentifier($0) },
            known: known.compactMap { $0["value"] }
          )
        )
      )
    }
    return Dictionary(grouping: columns, by: \.table)
      .map { WritableTable(name: SQLIdentifier($0.key), columns: $0.value.map(\.column)) }
      .sorted { $0.name < $1.name }
  }
}
