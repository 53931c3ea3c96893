internal import MigrationPlanning
internal import PostgresClient
internal import SQLSyntax

/// Queries `pg_depend` for direct and indirect users of a store's tables.
struct DependencyQuery {
  private let objects: StoreObjects

  init(_ objects: StoreObjects) {
    self.objects = objects
  }

  /// One use of something by something that is not of the store.
  struct Dependency {
    let user: CatalogAddress
    /// The kind of the user, as `pg_identify_object` names it.
    let type: String
    let identity: String
    /// The table of the store that the user is a part of.
    let attachedTable: SQLIdentifier?
    let usage: Usage
  }

  /// A used object.
  enum Usage {
    case store(DependentObject.Usage)
    case dependent(CatalogAddress)
  }

  /// Returns all dependencies, those of one user together, users in the order of their names.
  func dependencies(_ connection: borrowing PostgresConnection) throws -> [Dependency] {
    let parts = objects.parts.sorted { ($0.table, $0.name) < ($1.table, $1.name) }
    let generated = objects.generatedColumns.sorted { ($0.table, $0.name) < ($1.table, $1.name) }
    let parameters: [String?] = [
      objects.schema.name,
      JSONText.text(objects.tables.sorted().map(\.name)),
      JSONText.text(parts.map(\.table.name)),
      JSONText.text(parts.map(\.name.name)),
      JSONText.text(generated.map(\.table.name)),
      JSONText.text(generated.map(\.name.name)),
      JSONText.text(
        objects.interfaceSchemas.map(\.name).sorted()
          + [objects.stagingSchema?.name].compactMap(\.self)
      ),
    ]
    return try connection.query(Self.query, parameters).compactMap(Self.dependency)
  }

  private static func dependency(_ row: QueryResult.Row) -> Dependency? {
    guard let user = CatalogAddress(row, "user"), let type = row["type"],
      let identity = row["identity"]
    else { return nil }
    let usage: Usage
    if let table = row["used_table"].map({ SQLIdentifier($0) }) {
      let name = row["used_name"].map { SQLIdentifier($0) }
      switch (row["used_as"], name) {
      case ("column", let name?): usage = .store(.column(table, name))
      case ("part", let name?): usage = .store(.part(table, name))
      case ("row type", _): usage = .store(.rowType(table))
      default: usage = .store(.table(table))  // The server's words are text.
      }
    } else if let used = CatalogAddress(row, "used") {
      usage = .dependent(used)
    } else {
      return nil
    }
    return Dependency(
      user: user,
      type: type,
      identity: identity,
      attachedTable: row["attached_table"].map { SQLIdentifier($0) },
      usage: usage
    )
  }

