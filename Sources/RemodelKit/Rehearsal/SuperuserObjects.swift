internal import PostgresClient
internal import SQLSyntax

/// The objects of a database that only a superuser can create, and that can be created without
/// running code of others.
struct SuperuserObjects: Sendable {
  private let wrappers: [String]
  private let publications: [(name: String, options: SQLFragment)]
  private let eventTriggers: [(name: String, creation: SQLFragment, state: SQLFragment)]

  init(_ connection: borrowing PostgresConnection) throws {
    wrappers = try connection.query(
      """
      SELECT fdwname FROM pg_foreign_data_wrapper w WHERE NOT EXISTS (SELECT FROM pg_depend d \
      WHERE d.classid = 'pg_foreign_data_wrapper'::regclass AND d.objid = w.oid AND d.deptype = 'e')
      """
    ).compactMap { $0["fdwname"] }
    publications = try connection.query(
      """
      SELECT pubname, pubviaroot, concat_ws(', ', CASE WHEN pubinsert THEN 'insert' END, \
      CASE WHEN pubupdate THEN 'update' END, CASE WHEN pubdelete THEN 'delete' END, \
      CASE WHEN pubtruncate THEN 'truncate' END) AS actions FROM pg_publication WHERE puballtables
      """
    ).compactMap { row in
      guard let name = row["pubname"], let actions = row["actions"] else { return nil }
      let viaRoot: SQLFragment = row.boolean("pubviaroot") == true ? "true" : "false"
      return (
        name,
        """
        (publish = \(SQLLiteral.text(actions)), publish_via_partition_root = \(viaRoot))
        """
      )
    }
    eventTriggers = try connection.query(
      """
      SELECT evtname, evtevent, evtenabled, \
      (SELECT string_agg(quote_literal(tag), ', ') FROM unnest(evttags) AS tag) AS tag_list, \
      n.nspname, p.proname FROM pg_event_trigger t JOIN pg_proc p ON p.oid = t.evtfoid \
      JOIN pg_namespace n ON n.oid = p.pronamespace ORDER BY 1
      """
    ).compactMap { row in
      guard let name = row["evtname"], let event = row["evtevent"], let schema = row["nspname"],
        let function = row["proname"]
      else { return nil }
      let condition: SQLFragment =
        row["tag_list"].map { " WHEN TAG IN (\(SQLFragment(deparsed: $0)))" } ?? ""
      let routine = QualifiedName(schema: SQLIdentifier(schema), name: SQLIdentifier(function))
      let state: SQLFragment =
        switch row["evtenabled"] {
        case "D": "DISABLE"
        case "A": "ENABLE ALWAYS"
        case "R": "ENABLE REPLICA"
        default: "ENABLE"
        }
      return (
        name,
        """
        CREATE EVENT TRIGGER \(SQLIdentifier(name)) ON \(SQLIdentifier(event))\(condition) \
        EXECUTE FUNCTION \(routine)()
        """,
        state
      )
    }
  }

  /// The entries of a dump that need no further report, as `pg_restore` names them.
  var entries: [String] {
    wrappers.map { "FOREIGN DATA WRAPPER \($0)" } + publications.map { "PUBLICATION \($0.name)" }
      + eventTriggers.flatMap {
        ["EVENT TRIGGER \($0.name)", "COMMENT EVENT TRIGGER \($0.name)"]
      }
  }

  /// Creates the objects that must exist before the dump is restored: foreign-data wrappers,
  /// without the code that would open connections, and publications of all tables.
  ///
  /// - Parameter connection: A superuser's connection to the copy, which is still empty.
  /// - Throws: The server's error.
  func makeFirst(_ connection: borrowing PostgresConnection) throws {
    for name in wrappers {
      try connection.execute("CREATE FOREIGN DATA WRAPPER \(SQLIdentifier(name))")
    }
    for publication in publications {
      try connection.query(
        """
        CREATE PUBLICATION \(SQLIdentifier(publication.name)) FOR ALL TABLES \
        WITH \(publication.options)
        """
      )
    }
  }

  /// Creates the event triggers, which run with the rights of the role that causes the event.
  ///
  /// Nothing that a superuser does here causes one.
  ///
  /// - Parameter connection: A superuser's connection to the copy.
  /// - Returns: Those that could not be created, and the reasons.
  /// - Throws: Any other error of the server.
  func makeLast(_ connection: borrowing PostgresConnection) throws -> [String] {
    var failures: [String] = []
    for trigger in eventTriggers {
      do {
        try connection.query(trigger.creation)
        try connection.query(
          "ALTER EVENT TRIGGER \(SQLIdentifier(trigger.name)) \(trigger.state)"
        )
      } catch {
        guard error.kind == .server else { throw error }
        failures.append("EVENT TRIGGER \(trigger.name): \(error.message)")
      }
    }
    return failures
  }
}
