internal import CatalogComparison
internal import MigrationPlanning
internal import ObjectModel
internal import SQLSyntax

/// The statements that read and write the metadata of one store.
///
/// They are text without parameters, since scripts for `psql` contain them as well.
struct MetadataStatements {
  let store: StoreIdentity
  private let schema: MetadataSchema

  init(_ store: StoreIdentity) {
    self.store = store
    schema = MetadataSchema(name: store.metadataSchema)
  }

  func relation(_ name: SQLIdentifier) -> QualifiedName { schema.relation(name) }

  private var isThisStore: SQLFragment {
    "schema_name = \(text: store.schema.name) AND model_name = \(text: store.modelName)"
  }

  var storeID: SQLFragment {
    "(SELECT id FROM \(relation("store")) WHERE \(isThisStore))"
  }

  // MARK: - Reading

  /// One row if the store exists: everything that decides whether there is work to do.
  var record: SQLFragment {
    """
    SELECT s.id, s.configuration, s.version_name, s.checksum, s.layout_digest, s.layout_rules, \
    m.layout_version FROM \(relation("store")) s, \(relation("metadata")) m WHERE \(isThisStore)
    """
  }

  /// The same with the digest of the files, the unfinished copy job, deferred work and the server process;
  /// metadata before layout 5 has none of these, and that before layout 10 no digest.
  ///
  /// A name that the table lacks is looked for in the query around it, so an earlier layout has no digest.
  ///
  /// It does not depend on the settings of a session, so that the session needs none if the names
  /// are ``isPlain``.
  var recordWithJob: SQLFragment {
    "\(recordsWithJobs) AND s.schema_name OPERATOR(pg_catalog.=) \(text: store.schema.name)"
  }

  /// The same of every store of the model in the database, each with the schema that it is in.
  var recordsWithJobs: SQLFragment {
    let equals: SQLFragment = "OPERATOR(pg_catalog.=)"
    let differs: SQLFragment = "OPERATOR(pg_catalog.<>)"
    return """
      SELECT s.schema_name, s.id, s.configuration, s.version_name, s.checksum, s.layout_digest, \
      s.layout_rules, m.layout_version, \
      (SELECT files_digest FROM \(relation("store")) x WHERE x.id \(equals) s.id) AS files_digest, \
      (SELECT partitions_due OPERATOR(pg_catalog.<=) pg_catalog.now() FROM \(relation("store")) x \
      WHERE x.id \(equals) s.id) AS lacks_partitions, \
      (SELECT served FROM \(relation("store")) x WHERE x.id \(equals) s.id) AS served, \
      pg_catalog.pg_backend_pid() AS pid, (SELECT j.id FROM \(relation("job")) j \
      WHERE j.schema_name \(equals) s.schema_name AND j.model_name \(equals) s.model_name \
      AND j.state \(differs) 'finished' AND j.state \(differs) 'aborted') AS job, \
      EXISTS (SELECT FROM \(relation("late_work")) w WHERE w.schema_name \(equals) s.schema_name \
      AND w.model_name \(equals) s.model_name AND w.done_at IS NULL \
      AND w.phase \(equals) 'now') AS unfinished \
      FROM \(relation("store")) s, \(relation("metadata")) m, \
      (SELECT NULL::pg_catalog.text AS files_digest, \
      NULL::pg_catalog.timestamptz AS partitions_due, NULL::pg_catalog.json AS served) missing \
      WHERE s.model_name \(equals) \(text: store.modelName)
      """
  }

  /// Whether the session may note by which files the store is at its version.
  var mayNoteFiles: SQLFragment {
    """
    SELECT has_table_privilege(\(text: relation("store").quoted), 'UPDATE') \
    AND current_setting('transaction_read_only') = 'off'
    """
  }

