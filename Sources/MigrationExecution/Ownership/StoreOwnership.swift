internal import MigrationPlanning
package import PostgresClient
package import SQLSyntax

/// Whether tables of a store, and all that is called when their rows are read or written, belong to roles
/// that are trusted: the owner of a table can run code with the rights of its users.
package struct StoreOwnership {
  let store: StoreIdentity
  let tables: [QualifiedName]
  /// Whether they are to be written to, which needs more trust than a look.
  let isWriting: Bool
  /// The tables whose dependent objects, such as views and functions, are dropped and created
  /// again.
  var remadeOn: Set<QualifiedName> = []
  /// Whether foreign keys from other tables to these are dropped and created again, by the server
  /// or by a step.
  var remakesReferences = false

  private var trusted: TrustedOwners { TrustedOwners(store: store, trustsSchemaOwners: !isWriting) }

  /// Creates a check.
  ///
  /// - Parameters:
  ///   - tables: The tables, as far as they exist.
  ///   - store: The store.
  ///   - isWriting: Whether they will be written.
  package init(of tables: some Sequence<QualifiedName>, in store: StoreIdentity, isWriting: Bool) {
    self.store = store
    self.tables = Set(tables).sorted()
    self.isWriting = isWriting
  }

  /// Checks that all of it belongs to roles that are trusted.
  package func check(_ connection: borrowing PostgresConnection) throws {
    guard isWriting || !tables.isEmpty else { return }
    // Most databases have no other owners, and to follow what uses what takes much longer.
    if try connection.query("\(trusted.tables) SELECT \(trusted.ownEverything)").value == "t" {
      return
    }
    // A thousand names are read faster as one value than as a thousand expressions.
    let isNamed: SQLFragment = """
      (n.nspname, c.relname) IN (SELECT (t ->> 0)::name, (t ->> 1)::name \
      FROM json_array_elements($1::json) t)
      """
    let names = JSONText.text(tables.map { [$0.schema.name, $0.name.name] })
    let foreign = try connection.query(query(where: isNamed), [names]).map { row in
      ForeignObject(row["object"], row["owner"], usedBy: row["user"])
    }
    guard foreign.isEmpty else {
      throw ExecutionError(.foreignObjects(schema: store.schema.name, foreign.different))
    }
  }

  /// The condition that there is an object of a role that is not trusted.
  var refusal: SQLFragment {
    "EXISTS (SELECT FROM (\(query(where: Self.isNamed(tables)))) AS other)"
  }

  /// Code that only DDL calls does not matter to a reader.
  private var writes: SQLFragment { isWriting ? "true" : "false" }

  /// The objects of untrusted roles: tables, all tables that their rows refer to, everything that
  /// these call, and everything that this calls and reads.
  ///
  /// A foreign key acts on another table with the rights of that table's owner, except for
  /// triggers, which run with the rights of the session: so such a table of another owner is only
  /// reported if it has triggers, or rules, which lead to other tables.
  private func query(where isNamed: SQLFragment) -> SQLFragment {
    """
    \(trusted.tables), named (id, owner) AS MATERIALIZED (SELECT c.oid, c.relowner \
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace \
    WHERE \(isNamed) AND c.relkind IN ('r', 'p', 'v', 'm', 'f')), \
    edges (source, target, refers) AS MATERIALIZED (\(edges))\(remadeDependents), \
    found (class, id, owner, refers, user_class, user_id) AS (\(remadeOn.isEmpty ? "" : typesOfRemade)\
    SELECT 'pg_class'::regclass::oid, id, owner, false, NULL::oid, NULL::oid FROM named UNION \
    SELECT reached.* FROM found f CROSS JOIN LATERAL (\(reached(from: "f"))) reached) \
    SELECT pg_describe_object(f.class, f.id, 0) AS object, pg_get_userbyid(f.owner) AS owner, \
    CASE WHEN bool_and(f.user_id IS NOT NULL) \
    THEN min(pg_describe_object(f.user_class, f.user_id, 0)) END AS user FROM (\
    SELECT * FROM found UNION ALL SELECT 'pg_proc'::regclass, p.oid, p.proowner, false, NULL, NULL \
    FROM pg_event_trigger e JOIN pg_proc p ON p.oid = e.evtfoid WHERE \(writes)) f \
    WHERE NOT \(trusted.include("f.owner")) AND \(isUsed("f")) \
    GROUP BY f.class, f.id, f.owner ORDER BY bool_and(f.user_id IS NOT NULL), 1 LIMIT 20
    """
  }

  /// The condition that relation `c` of schema `n` is one of some.
  private static func isNamed(_ tables: [QualifiedName]) -> SQLFragment {
    guard !tables.isEmpty else { return "false" }
    let names = tables.map { name -> SQLFragment in
      "(\(text: name.schema.name)::name, \(text: name.name.name)::name)"
    }
    return "(n.nspname, c.relname) IN (\(names.joined(separator: ", ")))"
  }

  /// The objects that a found object calls, reads or leads to, with the reason.
  private func reached(from found: SQLFragment) -> SQLFragment {
    let isRelation: SQLFragment = "\(found).class = 'pg_class'::regclass"
    return """
      SELECT 'pg_class'::regclass::oid, e.target, c.relowner, COALESCE(e.refers, \(found).refers), \
      \(found).class, \(found).id FROM edges e JOIN pg_class c ON c.oid = e.target \
      WHERE \(isRelation) AND e.source = \(found).id UNION ALL \
      SELECT u.class::oid, u.id, u.owner, false, \(found).class, \(found).id \
      FROM (SELECT \(found).id) r (oid) CROSS JOIN LATERAL (\(ObjectUses.ofRelation("r"))) u \
      WHERE \(isRelation) AND u.class <> 'pg_class'::regclass AND \(isUsed(found)) UNION ALL \
      SELECT u.class::oid, u.id, u.owner, false, \(found).class, \(found).id \
      FROM (\(ObjectUses.ofObject(found))) u WHERE NOT \(isRelation)
      """
  }

  /// The condition that an object is more than a table without code at the end of a foreign key.
  private func isUsed(_ found: SQLFragment) -> SQLFragment {
    """
    (NOT \(found).refers OR EXISTS (SELECT FROM pg_trigger g WHERE g.tgrelid = \(found).id \
    AND NOT g.tgisinternal) OR EXISTS (SELECT FROM pg_rewrite w WHERE w.ev_class = \(found).id) \
    OR \(trusted.include("\(found).owner")))
    """
  }

  /// The dependent objects of the tables that may be created again: views, rules, functions,
  /// checks, and policies that call them.
  private var remadeDependents: SQLFragment {
    guard !remadeOn.isEmpty else { return "" }
    return """
      , remade (class, id) AS (SELECT 'pg_class'::regclass::oid, c.oid \
      FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace \
      WHERE \(Self.isNamed(remadeOn.sorted())) UNION \
      SELECT user_of.* FROM remade r CROSS JOIN LATERAL (\
      SELECT d.classid, d.objid FROM pg_depend d WHERE d.refclassid = r.class \
      AND d.refobjid = r.id AND d.objsubid = 0 AND d.deptype IN ('n', 'a', 'i') UNION ALL \
      SELECT 'pg_class'::regclass, w.ev_class FROM pg_rewrite w \
      WHERE r.class = 'pg_rewrite'::regclass AND w.oid = r.id AND w.rulename = '_RETURN') user_of)
      """
  }

  /// The types in the definitions of objects that are created again.
  ///
  /// The server reads a literal of a domain, and of a type with a domain inside, when it reads the
  /// definition. Enumerations run no code. A check that is created again is applied to all rows of
  /// its table, so the objects that it calls are found with the table.
  private var typesOfRemade: SQLFragment {
    """
    SELECT d.refclassid, t.oid, t.typowner, false, d.classid, d.objid FROM remade r \
    JOIN pg_depend d ON d.classid = r.class AND d.objid = r.id \
    JOIN pg_type t ON d.refclassid = 'pg_type'::regclass AND t.oid = d.refobjid \
    LEFT JOIN pg_type m ON m.oid = t.typelem WHERE t.oid >= 16384 \
    AND COALESCE(m.typtype, t.typtype) <> 'e' AND r.class <> 'pg_class'::regclass \
    AND r.class <> 'pg_type'::regclass AND NOT EXISTS (SELECT FROM pg_proc p \
    WHERE r.class = 'pg_proc'::regclass AND p.oid = r.id AND p.pronargdefaults = 0 \
    AND p.prosqlbody IS NULL) UNION \
    SELECT 'pg_class'::regclass, c.oid, c.relowner, false, r.class, r.id FROM remade r \
    JOIN pg_constraint k ON r.class = 'pg_constraint'::regclass AND k.oid = r.id \
    AND k.contype = 'c' JOIN pg_class c ON c.oid = k.conrelid \
    WHERE k.conrelid NOT IN (SELECT id FROM named) UNION 
    """
  }

  /// The relations to which a statement on another one leads: those that inherit from it, those
  /// that its rules and policies name, those with foreign keys that change their rows, and those
  /// whose rows are compared when such a key is created again.
  private var edges: SQLFragment {
    let named: [(catalog: SQLFragment, relation: SQLFragment)] = [
      ("pg_rewrite", "ev_class"), ("pg_policy", "polrelid"),
    ]
    let byName = named.map { catalog, relation -> SQLFragment in
      """
      UNION ALL SELECT p.\(relation), d.refobjid, false FROM \(catalog) p JOIN pg_depend d \
      ON d.classid = '\(catalog)'::regclass AND d.objid = p.oid \
      WHERE d.refclassid = 'pg_class'::regclass AND d.refobjid >= 16384 \
      AND d.refobjid <> p.\(relation)
      """
    }
    return """
      SELECT i.inhparent, i.inhrelid, NULL::boolean FROM pg_inherits i \
      \(byName.joined(separator: " ")) UNION ALL SELECT k.confrelid, k.conrelid, true \
      FROM pg_constraint k WHERE \(writes) AND k.contype = 'f' \
      AND (k.confdeltype IN ('c', 'n', 'd') OR k.confupdtype IN ('c', 'n', 'd')) \
      UNION ALL SELECT k.confrelid, k.conrelid, false FROM pg_constraint k \
      WHERE \(remakesReferences ? "true" as SQLFragment : "false") AND k.contype = 'f' \
      AND k.confrelid IN (SELECT id FROM named)
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
    let remade = step.tablesOfRemadeDependents.map { QualifiedName(schema: store.schema, name: $0) }
    // An object that is created again may name none of the tables itself.
    remadeOn = remade.isEmpty && step.remakesOtherDependents ? Set(tables) : Set(remade)
    remakesReferences =
      step.changesKeys
      || step.remadeDependents.contains { $0.attachedTable == nil && $0.kind == .constraint }
  }
}
