package import CatalogComparison
internal import FoundationEssentials
package import MigrationPlanning
package import PostgresClient
internal import SQLSyntax

/// Reads the definitions of a store's tables from the catalog and from the metadata.
package struct DefinitionInspection {
  private let store: StoreIdentity
  private let projection: ModelProjection

  private var statements: MetadataStatements { MetadataStatements(store) }

  /// Creates an inspection of a store that is at a version.
  package init(_ store: StoreIdentity, _ projection: ModelProjection) {
    self.store = store
    self.projection = projection
  }

  /// Reads the recorded definitions and the existing objects.
  ///
  /// - Parameters:
  ///   - retained: The retained objects, which are included.
  ///   - connection: A connection in a transaction with one snapshot of the catalog.
  /// - Returns: Both; no recorded definitions if there are none, or if an earlier layout of the
  ///   metadata cannot record them.
  /// - Throws: The server's error.
  package func definitions(
    retained: [RetainedObject],
    _ connection: borrowing PostgresConnection
  ) throws -> (recorded: RecordedDefinitions?, live: LiveCatalog) {
    var known = KnownDefinitions()
    let recorded = try recorded(&known, connection)
    return (recorded, try live(retained: retained, &known, connection))
  }

  // MARK: - Recorded

  private func recorded(
    _ known: inout KnownDefinitions,
    _ connection: borrowing PostgresConnection
  ) throws -> RecordedDefinitions? {
    guard try isThere("object_definition", connection) else { return nil }
    var objects: [CatalogObject: ObjectDefinition] = [:]
    var major = 0
    for row in try connection.query(statements.definitions) {
      guard let kind = row["kind"].flatMap({ CatalogObject.Kind(rawValue: $0) }) else { continue }
      let object = CatalogObject(kind, table: row["table_name"] ?? "", name: row["name"] ?? "")
      objects[object] = try known.definition(row["definition"])
      major = row.integer("server_major") ?? major
    }
    return objects.isEmpty ? nil : RecordedDefinitions(serverMajor: major, objects: objects)
  }

  /// Reads the objects that the tables had when the store was adopted and that no model can
  /// describe.
  package func unexpressed(
    _ connection: borrowing PostgresConnection
  ) throws -> Set<CatalogObject> {
    guard try isThere("unexpressed_object", connection) else { return [] }
    var objects: Set<CatalogObject> = []
    for row in try connection.query(statements.unexpressedObjects) {
      guard let kind = row["kind"].flatMap({ CatalogObject.Kind(rawValue: $0) }) else { continue }
      // A table that was renamed has its number still, and one that was copied its name.
      for table in [row["table_name"], row["current_name"]].compactMap(\.self) {
        objects.insert(CatalogObject(kind, table: table, name: row["name"] ?? ""))
      }
    }
    return objects
  }

  /// Reads the tables that the metadata records as the store's.
  package func recordedTables(_ connection: borrowing PostgresConnection) throws -> Set<String> {
    Set(try connection.query(statements.storeTables).compactMap { $0["table_name"] })
  }

  /// Reads the version hashes of the entities that the metadata has.
  package func recordedHashes(_ connection: borrowing PostgresConnection) throws -> [String: String]
  {
    let text = try connection.query(statements.entityVersionHashes).value
    guard let hashes = try? JSONText.value([String: String].self, in: text) else {
      throw ExecutionError(.damagedMetadata("the version hashes of the entities cannot be read"))
    }
    return hashes
  }

  private func isThere(
    _ name: SQLIdentifier,
    _ connection: borrowing PostgresConnection
  ) throws -> Bool {
    let relation = statements.relation(name).quoted
    return try connection.query(
      "SELECT to_regclass(\(text: relation)) IS NOT NULL AS there"
    ).first?.boolean("there") == true
  }

  // MARK: - Live

  /// Reads the existing objects.
  ///
  /// - Parameters:
  ///   - retained: The retained objects, which are included.
  ///   - connection: A connection in a transaction with one snapshot of the catalog.
  /// - Returns: The catalog.
  /// - Throws: The server's error.
  package func live(
    retained: [RetainedObject],
    _ connection: borrowing PostgresConnection
  ) throws -> LiveCatalog {
    var known = KnownDefinitions()
    return try live(retained: retained, &known, connection)
  }

  private func live(
    retained: [RetainedObject],
    _ known: inout KnownDefinitions,
    _ connection: borrowing PostgresConnection
  ) throws -> LiveCatalog {
    let names = Set(projection.schema.tables.keys).union(retained.map(\.table)).sorted()
    let list = JSONText.text(names.map(\.name))
    let triggers = projection.schema.tables.map {
      ($0.key.name, $0.value.triggers.map(\.name.name))
    }
    let query = DefinitionQuery(
      schema: store.schema,
      tables: "SELECT json_array_elements_text(\(text: list)::json)",
      functions: Dictionary(triggers, uniquingKeysWith: +)
    )
    var objects: [CatalogObject: ObjectDefinition] = [:]
    var filledTables: Set<String> = []
    for kind in CatalogObject.Kind.allCases {
      guard let sql = query.sql(kind) else { continue }
      for row in try connection.query(sql) {
        let object = CatalogObject(kind, table: row["table_name"] ?? "", name: row["name"] ?? "")
        let found = try known.definition(row["definition"])
        if kind == .trigger, isOfCopy(found) {
          filledTables.insert(object.table)
          continue
        }
        objects[object] = found
      }
    }
    // What a fill has added is taken away, or gets its name, when it ends.
    objects = objects.filter { object, _ in
      let isPart = object.kind == .column || object.kind == .constraint
      return
        !(isPart && filledTables.contains(object.table) && FilledColumn.isTemporary(object.name))
    }
    let missing = projection.schema.tables.values.filter {
      objects[CatalogObject(.table, table: $0.name.name)] == nil
    }
    return LiveCatalog(
      serverMajor: connection.serverVersion / 10_000,
      hasSchema: try SchemaInspection(store).exists(connection),
      objects: objects,
      successors: try successors(of: missing, leavingOut: list, connection),
      kinds: try SchemaInspection(store).tableKinds(connection)
    )
  }

  /// Returns whether it is a trigger of a copy, which is dropped when the copy ends.
  private func isOfCopy(_ definition: ObjectDefinition) -> Bool {
    definition[.function]?.hasPrefix("\(store.stagingSchema).") == true
  }

  /// Finds the tables that have all columns of one that is not there.
  private func successors(
    of missing: [Table],
    leavingOut ours: String,
    _ connection: borrowing PostgresConnection
  ) throws -> [String: QualifiedName] {
    var successors: [String: QualifiedName] = [:]
    for table in missing {
      let columns = JSONText.text(table.columns.map(\.name.name))
      let found = try connection.query(
        """
        SELECT n.nspname, c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace \
        WHERE c.relkind IN ('r', 'p') AND n.nspname NOT IN ('pg_catalog', 'information_schema', \
        'pg_toast', \(text: store.metadataSchema.name), \
        \(text: store.stagingSchema.name)) AND NOT n.nspname LIKE 'pg\\_temp\\_%' \
        AND NOT (n.nspname = \(text: store.schema.name) \
        AND c.relname::text IN (SELECT json_array_elements_text(\(text: ours)::json))) \
        AND (SELECT count(*) FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 \
        AND NOT a.attisdropped AND a.attname::text \
        IN (SELECT json_array_elements_text(\(text: columns)::json))) \
        = \(table.columns.count) \
        ORDER BY c.relname <> \(text: table.name.name), 1, 2 LIMIT 2
        """
      )
      // Of two that could be meant, only the one of the same name is believed.
      guard let first = found.first, let schema = first["nspname"], let name = first["relname"],
        found.count == 1 || name == table.name.name
      else { continue }
      successors[table.name.name] = QualifiedName(
        schema: SQLIdentifier(schema),
        name: SQLIdentifier(name)
      )
    }
    return successors
  }

  // MARK: - Work that is known of

  /// Reads the objects whose definitions deferred work will still change.
  ///
  /// - Parameters:
  ///   - layout: The version of the layout of metadata that was just checked.
  ///   - connection: The database.
  /// - Returns: The objects.
  /// - Throws: The server's error.
  package func pending(
    inCheckedLayout layout: Int,
    _ connection: borrowing PostgresConnection
  ) throws -> Set<CatalogObject> {
    let found = try PendingWork.all(of: store, inCheckedLayout: layout, connection)
    let deferredWork = found.compactMap { work in
      DeferredWork(
        work.kind,
        work.object,
        of: work.table,
        in: projection.schema,
        serverMajor: connection.serverVersion / 10_000
      )
    }
    return try validations(connection).union(deferredWork.flatMap(\.objects))
  }

  private func validations(
    _ connection: borrowing PostgresConnection
  ) throws -> Set<CatalogObject> {
    guard try isThere("job_validation", connection) else { return [] }
    let rows = try connection.query(
      """
      SELECT v.table_name, v.constraint_name FROM \(statements.relation("job_validation")) v \
      JOIN \(statements.relation("job")) j ON j.id = v.job WHERE v.validated_at IS NULL \
      AND j.schema_name = \(text: store.schema.name) \
      AND j.model_name = \(text: store.modelName)
      """
    )
    return Set(
      rows.map {
        CatalogObject(
          .constraint,
          table: $0["table_name"] ?? "",
          name: $0["constraint_name"] ?? ""
        )
      }
    )
  }
}

/// The definitions that were read already, by their texts: most columns have one of few, and nearly all objects
/// have the one that was recorded.
private struct KnownDefinitions {
  private var definitions: [String: ObjectDefinition] = [:]

  mutating func definition(_ text: String?) throws -> ObjectDefinition {
    if let text, let known = definitions[text] { return known }
    guard let text, let facets = try? JSONText.value([String: String?].self, in: text) else {
      throw ExecutionError(.damagedMetadata("a definition cannot be read"))
    }
    var known: [ObjectDefinition.Facet: String?] = [:]
    for (name, text) in facets {
      guard let facet = ObjectDefinition.Facet(rawValue: name) else { continue }
      known.updateValue(text, forKey: facet)
    }
    let definition = ObjectDefinition(known)
    definitions[text] = definition
    return definition
  }
}