  /// Notes by which files the store is at a version, unless another session changes it.
  func notingFiles(_ digest: String, at version: VersionIdentity) -> SQLFragment {
    """
    UPDATE \(relation("store")) SET files_digest = \(text: digest) WHERE id = (\
    SELECT id FROM \(relation("store")) WHERE \(isThisStore) AND version_name = \(text: version.name) \
    AND checksum = \(text: version.checksum.text) AND layout_digest = \(text: version.layoutDigest.text) \
    FOR UPDATE SKIP LOCKED)
    """
  }

  /// Notes when the tables of a version need further partitions.
  func notingPartitions(of schema: DatabaseSchema) -> SQLFragment {
    let moments = schema.sortedTables.compactMap { table in
      table.partitioning.flatMap { PartitionCreation(of: schema.qualified(table.name), $0).due }
    }
    let due: SQLFragment = moments.isEmpty ? "NULL" : "least(\(moments.joined(separator: ", ")))"
    return "UPDATE \(relation("store")) SET partitions_due = \(due) WHERE \(isThisStore)"
  }

  /// Lists a partition among the retained objects.
  func retaining(
    _ partition: SQLIdentifier,
    of table: SQLIdentifier,
    at version: String
  ) -> SQLFragment {
    let origin = RetainedObject.Origin.partition(of: table)
    return """
      INSERT INTO \(relation("retained_object")) (store, table_name, column_name, version_name, \
      relation_names, restoration, origin) VALUES (\(storeID), \(text: partition.name), NULL, \
      \(text: version), \(text: JSONText.text([partition.name])), '[]', \(text: JSONText.text(origin)))
      """
  }

  /// The version of the metadata's own layout.
  var layoutVersion: SQLFragment {
    "SELECT max(layout_version) AS layout_version FROM \(relation("metadata"))"
  }

  /// The archived model of a version that the store has been at.
  func archive(of record: StoreRecord) -> SQLFragment {
    """
    SELECT model FROM \(relation("model_version")) WHERE store = \(storeID) \
    AND version_name = \(text: record.versionName) AND checksum = \(text: record.checksum.text) \
    AND layout_digest = \(text: record.layoutDigest.text)
    """
  }

  /// The retained objects, the earliest first.
  var retained: SQLFragment {
    """
    SELECT table_name, column_name, version_name, relation_names, restoration, \
    nullif(to_jsonb(r) -> 'origin', 'null') AS origin, \
    to_char(retained_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS retained_at, \
    (extract(epoch FROM clock_timestamp() - retained_at) * 1000)::bigint AS age \
    FROM \(relation("retained_object")) AS r WHERE store = \(storeID) ORDER BY id
    """
  }

  /// The models that have a store in the schema.
  var modelNames: SQLFragment {
    """
    SELECT model_name FROM \(relation("store")) WHERE schema_name = \(text: store.schema.name) \
    ORDER BY model_name
    """
  }

  /// The archived models of all versions that the store has been at, the earliest first; metadata
  /// before layout 8 has no drafts.
  func archives(layout: Int) -> SQLFragment {
    let isDraft: SQLFragment = layout < 8 ? "false" : "is_draft"
    return """
      SELECT version_name, checksum, layout_digest, model, \(isDraft) AS is_draft \
      FROM \(relation("model_version")) \
      WHERE store = \(storeID) ORDER BY recorded_at, version_name
      """
  }

  /// Whether the database is for development, and the versions up to that of the store; metadata has
  /// both since layout 8.
  var marks: SQLFragment {
    """
    SELECT is_development, (SELECT lineage FROM \(relation("store")) WHERE \(isThisStore)) AS lineage, \
    to_jsonb(m) ->> 'server_speed' AS server_speed FROM \(relation("metadata")) m
    """
  }

  /// Whether the session may create a table for measuring the server, and note its speed.
  func mayMeasureSpeed(by table: QualifiedName) -> SQLFragment {
    """
    SELECT has_schema_privilege(\(text: table.schema.name), 'CREATE') \
    AND has_table_privilege(\(text: relation("metadata").quoted), 'UPDATE') \
    AND to_regclass(\(text: table.quoted)) IS NULL
    """
  }

