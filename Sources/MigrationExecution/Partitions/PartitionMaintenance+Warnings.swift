package import Diagnostics
package import MigrationPlanning
package import PostgresClient
internal import SQLSyntax

extension PartitionMaintenance {
  /// Warns of partitions that are missing, and of rows that have none of their own.
  ///
  /// - Parameters:
  ///   - schema: The tables of the recorded version.
  ///   - store: Their store.
  ///   - connection: A connection.
  /// - Returns: The warnings.
  /// - Throws: The server's error.
  package static func warnings(
    for schema: DatabaseSchema,
    of store: StoreIdentity,
    _ connection: borrowing PostgresConnection
  ) throws -> [Diagnostic] {
    var warnings: [Diagnostic] = []
    for creation in try creations(for: schema, of: store, connection) {
      let table = creation.table.name
      guard try isReadable(creation.table, connection) else { continue }
      let missing = try connection.query(creation.missing)
      if let first = missing.first?["bound"] {
        let count = missing.count == 1 ? "a partition" : "\(missing.count) partitions"
        warnings.append(
          Diagnostic(
            .warning,
            "table \"\(table)\" lacks \(count)",
            detail: "The first one is \(first == "DEFAULT" ? "that of all other rows" : first).",
            hint: creation.due == nil
              ? "Add it: CREATE TABLE ... PARTITION OF \(creation.table.quoted) \(first);"
              : "remodel finish adds them; call it from a job, at least once in an interval."
          )
        )
      }
      if try hasStrayRows(creation.table, connection) {
        warnings.append(
          Diagnostic(
            .warning,
            "the default partition of table \"\(table)\" has rows",
            detail: "No partition of their intervals can be added while they are there.",
            hint:
              "Move them in a transaction: detach the default partition, create partitions for their "
              + "intervals, insert the rows again, and attach the empty partition as the default again."
          )
        )
      }
    }
    return warnings
  }

  /// Returns whether the role can read all rows of a table, as the search for missing partitions does.
  private static func isReadable(
    _ table: QualifiedName,
    _ connection: borrowing PostgresConnection
  ) throws -> Bool {
    try !connection.query(
      """
      SELECT FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace \
      WHERE n.nspname = \(text: table.schema.name) AND c.relname = \(text: table.name.name) AND \(isReadable)
      """
    ).isEmpty
  }

  /// The condition that the role can read all rows of the table `c` of the schema `n`.
  private static let isReadable: SQLFragment = """
    has_schema_privilege(n.oid, 'USAGE') AND has_table_privilege(c.oid, 'SELECT') \
    AND NOT row_security_active(c.oid)
    """

  /// Returns whether the default partition of a table of intervals has rows, as far as the role may look.
  private static func hasStrayRows(
    _ table: QualifiedName,
    _ connection: borrowing PostgresConnection
  ) throws -> Bool {
    let row = try connection.query(
      """
      SELECT n.nspname, c.relname FROM pg_partitioned_table k JOIN pg_class c ON c.oid = k.partdefid \
      JOIN pg_namespace n ON n.oid = c.relnamespace \
      WHERE k.partrelid = \(text: table.quoted)::regclass AND k.partstrat = 'r' \
      AND pg_relation_size(c.oid) > 0 AND c.relkind = 'r' AND \(isReadable)
      """
    ).first
    guard let schema = row?["nspname"], let name = row?["relname"] else { return false }
    let partition = QualifiedName(schema: SQLIdentifier(schema), name: SQLIdentifier(name))
    return try !connection.query("SELECT 1 FROM \(partition) LIMIT 1").isEmpty
  }
}
