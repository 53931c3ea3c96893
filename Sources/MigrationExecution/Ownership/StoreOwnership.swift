internal import MigrationPlanning
package import PostgresClient
package import SQLSyntax

/// Whether tables of a store, and all that is called when their rows are read or written, belong to roles
/// that are trusted: whoever owns a table has the rights of those who use it.
package struct StoreOwnership {
  let store: StoreIdentity
  let tables: [QualifiedName]
  /// Whether they are to be written to, which needs more trust than a look.
  let isWriting: Bool

  private var trusted: TrustedOwners { TrustedOwners(store: store, isWriting: isWriting) }

  /// Creates a question.
  ///
  /// - Parameters:
  ///   - tables: The tables, as far as they are there.
  ///   - store: The store.
  ///   - isWriting: Whether they are to be written to.
  package init(of tables: some Sequence<QualifiedName>, in store: StoreIdentity, isWriting: Bool) {
    self.store = store
    self.tables = Set(tables).sorted()
    self.isWriting = isWriting
  }

  /// Makes sure that all of it belongs to roles that are trusted.
  package func check(_ connection: borrowing PostgresConnection) throws {
    guard !tables.isEmpty else { return }
    let foreign = try connection.query(query).map { row in
      ForeignObject(row["object"], row["owner"], user: row["user"])
    }
    guard foreign.isEmpty else {
      throw ExecutionError(.foreignObjects(schema: store.schema.name, foreign.different))
    }
  }

  /// What is called when anything is made or altered does not matter to who only looks.
  private var writes: SQLFragment { isWriting ? "true" : "false" }

  /// The objects of roles that are not trusted: tables with what inherits from them, what they call, what
  /// that calls, and tables whose triggers run when their rows are deleted with those of the store's.
  private var query: SQLFragment {
    let names = tables.map { name -> SQLFragment in
      "(\(SQLLiteral.text(name.schema.name))::name, \(SQLLiteral.text(name.name.name))::name)"
    }
    return """
      \(trusted.tables), tables (oid) AS (SELECT c.oid FROM pg_class c JOIN pg_namespace n \
      ON n.oid = c.relnamespace WHERE (n.nspname, c.relname) IN (\(names.joined(separator: ", "))) \
      AND c.relkind IN ('r', 'p', 'v', 'm', 'f') \
      UNION SELECT i.inhrelid FROM tables JOIN pg_inherits i ON i.inhparent = tables.oid), \
      used (class, id, owner, relation) AS (SELECT u.class::oid, u.id, u.owner, t.oid \
      FROM tables t CROSS JOIN LATERAL (\(ObjectUses.ofRelation("t"))) u \
      WHERE u.class <> 'pg_class'::regclass UNION SELECT u.class::oid, u.id, u.owner, used.relation \
      FROM used CROSS JOIN LATERAL (\(ObjectUses.ofObject("used"))) u \
      WHERE u.class <> 'pg_class'::regclass), \
      found (class, id, owner, relation) AS (SELECT 'pg_class'::regclass::oid, c.oid, c.relowner, \
      NULL::oid FROM tables t JOIN pg_class c ON c.oid = t.oid UNION SELECT * FROM used \
      UNION SELECT 'pg_class'::regclass::oid, c.oid, c.relowner, k.confrelid FROM tables t \
      JOIN pg_constraint k ON k.confrelid = t.oid AND k.contype = 'f' \
      AND (k.confdeltype IN ('c', 'n', 'd') OR k.confupdtype IN ('c', 'n', 'd')) \
      JOIN pg_class c ON c.oid = k.conrelid WHERE EXISTS (SELECT FROM pg_trigger g \
      WHERE g.tgrelid = c.oid AND NOT g.tgisinternal) \
      UNION SELECT 'pg_proc'::regclass::oid, p.oid, p.proowner, NULL \
      FROM pg_event_trigger e JOIN pg_proc p ON p.oid = e.evtfoid WHERE \(writes)) \
      SELECT pg_describe_object(f.class, f.id, 0) AS object, pg_get_userbyid(f.owner) AS owner, \
      pg_describe_object('pg_class'::regclass, f.relation, 0) AS user FROM found f \
      WHERE NOT \(trusted.include("f.owner")) ORDER BY f.relation IS NOT NULL, 1 LIMIT 20
      """
  }
}

extension StoreOwnership {
  /// The tables that a step reads or changes.
  init(of step: MigrationStep, in store: StoreIdentity) {
    let versions = [step.source, step.destination].compactMap(\.self).map(\.projection.schema)
    let own = versions.flatMap { schema in schema.tables.keys.map { schema.qualified($0) } }
    let retained = (step.droppedRetained.map(\.table) + step.retained.map(\.table))
      .map { QualifiedName(schema: store.schema, name: $0) }
    self.init(of: own + retained + step.lockedTables.map(\.name), in: store, isWriting: true)
  }
}