  /// Notes how fast the server works.
  func noting(_ speed: MeasuredSpeed) -> SQLFragment {
    "UPDATE \(relation("metadata")) SET server_speed = \(text: JSONText.text(speed))"
  }

  /// Marks the database as one for development, or takes the mark away.
  func mark(asDevelopment isDevelopment: Bool) -> SQLFragment {
    let value: SQLFragment = isDevelopment ? "true" : "false"
    return """
      UPDATE \(relation("metadata")) SET is_development = \(value) \
      WHERE is_development <> \(value)
      """
  }

  /// The audit log, the earliest first; columns that metadata before layout 5 lacks are null.
  var history: SQLFragment {
    """
    SELECT id, from_version, from_checksum, to_version, plan_digest, \
    to_char(started_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS started_at, \
    to_char(ended_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS ended_at, \
    (extract(epoch FROM ended_at - started_at) * 1000)::bigint AS milliseconds, outcome, role, \
    to_jsonb(h) ->> 'client' AS client, to_jsonb(h) ->> 'application' AS application, sqlstate, \
    error, statements, to_jsonb(h) ->> 'approved_digest' AS approved_digest, \
    to_jsonb(h) ->> 'approved_by' AS approved_by, tool_version, \
    to_jsonb(h) ->> 'kind' AS kind FROM \(relation("history")) AS h WHERE \(isThisStore) ORDER BY id
    """
  }

  // MARK: - Creating in several transactions

  /// One row if the store is being created.
  var creation: SQLFragment {
    """
    SELECT configuration, version_name, checksum, layout_digest, layout_rules, model, plan_digest, \
    done, total FROM \(relation("store_creation")) WHERE \(isThisStore)
    """
  }

  /// Records the progress of a creation.
  ///
  /// - Parameters:
  ///   - step: The step that creates the store.
  ///   - done: The number of finished statements.
  ///   - archive: The model, which the first record stores.
  /// - Returns: The statement.
  func progress(of step: MigrationStep, done: Int, archive: String) -> SQLFragment {
    guard step.transactions.first?.upperBound == done, step.transactions.first?.lowerBound == 0
    else {
      return """
        UPDATE \(relation("store_creation")) SET done = \(done), updated_at = now() \
        WHERE \(isThisStore)
        """
    }
    let hashes = step.destination.hashes
    return """
      INSERT INTO \(relation("store_creation")) (schema_name, model_name, configuration, version_name, checksum, \
      layout_digest, layout_rules, model, plan_digest, done, total, tool_version) VALUES \
      (\(text: store.schema.name), \(text: store.modelName), \(text: store.configurationName), \
      \(text: step.destination.name), \(text: hashes.checksum.text), \
      \(text: hashes.layoutDigest.text), \(ModelProjection.layoutRules), \(text: archive), \
      \(text: step.digest), \(done), \(step.statements.count), \(text: toolVersion))
      """
  }

  /// Removes the record of a creation, which has come to its end.
  var creationEnd: SQLFragment { "DELETE FROM \(relation("store_creation")) WHERE \(isThisStore)" }

  /// The condition that the creation is as far as a statement.
  func isCreated(_ step: MigrationStep, upTo done: Int) -> SQLFragment {
    """
    EXISTS (SELECT FROM \(relation("store_creation")) WHERE \(isThisStore) \
    AND done = \(done) AND plan_digest = \(text: step.digest))
    """
  }

  // MARK: - Writing

