internal import MigrationPlanning
internal import SQLSyntax

/// Extended statistics.
struct StatisticsDefinition: DependentDefinition {
  let circumstances: ObjectCircumstances
  let schema: String
  let name: String
  let definition: String
  let target: Int?
  let table: RelationName
  /// The beginning of the definition, up to the name.
  let head: String
  /// The end of the definition, with the columns and the table.
  let tail: String

  private var object: SQLFragment { object(in: SQLIdentifier(schema)) }

  private func object(in schema: SQLIdentifier) -> SQLFragment {
    "STATISTICS \(QualifiedName(schema: schema, name: SQLIdentifier(name)))"
  }

  var drop: SQLFragment { "DROP \(object)" }

  var create: [SQLFragment] {
    [SQLFragment(deparsedStatement: definition)] + targetStatements(object) + ownStatements
  }

  func earlyCreation(in schema: SQLIdentifier) -> DependentObject.EarlyCreation? {
    // Statistics of several schemas could get the same name in a single one.
    guard self.schema == table.schema, let columns = definition.part(after: head, before: tail)
    else { return nil }
    let early = object(in: schema)
    let owner = QualifiedName(schema: schema, name: SQLIdentifier(table.name))
    return DependentObject.EarlyCreation(
      create: [
        "CREATE \(early)\(SQLFragment(deparsed: columns)) FROM \(owner)"
      ] + targetStatements(early) + ["ANALYZE \(owner)"],
      drop: ["DROP \(early)"],
      install: ["ALTER \(early) SET SCHEMA \(SQLIdentifier(self.schema))"] + ownStatements
    )
  }

  private func targetStatements(_ object: SQLFragment) -> [SQLFragment] {
    target.map { ["ALTER \(object) SET STATISTICS \($0)"] } ?? []
  }

  /// The statements for the owner and the comment.
  private var ownStatements: [SQLFragment] {
    circumstances.ownerStatements(object) + circumstances.commentStatements(object)
  }

  static let query: SQLFragment = """
    SELECT json_build_object('circumstances', \(ObjectCircumstances.json(
      of: "pg_statistic_ext", "s", owner: "s.stxowner", schema: "s.stxnamespace")), \
    'schema', n.nspname, 'name', s.stxname, 'definition', pg_get_statisticsobjdef(s.oid), \
    'target', nullif(s.stxstattarget, -1), \
    'table', json_build_object('schema', m.nspname, 'name', t.relname), \
    'head', format('CREATE STATISTICS %I.%I', n.nspname, s.stxname), \
    'tail', format(' FROM %I.%I', m.nspname, t.relname)) \
    FROM pg_statistic_ext s JOIN pg_namespace n ON n.oid = s.stxnamespace \
    JOIN pg_class t ON t.oid = s.stxrelid JOIN pg_namespace m ON m.oid = t.relnamespace \
    WHERE \(SQLFragment.isAskedFor("s"))
    """
}

/// A table in a publication, with the columns and rows of it that are published.
struct PublicationTableDefinition: DependentDefinition {
  let circumstances: ObjectCircumstances
  let publication: String
  let table: RelationName
  let columns: [String]?
  let condition: String?

  var drop: SQLFragment {
    "ALTER PUBLICATION \(SQLIdentifier(publication)) DROP TABLE ONLY \(table.qualified)"
  }

  var create: [SQLFragment] {
    var statement: SQLFragment =
      "ALTER PUBLICATION \(SQLIdentifier(publication)) ADD TABLE ONLY \(table.qualified)"
    if let columns { statement.append(" (\(columns.map { SQLIdentifier($0) }))") }
    if let condition { statement.append(" WHERE (\(SQLFragment(deparsed: condition)))") }
    return [statement]
  }

  static let query: SQLFragment = """
    SELECT json_build_object('circumstances', \(ObjectCircumstances.json(
      of: "pg_publication_rel", "r", owner: "p.pubowner")), \
    'publication', p.pubname, 'table', \(RelationName.json), \
    'columns', (SELECT json_agg(a.attname ORDER BY k.number) \
    FROM unnest(r.prattrs) WITH ORDINALITY AS k (column_number, number) \
    JOIN pg_attribute a ON a.attrelid = r.prrelid AND a.attnum = k.column_number), \
    'condition', pg_get_expr(r.prqual, r.prrelid)) \
    FROM pg_publication_rel r JOIN pg_publication p ON p.oid = r.prpubid \
    JOIN pg_class t ON t.oid = r.prrelid JOIN pg_namespace n ON n.oid = t.relnamespace \
    WHERE \(SQLFragment.isAskedFor("r"))
    """
}
