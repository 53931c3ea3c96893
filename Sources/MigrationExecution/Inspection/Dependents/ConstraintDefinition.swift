internal import MigrationPlanning
internal import SQLSyntax

/// A constraint of a table.
struct ConstraintDefinition: DependentDefinition {
  let circumstances: ObjectCircumstances
  let name: String
  let table: RelationName
  let definition: String
  let scansTables: Bool
  /// Whether it is a part of a constraint of another table.
  let isInherited: Bool
  /// The marks of its index; `nil` if it has no index.
  let marks: IndexMarks?

  var partName: String? { name }

  var drop: SQLFragment { "ALTER TABLE \(table.qualified) DROP CONSTRAINT \(SQLIdentifier(name))" }

  var create: [SQLFragment] {
    let identifier = SQLIdentifier(name)
    let clause = SQLFragment(deparsed: definition)
    return ["ALTER TABLE \(table.qualified) ADD CONSTRAINT \(identifier) \(clause)"]
      + (marks?.statements(identifier, of: table) ?? [])
      + circumstances.commentStatements("CONSTRAINT \(identifier) ON \(table.qualified)")
  }

  var obstacle: String? { isInherited ? "It belongs to a partition, or is inherited." : nil }

  static let query: SQLFragment = """
    SELECT json_build_object('circumstances', \(ObjectCircumstances.json(
      of: "pg_constraint", "k", owner: "t.relowner")), \
    'name', k.conname, 'table', \(RelationName.json), 'definition', pg_get_constraintdef(k.oid), \
    'scansTables', k.convalidated, \
    'isInherited', k.conparentid <> 0 OR k.coninhcount > 0 OR t.relkind NOT IN ('r', 'p'), \
    'marks', CASE WHEN x.indexrelid IS NOT NULL THEN \(IndexMarks.json) END) \
    FROM pg_constraint k JOIN pg_class t ON t.oid = k.conrelid \
    JOIN pg_namespace n ON n.oid = t.relnamespace \
    LEFT JOIN pg_index x ON x.indexrelid = k.conindid AND x.indrelid = k.conrelid \
    AND k.contype <> 'f' \
    WHERE \(SQLFragment.isAskedFor("k"))
    """
}

/// An index of a table that no constraint has.
struct IndexDefinition: DependentDefinition {
  let circumstances: ObjectCircumstances
  let name: String
  let table: RelationName
  let index: ViewIndex
  let isUnique: Bool
  /// The beginning of the definition, up to the columns.
  let head: String

  var partName: String? { name }
  var scansTables: Bool { true }

  var unrecognizedParameters: [String] { index.unrecognizedParameters }

  var drop: SQLFragment {
    "DROP INDEX \(QualifiedName(schema: SQLIdentifier(table.schema), name: SQLIdentifier(name)))"
  }

  var create: [SQLFragment] { statements(index, of: table.qualified) }

  func earlyCreation(in schema: SQLIdentifier) -> DependentObject.EarlyCreation? {
    guard let rest = index.documentedDefinition.part(after: head) else { return nil }
    let identifier = SQLIdentifier(name)
    let owner = QualifiedName(schema: schema, name: SQLIdentifier(table.name))
    let kind: SQLFragment = isUnique ? "UNIQUE INDEX" : "INDEX"
    let definition: SQLFragment =
      "CREATE \(kind) \(identifier) ON \(owner) \(SQLFragment(deparsedStatement: rest))"
    return DependentObject.EarlyCreation(
      create: statements(index.moved(to: schema, definition), of: owner),
      drop: ["DROP INDEX \(QualifiedName(schema: schema, name: identifier))"],
      isUnique: isUnique
    )
  }

  private func statements(_ index: ViewIndex, of table: QualifiedName) -> [SQLFragment] {
    var statements = index.statements("TABLE \(table)")
    if index.isReplicaIdentity {
      statements.append("ALTER TABLE \(table) REPLICA IDENTITY USING INDEX \(SQLIdentifier(name))")
    }
    return statements
  }

  static let query: SQLFragment = """
    SELECT json_build_object('circumstances', \(ObjectCircumstances.json(
      of: "pg_class", "i", owner: "i.relowner", schema: "i.relnamespace")), \
    'name', i.relname, 'table', \(RelationName.json), 'index', \(ViewIndex.object), \
    'isUnique', x.indisunique, 'head', format('CREATE %sINDEX %I ON %I.%I ', \
    CASE WHEN x.indisunique THEN 'UNIQUE ' END, i.relname, n.nspname, t.relname)) \
    FROM pg_class i JOIN pg_index x ON x.indexrelid = i.oid JOIN pg_class t ON t.oid = x.indrelid \
    JOIN pg_namespace n ON n.oid = t.relnamespace JOIN pg_am ia ON ia.oid = i.relam \
    LEFT JOIN pg_tablespace p ON p.oid = i.reltablespace WHERE \(SQLFragment.isAskedFor("i")) \
    AND NOT EXISTS (SELECT FROM pg_constraint k WHERE k.conindid = i.oid AND k.conrelid = t.oid \
    AND k.contype IN ('p', 'u', 'x'))
    """
}

/// A table's uses of the index of a constraint.
struct IndexMarks: Decodable {
  let isClustered: Bool
  let isReplicaIdentity: Bool

  /// Returns the statements that make a table use an index in this way.
  func statements(_ index: SQLIdentifier, of table: RelationName) -> [SQLFragment] {
    var statements: [SQLFragment] = []
    if isClustered { statements.append("ALTER TABLE \(table.qualified) CLUSTER ON \(index)") }
    if isReplicaIdentity {
      statements.append("ALTER TABLE \(table.qualified) REPLICA IDENTITY USING INDEX \(index)")
    }
    return statements
  }

  /// The JSON object of the index `x`.
  static let json: SQLFragment = """
    json_build_object('isClustered', x.indisclustered, 'isReplicaIdentity', x.indisreplident)
    """
}
