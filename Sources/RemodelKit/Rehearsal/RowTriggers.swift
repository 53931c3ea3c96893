internal import PostgresClient
internal import SQLSyntax

/// The triggers of people, those of events too, which would run with the rights of whoever prepares a
/// copy; they rest meanwhile.
struct RowTriggers: Sendable {
  private var restoration: [SQLFragment] = []

  /// Has them rest.
  ///
  /// - Parameter connection: A superuser's connection.
  /// - Throws: What the server says.
  init(resting connection: borrowing PostgresConnection) throws {
    let events = try connection.query(
      "SELECT evtname, evtenabled FROM pg_event_trigger WHERE evtenabled <> 'D'"
    )
    for row in events {
      guard let name = row["evtname"], let state = Self.word(row["evtenabled"]) else { continue }
      let trigger: SQLFragment = "ALTER EVENT TRIGGER \(SQLIdentifier(name))"
      try connection.execute("\(trigger) DISABLE")
      restoration.append("\(trigger) ENABLE\(state)")
    }
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
    // What is last has the last word: an event trigger is not to see the tables altered.
    restoration = restoration.reversed()
  }

  /// Has them be as they were.
  ///
  /// - Parameter connection: A superuser's connection.
  /// - Throws: What the server says.
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