  /// The query over `pg_depend`.
  ///
  /// In `edge`, all parts of a view (its rule, its row type, its defaults, its indexes) count as
  /// the view itself. `reached` contains the objects along the edges. Only these are identified,
  /// which takes the server 50 us each.
  private static let query: SQLFragment = """
    WITH RECURSIVE ours AS MATERIALIZED (
      SELECT c.oid, c.relname FROM pg_class c
      WHERE c.relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = $1) AND c.relkind IN ('r', 'p')
      AND c.relname IN (SELECT e::name FROM json_array_elements_text($2::json) AS e)
    ), leaf (oid) AS (
      SELECT i.inhrelid FROM ours JOIN pg_inherits i ON i.inhparent = ours.oid
      JOIN pg_class c ON c.oid = i.inhrelid AND c.relispartition
      UNION SELECT i.inhrelid FROM leaf JOIN pg_inherits i ON i.inhparent = leaf.oid
    ), own AS MATERIALIZED (
      SELECT * FROM ROWS FROM (json_array_elements_text($3::json), json_array_elements_text($4::json))
      AS p (table_name, name)
    ), generated AS MATERIALIZED (
      SELECT * FROM ROWS FROM (json_array_elements_text($5::json), json_array_elements_text($6::json))
      AS g (table_name, name)
    ), edge AS NOT MATERIALIZED (
      SELECT d.refclassid, d.refobjid, d.refobjsubid, d.deptype,
        CASE WHEN v.oid IS NULL THEN d.classid ELSE 'pg_class'::regclass::oid END AS classid,
        coalesce(v.oid, d.objid) AS objid,
        CASE WHEN v.oid IS NULL THEN d.objsubid ELSE 0 END AS objsubid
      FROM pg_depend d
      LEFT JOIN pg_rewrite w ON d.classid = 'pg_rewrite'::regclass AND w.oid = d.objid \
    AND w.rulename = '_RETURN'
      LEFT JOIN pg_attrdef f ON d.classid = 'pg_attrdef'::regclass AND f.oid = d.objid
      LEFT JOIN pg_index i ON d.classid = 'pg_class'::regclass AND i.indexrelid = d.objid
      LEFT JOIN pg_class v ON v.relkind IN ('v', 'm') AND v.oid = coalesce(w.ev_class, f.adrelid, \
    i.indrelid, CASE WHEN d.classid = 'pg_class'::regclass THEN d.objid END)
      WHERE d.deptype IN ('n', 'a', 'i')
    ), reached (classid, objid, objsubid) AS (
      SELECT 'pg_class'::regclass::oid, oid, 0 FROM ours
      UNION
      SELECT e.classid, e.objid, e.objsubid FROM reached r
      JOIN edge e ON e.refclassid = r.classid AND e.refobjid = r.objid WHERE r.objsubid = 0
      AND NOT (e.classid = 'pg_class'::regclass AND e.objid IN (SELECT oid FROM leaf))
    ), found AS MATERIALIZED (
    SELECT DISTINCT e.classid AS user_class, e.objid AS user_id, e.objsubid AS user_column, \
    at.relname AS attached_table,
      CASE WHEN t.oid IS NULL THEN NULL WHEN r.classid = 'pg_type'::regclass THEN 'row type'
        WHEN k.oid IS NOT NULL OR x.indexrelid IS NOT NULL OR s.objid IS NOT NULL THEN 'part'
        WHEN e.refobjsubid > 0 THEN 'column' ELSE 'table' END AS used_as,
      t.relname AS used_table, coalesce(k.conname, q.relname, c.attname) AS used_name,
      CASE WHEN t.oid IS NULL THEN CASE WHEN y.typrelid IS NULL THEN r.classid \
    ELSE 'pg_class'::regclass::oid END END AS used_class,
      CASE WHEN t.oid IS NULL THEN coalesce(y.typrelid, r.objid) END AS used_id, 0 AS used_column
    FROM reached r
    JOIN edge e ON e.refclassid = r.classid AND e.refobjid = r.objid AND r.objsubid = 0
    LEFT JOIN LATERAL (
      SELECT coalesce(nullif(z.typrelid, 0), a.typrelid) AS typrelid FROM pg_type z
      LEFT JOIN pg_type a ON a.oid = z.typelem AND z.typcategory = 'A'
      WHERE r.classid = 'pg_type'::regclass AND z.oid = r.objid
    ) y ON y.typrelid > 0
    LEFT JOIN pg_constraint k ON r.classid = 'pg_constraint'::regclass AND k.oid = r.objid
    LEFT JOIN pg_index x ON r.classid = 'pg_class'::regclass AND x.indexrelid = r.objid
    LEFT JOIN pg_depend s ON r.classid = 'pg_class'::regclass AND s.classid = r.classid \
    AND s.objid = r.objid AND s.refclassid = r.classid AND s.deptype IN ('a', 'i') \
    AND s.refobjsubid > 0 AND x.indexrelid IS NULL
    LEFT JOIN pg_class q ON q.oid = coalesce(x.indexrelid, s.objid)
    LEFT JOIN pg_class t ON t.oid = coalesce(y.typrelid, k.conrelid, x.indrelid, s.refobjid, \
    CASE WHEN r.classid = 'pg_class'::regclass THEN r.objid END) AND (t.oid IN (SELECT oid FROM ours)) IS TRUE
    LEFT JOIN pg_attribute c ON t.oid = r.objid AND r.classid = 'pg_class'::regclass \
    AND e.refobjsubid > 0 AND c.attrelid = r.objid AND c.attnum = e.refobjsubid
    LEFT JOIN pg_constraint uk ON e.classid = 'pg_constraint'::regclass AND uk.oid = e.objid
    LEFT JOIN pg_index ui ON e.classid = 'pg_class'::regclass AND ui.indexrelid = e.objid
    LEFT JOIN pg_trigger ug ON e.classid = 'pg_trigger'::regclass AND ug.oid = e.objid
    LEFT JOIN pg_proc ugf ON ugf.oid = ug.tgfoid
    LEFT JOIN pg_attrdef ud ON e.classid = 'pg_attrdef'::regclass AND ud.oid = e.objid
    LEFT JOIN pg_policy up ON e.classid = 'pg_policy'::regclass AND up.oid = e.objid
    LEFT JOIN pg_rewrite ur ON e.classid = 'pg_rewrite'::regclass AND ur.oid = e.objid
    LEFT JOIN pg_publication_rel ub ON e.classid = 'pg_publication_rel'::regclass AND ub.oid = e.objid
    LEFT JOIN pg_statistic_ext us ON e.classid = 'pg_statistic_ext'::regclass AND us.oid = e.objid
    LEFT JOIN pg_class uc ON e.classid = 'pg_class'::regclass AND uc.oid = e.objid
    LEFT JOIN pg_depend uq ON uc.relkind = 'S' AND uq.classid = e.classid AND uq.objid = e.objid \
    AND uq.refclassid = e.classid AND uq.deptype IN ('a', 'i')
    LEFT JOIN pg_class at ON at.oid = coalesce(uk.conrelid, ui.indrelid, ug.tgrelid, ud.adrelid, \
    up.polrelid, ur.ev_class, ub.prrelid, us.stxrelid, uq.refobjid, \
    CASE WHEN e.objsubid > 0 THEN uc.oid END) AND (at.oid IN (SELECT oid FROM ours)) IS TRUE
    WHERE (e.classid, e.objid) <> (r.classid, r.objid)
    AND (e.classid, e.objid) <> (coalesce(CASE WHEN y.typrelid IS NOT NULL \
    THEN 'pg_class'::regclass::oid END, r.classid), coalesce(y.typrelid, r.objid))
    AND NOT (e.classid = 'pg_type'::regclass AND e.deptype = 'i')
    AND coalesce(uc.relnamespace <> 'pg_toast'::regnamespace, true)
    AND coalesce(uk.conparentid, 0) = 0 AND NOT coalesce(ug.tgisinternal, false) AND coalesce(uk.contype, 'c') NOT IN ('n', 't')
    AND NOT (ud.oid IS NOT NULL AND (ud.adrelid, ud.adnum) = (e.refobjid, e.refobjsubid))
    AND NOT coalesce(coalesce(ugf.pronamespace, uc.relnamespace) IN (SELECT oid FROM pg_namespace \
    WHERE nspname IN (SELECT e::name FROM json_array_elements_text($7::json) AS e)), false)
    AND NOT EXISTS (SELECT FROM own WHERE own.table_name = at.relname \
    AND own.name IN (uk.conname, ug.tgname, uc.relname) AND e.objsubid = 0)
    AND NOT EXISTS (SELECT FROM generated JOIN pg_attribute ua ON ua.attname = generated.name \
    WHERE generated.table_name = at.relname AND ua.attrelid = ud.adrelid AND ua.attnum = ud.adnum)
    AND coalesce(uk.conrelid, ui.indrelid, ug.tgrelid, ud.adrelid, up.polrelid, ub.prrelid, us.stxrelid, \
    uq.refobjid, uc.oid, 0) NOT IN (SELECT oid FROM leaf)
    AND NOT EXISTS (SELECT FROM ours WHERE ours.oid = e.objid AND e.objsubid = 0 \
    AND e.classid = 'pg_class'::regclass)
    )
    SELECT found.*, o.type, o.identity FROM found \
    CROSS JOIN LATERAL pg_identify_object(user_class, user_id, user_column) o
    ORDER BY o.identity COLLATE "C", user_class, user_id, user_column
    """
}

/// The address of an object in the catalog.
struct CatalogAddress: Hashable {
  let classID: Int
  let objectID: Int
  let column: Int

  /// Reads an address from three columns whose names begin alike.
  fileprivate init?(_ row: QueryResult.Row, _ prefix: String) {
    guard let classID = row.integer("\(prefix)_class"), let objectID = row.integer("\(prefix)_id")
    else { return nil }
    self.classID = classID
    self.objectID = objectID
    column = row.integer("\(prefix)_column") ?? 0
  }
}