  /// Records the version that a step has led to, with its model and its tables.
  func recording(
    _ step: MigrationStep,
    archive: String,
    filesDigest: String? = nil
  ) -> [SQLFragment] {
    let version = step.destination
    let hashes = version.hashes
    let id = storeID
    let interfaces = recordingInterfaces(step, id)
    // What else there is, including drift, stays as it is.
    if step.kind.staysAtVersion {
      let added = step.retiredInterfaces.flatMap(\.postponed).map(CatalogObject.init)
      return recordingRetained(step, id)
        + [DeferredWorkStatements(store).entry(of: step)].compactMap(\.self)
        + recordingDefinitions(of: added, in: version.projection) + interfaces
    }
    let values: [SQLFragment] = [
      "\(text: store.schema.name)", "\(text: store.modelName)", "\(text: store.configurationName)",
      "\(text: version.name)", "\(text: hashes.checksum.text)", "\(text: hashes.layoutDigest.text)",
      "\(ModelProjection.layoutRules)",
      "\(text: JSONText.text(hashes.entities.mapValues(\.text)))", "\(text: toolVersion)",
      "\(text: version.lineage.map { JSONText.text($0) })",
    ]
    let noted: [SQLFragment] =
      filesDigest.map {
        ["UPDATE \(relation("store")) SET files_digest = \(text: $0) WHERE id = \(id)"]
      }
      ?? []
    let isDraft: SQLFragment = version.isDraft ? "true" : "false"
    let tables = version.projection.schema.tables.keys.sorted()
    var statements: [SQLFragment] = [
      """
      INSERT INTO \(relation("store")) (schema_name, model_name, configuration, version_name, \
      checksum, layout_digest, layout_rules, entity_version_hashes, tool_version, lineage) VALUES \
      (\(values.joined(separator: ", "))) ON CONFLICT (schema_name, model_name) DO UPDATE SET \
      configuration = excluded.configuration, version_name = excluded.version_name, \
      checksum = excluded.checksum, layout_digest = excluded.layout_digest, \
      layout_rules = excluded.layout_rules, \
      entity_version_hashes = excluded.entity_version_hashes, \
      tool_version = excluded.tool_version, lineage = excluded.lineage, updated_at = now()
      """,
      """
      INSERT INTO \(relation("model_version")) AS v (store, version_name, checksum, \
      layout_digest, model, is_draft) VALUES (\(id), \(text: version.name), \(text: hashes.checksum.text), \
      \(text: hashes.layoutDigest.text), \(text: archive), \(isDraft)) \
      ON CONFLICT (store, version_name, checksum, layout_digest) DO UPDATE \
      SET is_draft = false WHERE v.is_draft AND NOT excluded.is_draft
      """,
      "DELETE FROM \(relation("store_table")) WHERE store = \(id)",
    ]
    if !tables.isEmpty {
      let rows = tables.map { "(\(id), \(text: $0.name))" as SQLFragment }
      statements.append(
        """
        INSERT INTO \(relation("store_table")) (store, table_name) VALUES \
        \(rows.joined(separator: ", "))
        """
      )
    }
    let deferredWork = [DeferredWorkStatements(store).entry(of: step)].compactMap(\.self)
    return statements + noted + recordingRetained(step, id) + recordingMadeTables(step, id)
      + deferredWork
      + recordingDefinitions(of: version.projection)
      + [notingPartitions(of: version.projection.schema)] + interfaces
  }

  /// Records which versions are served from then on.
  private func recordingInterfaces(_ step: MigrationStep, _ id: SQLFragment) -> [SQLFragment] {
    guard let interfaces = step.interfaces else { return [] }
    let isServing = !interfaces.isEmpty
    return [
      """
      UPDATE \(relation("store")) SET \
      served = \(text: isServing ? JSONText.text(interfaces.map(\.reference)) : nil), \
      interfaces = \(text: isServing ? JSONText.text(interfaces) : nil) WHERE id = \(id)
      """
    ]
  }

  /// The versions that the store serves, with their views; metadata before layout 13 has none.
  var interfaces: SQLFragment {
    "SELECT to_jsonb(s) ->> 'interfaces' FROM \(relation("store")) AS s WHERE \(isThisStore)"
  }

