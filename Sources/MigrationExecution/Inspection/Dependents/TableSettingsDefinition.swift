internal import MigrationPlanning
internal import PostgresClient
internal import SQLSyntax

/// The catalog's settings of a store's table that are outside of the model.
struct TableSettingsDefinition: Decodable {
  let circumstances: ObjectCircumstances
  let name: String
  let privileges: ObjectGrants
  let columns: [ViewColumn]?
  let indexes: [Index]?
  let constraints: [Comment]?
  let sequences: [Sequence]?
  let options: [StorageParameterSetting]?
  let toastOptions: [StorageParameterSetting]?
  let accessMethod: String?
  let tablespace: String?
  let isUnlogged: Bool
  let hasRowSecurity: Bool
  let forcesRowSecurity: Bool
  /// The replica identity, if it is not the default or an index.
  let replicaIdentity: String?
  /// The words for a table that is not one by itself: `a partition`.
  let ties: [String]?

  /// The settings of an index: its marks and its comment.
  struct Index: Decodable {
    let name: String
    let comment: String?
    let isClustered: Bool
    let isReplicaIdentity: Bool
  }

  /// A comment on a constraint.
  struct Comment: Decodable {
    let name: String
    let comment: String
  }

  /// A sequence that belongs to a column.
  struct Sequence: Decodable {
    let name: String
    let comment: String?
    let grants: [ObjectGrants.Grant]?
  }

  private var table: SQLIdentifier { SQLIdentifier(name) }

  /// Returns the table's settings as an object that depends on it; none if there are none.
  func object(in objects: StoreObjects) -> DependentObject? {
    let settings = TableSettings(
      settings: storage(objects) + protection + marks(objects) + comments(objects),
      obstacles: obstacles(objects)
    )
    let unrecognizedParameters = unrecognizedParameters(objects)
    guard
      !settings.settings.isEmpty || !settings.obstacles.isEmpty || !unrecognizedParameters.isEmpty
    else { return nil }
    return DependentObject(
      name: "settings of table \(objects.schema).\(name)",
      kind: .settings,
      attachedTable: table,
      uses: [.table(table)],
      recreation: .settings(settings),
      unrecognizedParameters: unrecognizedParameters
    )
  }

  // MARK: - Settings

  private func storage(_ objects: StoreObjects) -> [TableSetting] {
    var settings: [TableSetting.Change] = []
    if let accessMethod {
      settings.append(
        .storage("SET ACCESS METHOD \(SQLIdentifier(accessMethod))", removal: nil)
      )
    }
    if let tablespace {
      settings.append(
        .storage(
          "SET TABLESPACE \(SQLIdentifier(tablespace))",
          removal: "SET TABLESPACE pg_default"
        )
      )
    }
    if isUnlogged { settings.append(.storage("SET UNLOGGED", removal: "SET LOGGED")) }
    let options = (options ?? []).documented(for: .table)
    let toastOptions = (toastOptions ?? []).documented(for: .toastTable)
    let parameters =
      options.map {
        TableSetting.StorageParameter(name: "\(SQLIdentifier($0.name))", setting: $0.setting)
      }
      + toastOptions.map {
        .init(name: "toast.\(SQLIdentifier($0.name))", setting: $0.toastSetting)
      }
    if !parameters.isEmpty { settings.append(.parameters(parameters)) }
    return settings.map { TableSetting(.table, $0) }
      + ownColumns(objects).flatMap { column in
        column.storageClauses.map {
          TableSetting(.column(column.identifier), .storage($0.set, removal: $0.reset))
        }
      }
  }

