internal import SQLSyntax

/// A view or a materialized view.
struct ViewDefinition: DependentDefinition {
  let circumstances: ObjectCircumstances
  let schema: String
  let name: String
  let isMaterialized: Bool
  let isPopulated: Bool
  let definition: String
  let options: [StorageParameterSetting]?
  let toastOptions: [StorageParameterSetting]?
  let accessMethod: String?
  let tablespace: String?
  let hasReplicaIdentity: Bool
  let privileges: ObjectGrants
  let columns: [ViewColumn]?
  let indexes: [ViewIndex]?

  private var qualifiedName: QualifiedName {
    QualifiedName(schema: SQLIdentifier(schema), name: SQLIdentifier(name))
  }

  private var target: SQLFragment {
    isMaterialized ? "MATERIALIZED VIEW \(qualifiedName)" : "VIEW \(qualifiedName)"
  }

  var drop: SQLFragment { "DROP \(target)" }

  /// A materialized view is filled last, in the name of its owner.
  var create: [SQLFragment] {
    var statements = [creation]
    statements += circumstances.ownerStatements(target)
    for column in columns ?? [] { statements += column.settingStatements(target) }
    for index in indexes ?? [] { statements += index.statements(target) }
    statements += privileges.statements("TABLE \(qualifiedName)", owner: circumstances.owner)
    for column in columns ?? [] { statements += column.openingStatements(qualifiedName) }
    statements += circumstances.commentStatements(target)
    if scansTables { statements.append("REFRESH \(target)") }
    return statements
  }

  private var creation: SQLFragment {
    let body = SQLFragment(deparsedStatement: definition)
    var settings: SQLFragment = ""
    if isMaterialized, let accessMethod {
      settings.append(" USING \(SQLIdentifier(accessMethod))")
    }
    let parameters =
      (options ?? []).documented(for: isMaterialized ? .materializedView : .view).map(\.setting)
      + (toastOptions ?? []).documented(for: .toastTable).map(\.toastSetting)
    if !parameters.isEmpty { settings.append(" WITH (\(parameters.joined(separator: ", ")))") }
    if let tablespace { settings.append(" TABLESPACE \(SQLIdentifier(tablespace))") }
    let end: SQLFragment = isMaterialized ? "\nWITH NO DATA" : ""
    return "CREATE \(target)\(settings) AS\n\(body)\(end)"
  }

  var scansTables: Bool { isMaterialized && isPopulated }

  var obstacle: String? {
    if hasReplicaIdentity { return "It has a replica identity." }
    let grants = (privileges.grants ?? []) + (columns ?? []).flatMap { $0.grants ?? [] }
    return ObjectGrants.obstacle(grants, owner: circumstances.owner)
  }

  var unrecognizedParameters: [String] {
    (options ?? []).unrecognized(for: isMaterialized ? .materializedView : .view)
      + (toastOptions ?? []).unrecognized(for: .toastTable)
      + (columns ?? []).flatMap(\.unrecognizedParameters)
      + (indexes ?? []).flatMap(\.unrecognizedParameters)
  }

  static let query: SQLFragment = """
    SELECT json_build_object('circumstances', \(ObjectCircumstances.json(
      of: "pg_class", "c", owner: "c.relowner", schema: "c.relnamespace")), \
    'schema', n.nspname, 'name', c.relname, 'isMaterialized', c.relkind = 'm', \
    'isPopulated', c.relispopulated, 'definition', pg_get_viewdef(c.oid), \
    'options', \(StorageParameterSetting.json("c.reloptions")), 'toastOptions', \(StorageParameterSetting.json("o.reloptions")), \
    'accessMethod', m.amname, 'tablespace', s.spcname, \
    'hasReplicaIdentity', c.relkind = 'm' AND c.relreplident <> 'd' AND c.relreplident <> 'n', \
    'privileges', \(ObjectGrants.json(
      "c.relacl", kind: .text("r"), owner: "c.relowner", schema: "c.relnamespace")), \
    'columns', \(ViewColumn.json), 'indexes', \(ViewIndex.json)) \
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace \
    LEFT JOIN pg_class o ON o.oid = c.reltoastrelid LEFT JOIN pg_am m ON m.oid = c.relam \
    LEFT JOIN pg_tablespace s ON s.oid = c.reltablespace WHERE \(SQLFragment.isAskedFor("c"))
    """
}