  /// Records the state of tables that a mapping model has filled when the step ends, which shows
  /// later whether anybody has written to them; counting large ones would block others.
  private func recordingMadeTables(_ step: MigrationStep, _ id: SQLFragment) -> [SQLFragment] {
    let relation = relation("made_table")
    let left = step.kind == .revert ? step.source?.name : nil
    let leaving = left.map { name -> [SQLFragment] in
      [
        "DELETE FROM \(relation) WHERE store = \(id) AND version_name = \(text: name)",
        DeferredWorkStatements(store).leaving(version: name),
      ]
    }
    let copied = Set(step.copy?.tables.map(\.name) ?? [])
    let all = step.destination.projection.schema.tables.keys
    let made = step.isIntoSchema ? [] : step.runsWrittenSQL ? copied.union(all) : copied
    let schema = step.destination.projection.schema
    let isAuthored: SQLFragment = step.isAuthored ? "true" : "false"
    return (leaving ?? [])
      + made.sorted().map { table in
        let name = schema.qualified(table)
        return """
          INSERT INTO \(relation) (store, version_name, table_name, table_oid, is_authored, \
          row_count) \
          SELECT \(id), \(text: step.destination.name), \(text: table.name), \
          \(text: name.quoted)::regclass::oid, \(isAuthored), \
          \(copied.contains(table) ? count(of: name, step) : "NULL") \
          ON CONFLICT (store, version_name, table_name) DO UPDATE \
          SET transaction_id = excluded.transaction_id, snapshot = excluded.snapshot, \
          table_oid = excluded.table_oid, is_authored = excluded.is_authored, row_count = excluded.row_count
          """
      }
  }

  /// Counts the rows of a table unless that takes long: some milliseconds where the application waits at the
  /// end of an online copy, which is to hold it up for a moment only.
  private func count(of name: QualifiedName, _ step: MigrationStep) -> SQLFragment {
    let table = step.destination.projection.schema.tables[name.name]
    // The coordinator does not have the sizes of what is on nodes.
    guard table?.distribution == nil else { return "NULL" }
    let megabytes: Int64 = step.strategy == .online ? 16 : 256
    // A table that is divided takes up no place itself.
    let size: SQLFragment =
      table?.partitioning == nil
      ? "pg_table_size(\(text: name.quoted))"
      : "(SELECT sum(pg_table_size(relid)) FROM pg_partition_tree(\(text: name.quoted)))"
    return """
      CASE WHEN \(size) < \(.integer(megabytes << 20)) THEN (SELECT count(*) FROM \(name)) END
      """
  }

  private func recordingRetained(_ step: MigrationStep, _ id: SQLFragment) -> [SQLFragment] {
    func isObject(_ object: RetainedObject) -> SQLFragment {
      """
      store = \(id) AND table_name = \(text: object.table.name) \
      AND column_name IS NOT DISTINCT FROM \(text: object.column?.name)
      """
    }
    func names(_ object: RetainedObject) -> String {
      JSONText.text(object.relationNames.map(\.name))
    }
    let dropped = step.droppedRetained.sorted(by: Self.isOrderedBefore)
    let renamed = step.renamedRetained.sorted { Self.isOrderedBefore($0.key, $1.key) }
    return dropped.map { object in
      "DELETE FROM \(relation("retained_object")) WHERE \(isObject(object))"
    }
      + renamed.map { before, after in
        """
        UPDATE \(relation("retained_object")) SET table_name = \(text: after.table.name), \
        column_name = \(text: after.column?.name), relation_names = \(text: names(after)) \
        WHERE \(isObject(before))
        """
      }
      + step.retained.map { object in
        """
        INSERT INTO \(relation("retained_object")) (store, table_name, column_name, version_name, \
        relation_names, restoration, origin) VALUES (\(id), \(text: object.table.name), \
        \(text: object.column?.name), \(text: object.version), \(text: names(object)), \
        \(text: JSONText.text(object.restoration)), \(text: object.origin.map { JSONText.text($0) }))
        """
      }
  }

  private static func isOrderedBefore(_ first: RetainedObject, _ second: RetainedObject) -> Bool {
    (first.table, first.column ?? "") < (second.table, second.column ?? "")
  }