  /// The owner and the privileges of the table.
  private var protection: [TableSetting] {
    var settings: [TableSetting] = []
    if circumstances.owner != circumstances.currentRole {
      settings.append(
        TableSetting(.table, .alteration("OWNER TO \(SQLIdentifier(circumstances.owner))"))
      )
    }
    if let roles = privileges.revokedRoles(owner: circumstances.owner) {
      settings.append(TableSetting(.table, .revocation(roles)))
      settings += Self.grants(privileges.grants, on: .table)
    }
    for column in columns ?? [] {
      settings += Self.grants(column.grants, on: .column(column.identifier))
    }
    for sequence in sequences ?? [] {
      let others = sequence.grants?.filter { $0.grantee != circumstances.owner }
      settings += Self.grants(others, on: .sequence(SQLIdentifier(sequence.name)))
    }
    if hasRowSecurity {
      settings.append(TableSetting(.table, .alteration("ENABLE ROW LEVEL SECURITY")))
    }
    if forcesRowSecurity {
      settings.append(TableSetting(.table, .alteration("FORCE ROW LEVEL SECURITY")))
    }
    return settings
  }

  private static func grants(
    _ grants: [ObjectGrants.Grant]?,
    on subject: TableSetting.Subject
  ) -> [TableSetting] {
    ObjectGrants.runs(grants ?? []).map { run in
      TableSetting(
        subject,
        .grant(
          run.map(\.privilege),
          run.first?.grantee.map { SQLIdentifier($0) },
          isGrantable: run.first?.isGrantable ?? false
        )
      )
    }
  }

  /// Returns the marks of the store's own indexes; those of others are created with their marks.
  private func marks(_ objects: StoreObjects) -> [TableSetting] {
    var settings: [TableSetting] = []
    if let replicaIdentity {
      settings.append(
        TableSetting(
          .table,
          .alteration("REPLICA IDENTITY \(SQLFragment(deparsed: replicaIdentity))")
        )
      )
    }
    for index in ownIndexes(objects) {
      let subject = TableSetting.Subject.index(SQLIdentifier(index.name))
      if index.isReplicaIdentity { settings.append(TableSetting(subject, .replicaIdentity)) }
      if index.isClustered { settings.append(TableSetting(subject, .clustering)) }
    }
    return settings
  }

  private func comments(_ objects: StoreObjects) -> [TableSetting] {
    var said: [(TableSetting.Subject, String?)] = [(.table, circumstances.comment)]
    said += (columns ?? []).map { (.column($0.identifier), $0.comment) }
    said += (constraints ?? []).filter { isOwn(SQLIdentifier($0.name), objects) }.map {
      (.constraint(SQLIdentifier($0.name)), $0.comment)
    }
    said += ownIndexes(objects).map { (.index(SQLIdentifier($0.name)), $0.comment) }
    said += (sequences ?? []).map { (.sequence(SQLIdentifier($0.name)), $0.comment) }
    return said.compactMap { subject, text in text.map { TableSetting(subject, .comment($0)) } }
  }

  private func isOwn(_ name: SQLIdentifier, _ objects: StoreObjects) -> Bool {
    objects.parts.contains(StoreObjects.Part(table: table, name: name))
  }

  private func ownIndexes(_ objects: StoreObjects) -> [Index] {
    (indexes ?? []).filter { isOwn(SQLIdentifier($0.name), objects) }
  }

  private func ownColumns(_ objects: StoreObjects) -> [ViewColumn] {
    (columns ?? []).filter { isOwn($0, objects) }
  }

  private func isOwn(_ column: ViewColumn, _ objects: StoreObjects) -> Bool {
    objects.columns.contains(StoreObjects.Part(table: table, name: column.identifier))
  }

  private func unrecognizedParameters(_ objects: StoreObjects) -> [String] {
    (options ?? []).unrecognized(for: .table)
      + (toastOptions ?? []).unrecognized(for: .toastTable)
      + ownColumns(objects).flatMap(\.unrecognizedParameters)
  }

  // MARK: - Obstacles

