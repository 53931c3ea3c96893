internal import PostgresClient
internal import SQLSyntax

/// The triggers of people on tables, which would see the rows that a copy is filled with; they rest
/// meanwhile.
struct RowTriggers: Sendable {
  private var restoration: [SQLFragment] = []

  /// Has them rest.
  ///
  /// - Parameter connection: A connection of a role that owns the tables.
  /// - Throws: The server's error.
  init(resting connection: borrowing PostgresConnection) throws {
    let triggers = try connection.query(
      """
      SELECT n.nspname, c.relname, t.tgname, t.tgenabled FROM pg_trigger t \
      JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_namespace n ON n.oid = c.relnamespace \
      WHERE NOT t.tgisinternal AND t.tgenabled <> 'D' AND c.relkind IN ('r', 'p') \
      ORDER BY c.relkind, c.oid
      """
    )
    for row in triggers {
      guard let schema = row["nspname"], let table = row["relname"], let name = row["tgname"],
        let state = Self.word(row["tgenabled"])
      else { continue }
      // Only of this table: a partition's own state is in its own row.
      let change: SQLFragment = """
        ALTER TABLE ONLY \(QualifiedName(schema: SQLIdentifier(schema), name: SQLIdentifier(table)))
        """
      try connection.execute("\(change) DISABLE TRIGGER \(SQLIdentifier(name))")
      restoration.append("\(change) ENABLE\(state) TRIGGER \(SQLIdentifier(name))")
    }
  }

  /// Has them be as they were.
  ///
  /// - Parameter connection: A connection of a role that owns the tables.
  /// - Throws: The server's error.
  func restore(_ connection: borrowing PostgresConnection) throws {
    for statement in restoration { try connection.execute(statement) }
  }

  private static func word(_ state: String?) -> SQLFragment? {
    switch state {
    case "O": ""
    case "A": " ALWAYS"
    case "R": " REPLICA"
    default: nil
    }
  }
}