  /// An entry of the audit log, which nothing changes afterwards; that an attempt began is taken out
  /// again where another migrator has done its work.
  func event(
    _ event: HistoryEvent,
    of step: MigrationStep,
    digest: String,
    attempt: HistoryAttempt
  ) -> SQLFragment {
    let isStart = event == .started
    let source = step.source
    let run =
      isStart
      ? nil : step.allStatements.map { ReadableSQL($0.sql.text).text }.joined(separator: ";\n")
    let values: [SQLFragment] = [
      attempt.id.map { "\(SQLLiteral.typed($0, "uuid"))" } ?? "gen_random_uuid()",
      "\(text: event.name)",
      attempt.startedAt.map { "\(SQLLiteral.typed($0, "timestamp with time zone"))" }
        ?? "transaction_timestamp()",
      "\(text: store.schema.name)", "\(text: store.modelName)", "\(text: source?.name)",
      "\(text: source?.hashes.checksum.text)", "\(text: step.destination.name)",
      "\(text: step.destination.hashes.checksum.text)", "\(text: digest)",
      "\(text: run)",
      "\(text: event.sqlState)", "\(text: event.error)", "\(text: toolVersion)",
      attempt.application.map { "\(text: $0)" } ?? "current_setting('application_name')",
      "\(text: attempt.approval?.planDigest)", "\(text: attempt.approval?.approvedBy)",
      "\(text: attempt.kind.rawValue)",
    ]
    let row = values.joined(separator: ", ")
    // A commit whose answer was lost must not be entered as failed later.
    let rows: SQLFragment =
      if case .failed = event {
        "SELECT \(row) WHERE NOT EXISTS (\(success(of: attempt)))"
      } else {
        "VALUES (\(row))"
      }
    return """
      INSERT INTO \(relation("history_event")) (attempt, event, started_at, schema_name, model_name, \
      from_version, from_checksum, to_version, to_checksum, plan_digest, statements, sqlstate, \
      error, tool_version, application, approved_digest, approved_by, kind) \(rows)
      """
  }

  /// Takes out that an attempt began which has come to nothing.
  func withdrawal(of attempt: HistoryAttempt) -> SQLFragment {
    "DELETE FROM \(relation("history_event")) WHERE attempt = \(id(of: attempt)) AND event = 'started'"
  }

  private func id(of attempt: HistoryAttempt) -> SQLFragment {
    attempt.id.map { "\(SQLLiteral.typed($0, "uuid"))" } ?? "NULL"
  }

  /// One row if the attempt was committed.
  func success(of attempt: HistoryAttempt) -> SQLFragment {
    "SELECT id FROM \(relation("history_event")) WHERE attempt = \(id(of: attempt)) AND event = 'succeeded'"
  }

  /// The digests of the steps that were taken of an approved plan, the earliest first.
  func stepsTaken(ofPlan digest: String) -> SQLFragment {
    // Metadata before layout 5 knows of none, and must not be an error for those who only look.
    """
    SELECT plan_digest FROM \(relation("history_event")) AS e WHERE \(isThisStore) \
    AND event = 'succeeded' AND to_jsonb(e) ->> 'approved_digest' = \(text: digest) ORDER BY id
    """
  }
}

/// An event of an audit log entry.
enum HistoryEvent: Hashable {
  case started
  case succeeded
  case failed(sqlState: String?, error: String)

  var name: String {
    switch self {
    case .started: "started"
    case .succeeded: "succeeded"
    case .failed: "failed"
    }
  }

  var sqlState: String? {
    if case .failed(let sqlState, _) = self { sqlState } else { nil }
  }

  var error: String? {
    if case .failed(_, let error) = self { error } else { nil }
  }
}

/// The common values of the entries of one attempt.
struct HistoryAttempt: Hashable {
  /// Its number; the server gives one to each run of a script.
  let id: String?
  /// When it began, by the server's clock; none for one that begins with its transaction.
  var startedAt: String?
  /// The name of the application, from the user; by default that of the session.
  var application: String?
  /// The approval of the plan; none if it needed none.
  var approval: PlanApproval?
  /// The kind of work.
  var kind = HistoryKind.migration
}