  private func obstacles(_ objects: StoreObjects) -> [TableSettings.Obstacle] {
    let name = "table \(objects.schema).\(table)"
    var reasons: [String] = (ties ?? []).map { "It is \($0)." }
    if let obstacle = circumstances.obstacle { reasons.append(obstacle) }
    let sequenceGrants = (sequences ?? []).flatMap { $0.grants ?? [] }
    let grants = (privileges.grants ?? []) + (columns ?? []).flatMap { $0.grants ?? [] }
    if let obstacle = ObjectGrants.obstacle(grants + sequenceGrants, owner: circumstances.owner) {
      reasons.append(obstacle)
    }
    return reasons.map { TableSettings.Obstacle(name: name, reason: $0) }
      + (columns ?? []).filter { !isOwn($0, objects) }.map {
        TableSettings.Obstacle(
          name: "table column \(objects.schema).\(table).\($0.name)",
          reason: "No model has it, so that its values would be lost."
        )
      }
  }
}

extension TableSettingsDefinition {
  /// Returns a row with a JSON object for each table of the schema `$1` whose name is in the JSON
  /// array `$2`.
  static let query: SQLFragment = """
    SELECT json_build_object('circumstances', \(ObjectCircumstances.json(
      of: "pg_class", "c", owner: "c.relowner", schema: "c.relnamespace")), 'name', c.relname, \
    'privileges', \(ObjectGrants.json(
      "c.relacl", kind: .text("r"), owner: "c.relowner", schema: "0::oid")), \
    'columns', \(ViewColumn.json), \
    'indexes', (SELECT json_agg(json_build_object('name', i.relname, \
    'comment', obj_description(i.oid, 'pg_class'), 'isClustered', x.indisclustered, \
    'isReplicaIdentity', x.indisreplident) ORDER BY i.relname) \
    FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid WHERE x.indrelid = c.oid), \
    'constraints', (SELECT json_agg(json_build_object('name', k.conname, \
    'comment', obj_description(k.oid, 'pg_constraint')) ORDER BY k.conname) FROM pg_constraint k \
    WHERE k.conrelid = c.oid AND obj_description(k.oid, 'pg_constraint') IS NOT NULL), \
    'sequences', (SELECT json_agg(json_build_object('name', q.relname, \
    'comment', obj_description(q.oid, 'pg_class'), 'grants', \(ObjectGrants.grants("q.relacl"))) \
    ORDER BY q.relname) FROM pg_depend d JOIN pg_class q ON q.oid = d.objid AND q.relkind = 'S' \
    WHERE d.classid = 'pg_class'::regclass AND d.refclassid = d.classid AND d.refobjid = c.oid \
    AND d.deptype = 'i'), \
    'options', \(StorageParameterSetting.json("c.reloptions")), \
    'toastOptions', \(StorageParameterSetting.json("o.reloptions")), \
    'accessMethod', nullif(m.amname, current_setting('default_table_access_method')::name), \
    'tablespace', s.spcname, 'isUnlogged', c.relpersistence = 'u', \
    'hasRowSecurity', c.relrowsecurity, 'forcesRowSecurity', c.relforcerowsecurity, \
    'replicaIdentity', CASE c.relreplident WHEN 'f' THEN 'FULL' WHEN 'n' THEN 'NOTHING' END, \
    'ties', array_to_json(array_remove(ARRAY[CASE WHEN c.relispartition THEN 'a partition' END, \
    CASE WHEN c.reloftype <> 0 THEN 'of a type' END, CASE WHEN NOT c.relispartition \
    AND EXISTS (SELECT FROM pg_inherits h WHERE h.inhrelid = c.oid) \
    THEN 'the child of another table' END, \
    CASE WHEN c.relkind = 'r' AND EXISTS (SELECT FROM pg_inherits h WHERE h.inhparent = c.oid) \
    THEN 'the parent of another table' END], NULL))) \
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace \
    LEFT JOIN pg_class o ON o.oid = c.reltoastrelid LEFT JOIN pg_am m ON m.oid = c.relam \
    LEFT JOIN pg_tablespace s ON s.oid = c.reltablespace \
    WHERE n.nspname = $1 AND c.relkind IN ('r', 'p') \
    AND c.relname IN (SELECT e::name FROM json_array_elements_text($2::json) AS e) ORDER BY c.relname COLLATE "C"
    """
}
