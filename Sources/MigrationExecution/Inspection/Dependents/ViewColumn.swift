internal import SQLSyntax

/// The settings of a view's column that are outside of the view's definition, or of a table's
/// column that are outside of a model.
struct ViewColumn: Decodable {
  let name: String
  let comment: String?
  let defaultExpression: String?
  let grants: [ObjectGrants.Grant]?
  let statistics: Int?
  /// The storage of values, if it is not the type's default.
  let storage: String?
  let compression: String?
  let options: [StorageParameterSetting]?

  var identifier: SQLIdentifier { SQLIdentifier(name) }

  /// Returns the statements for the column's settings.
  func settingStatements(_ view: SQLFragment) -> [SQLFragment] {
    var clauses = storageClauses.map(\.set)
    if let defaultExpression {
      clauses.insert("SET DEFAULT \(SQLFragment(deparsed: defaultExpression))", at: 0)
    }
    return clauses.map { "ALTER \(view) ALTER COLUMN \(identifier) \($0)" }
  }

  /// The clauses after `ALTER COLUMN` for storage and statistics of values, each with its inverse
  /// if there is one.
  var storageClauses: [(set: SQLFragment, reset: SQLFragment?)] {
    var clauses: [(set: SQLFragment, reset: SQLFragment?)] = []
    if let statistics {
      let number = SQLLiteral.integer(Int64(statistics))
      clauses.append(("SET STATISTICS \(number)", "SET STATISTICS -1"))
    }
    if let storage { clauses.append(("SET STORAGE \(SQLFragment(deparsed: storage))", nil)) }
    if let compression {
      clauses.append(
        ("SET COMPRESSION \(SQLFragment(deparsed: compression))", "SET COMPRESSION default")
      )
    }
    let options = (options ?? []).documented(for: .column)
    if !options.isEmpty {
      clauses.append(
        (
          "SET (\(options.map(\.setting).joined(separator: ", ")))",
          "RESET (\(options.map { SQLIdentifier($0.name) }))"
        )
      )
    }
    return clauses
  }

  var unrecognizedParameters: [String] { (options ?? []).unrecognized(for: .column) }

  /// Returns the statements for the privileges and the comment of the column.
  func openingStatements(_ view: QualifiedName) -> [SQLFragment] {
    ObjectGrants.statements(grants ?? [], "TABLE \(view)", columns: [identifier])
      + ObjectCircumstances.commentStatements(comment, "COLUMN \(view).\(identifier)")
  }

  /// The JSON array of the columns of the relation `c`.
  static let json: SQLFragment = """
    (SELECT json_agg(json_strip_nulls(json_build_object('name', a.attname, \
    'comment', col_description(c.oid, a.attnum), \
    'defaultExpression', pg_get_expr(d.adbin, d.adrelid), \
    'grants', \(ObjectGrants.grants("a.attacl")), \
    'statistics', nullif(a.attstattarget, -1), \
    'storage', CASE WHEN c.relkind IN ('m', 'r') AND a.attstorage <> t.typstorage THEN CASE a.attstorage \
    WHEN 'p' THEN 'PLAIN' WHEN 'e' THEN 'EXTERNAL' WHEN 'm' THEN 'MAIN' ELSE 'EXTENDED' END END, \
    'compression', CASE a.attcompression WHEN 'p' THEN 'pglz' WHEN 'l' THEN 'lz4' END, \
    'options', \(StorageParameterSetting.json("a.attoptions")))) ORDER BY a.attnum) \
    FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid \
    LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum \
    WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped)
    """
}

/// An index of a materialized view, or of a table.
struct ViewIndex: Decodable {
  let schema: String
  let name: String
  /// The statement that creates it, with all its parameters.
  let definition: String
  let method: String
  let options: [StorageParameterSetting]?
  let tablespace: String?
  let isClustered: Bool
  let isReplicaIdentity: Bool
  let comment: String?
  /// The statistics targets of its expressions, by their positions.
  let statistics: [Target]?

  /// The statistics target of a column.
  struct Target: Decodable {
    let position: Int
    let target: Int
  }

  /// Returns the index as one of a table in another schema.
  func moved(to schema: SQLIdentifier, _ definition: SQLFragment) -> ViewIndex {
    ViewIndex(
      schema: schema.name,
      name: name,
      definition: definition.text,
      method: method,
      options: options,
      tablespace: tablespace,
      isClustered: isClustered,
      isReplicaIdentity: isReplicaIdentity,
      comment: comment,
      statistics: statistics
    )
  }

  /// The statement that creates it, with documented parameters only.
  var documentedDefinition: String {
    let options = options ?? []
    let documented = options.documented(for: .index(method: method))
    guard documented.count < options.count else { return definition }
    return definition.replacing(
      options.definitionClause,
      with: documented.definitionClause,
      maxReplacements: 1
    )
  }

  var unrecognizedParameters: [String] {
    (options ?? []).unrecognized(for: .index(method: method))
  }

  /// Returns the statements that create the index.
  func statements(_ view: SQLFragment) -> [SQLFragment] {
    let index = QualifiedName(schema: SQLIdentifier(schema), name: SQLIdentifier(name))
    var statements = [SQLFragment(deparsedStatement: documentedDefinition)]
    if let tablespace {
      statements.append("ALTER INDEX \(index) SET TABLESPACE \(SQLIdentifier(tablespace))")
    }
    for target in statistics ?? [] {
      let position = SQLLiteral.integer(Int64(target.position))
      let number = SQLLiteral.integer(Int64(target.target))
      statements.append("ALTER INDEX \(index) ALTER COLUMN \(position) SET STATISTICS \(number)")
    }
    if isClustered { statements.append("ALTER \(view) CLUSTER ON \(SQLIdentifier(name))") }
    return statements + ObjectCircumstances.commentStatements(comment, "INDEX \(index)")
  }

  /// The JSON array of the indexes of the relation `c`.
  static let json: SQLFragment = """
    (SELECT json_agg(\(object) ORDER BY i.relname) \
    FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid JOIN pg_am ia ON ia.oid = i.relam \
    LEFT JOIN pg_tablespace p ON p.oid = i.reltablespace WHERE x.indrelid = c.oid)
    """

  /// The JSON object of the index `i` that `x` describes, of the access method `ia`, in the schema
  /// `n` and the tablespace `p`.
  static let object: SQLFragment = """
    json_build_object('schema', n.nspname, 'name', i.relname, \
    'definition', CASE i.relkind WHEN 'I' \
    THEN regexp_replace(pg_get_indexdef(i.oid), ' ON ONLY ', ' ON ') ELSE pg_get_indexdef(i.oid) END, 'method', ia.amname, \
    'options', \(StorageParameterSetting.json("i.reloptions")), 'tablespace', p.spcname, 'isClustered', x.indisclustered, \
    'isReplicaIdentity', x.indisreplident, \
    'comment', obj_description(i.oid, 'pg_class'), 'statistics', (SELECT json_agg(\
    json_build_object('position', a.attnum, 'target', a.attstattarget) ORDER BY a.attnum) \
    FROM pg_attribute a WHERE a.attrelid = i.oid AND a.attstattarget >= 0 \
    AND x.indkey[a.attnum - 1] = 0))
    """
}
