internal import CatalogComparison
internal import MigrationPlanning
internal import SQLSyntax

extension MetadataStatements {
  /// The definitions that were recorded when the store came to its version.
  var definitions: SQLFragment {
    """
    SELECT kind, table_name, name, definition, server_major \
    FROM \(relation("object_definition")) WHERE store = \(storeID)
    """
  }

  /// The tables that the metadata records as the store's.
  var storeTables: SQLFragment {
    "SELECT table_name FROM \(relation("store_table")) WHERE store = \(storeID)"
  }

  var entityVersionHashes: SQLFragment {
    "SELECT entity_version_hashes FROM \(relation("store")) WHERE id = \(storeID)"
  }

  /// Records the definitions of a version's objects in the catalog, without those of others.
  ///
  /// - Parameter projection: The version of the store.
  /// - Returns: The statements, one for each kind of object, to run after all others.
  func recordingDefinitions(of projection: ModelProjection) -> [SQLFragment] {
    ["DELETE FROM \(relation("object_definition")) WHERE store = \(storeID)"]
      + insertions(of: projection, projection.schema.objectNames, DefinitionQuery.recordedKinds)
  }

  /// Records the changed definitions of some objects of a version again.
  ///
  /// - Parameters:
  ///   - objects: The objects; those that the version does not have are only removed.
  ///   - projection: The version of the store.
  /// - Returns: The statements.
  func recordingDefinitions(
    of objects: [CatalogObject],
    in projection: ModelProjection
  ) -> [SQLFragment] {
    let all = projection.schema.objectNames
    var names: [CatalogObject.Kind: [String: [String]]] = [:]
    for object in objects where all[object.kind]?[object.table]?.contains(object.name) == true {
      names[object.kind, default: [:]][object.table, default: []].append(object.name)
    }
    let deletions = objects.map { object -> SQLFragment in
      """
      DELETE FROM \(relation("object_definition")) WHERE store = \(storeID) \
      AND kind = \(text: object.kind.rawValue) \
      AND table_name = \(text: object.table) AND name = \(text: object.name)
      """
    }
    let kinds = DefinitionQuery.recordedKinds.filter { names[$0] != nil }
    return deletions + insertions(of: projection, names, kinds)
  }

  private func insertions(
    of projection: ModelProjection,
    _ names: [CatalogObject.Kind: [String: [String]]],
    _ kinds: [CatalogObject.Kind]
  ) -> [SQLFragment] {
    let query = DefinitionQuery(
      schema: store.schema,
      tables: storeTables,
      functions: names[.function] ?? [:]
    )
    return kinds.compactMap { kind -> SQLFragment? in
      guard names[kind]?.isEmpty != true, let found = query.sql(kind) else { return nil }
      let own = names[kind].map { names -> SQLFragment in
        """
         WHERE (d.table_name, d.name) IN (SELECT o.key, n.value \
        FROM json_each(\(text: JSONText.text(names))::json) AS o, \
        json_array_elements_text(o.value) AS n (value))
        """
      }
      return """
        INSERT INTO \(relation("object_definition")) (store, kind, table_name, name, definition, server_major) \
        SELECT \(storeID), \(text: kind.rawValue), d.table_name, d.name, d.definition, \
        current_setting('server_version_num')::integer / 10000 FROM (\(found)) AS d\(own ?? "")
        """
    }
  }
}

extension DatabaseSchema {
  /// The names of the tables' objects, by kind and table; all tables themselves are included.
  fileprivate var objectNames: [CatalogObject.Kind: [String: [String]]] {
    var names: [CatalogObject.Kind: [String: [String]]] = [
      .column: [:], .constraint: [:], .index: [:], .sequence: [:], .trigger: [:], .function: [:],
    ]
    for table in sortedTables {
      let name = table.name.name
      let triggers = table.triggers.map(\.name.name)
      let parts: [(CatalogObject.Kind, [String])] = [
        (.column, table.columns.map(\.name.name)),
        (.constraint, table.constraints.map(\.name.name)),
        (.index, table.indexes.map(\.name.name)),
        (.sequence, table.columns.compactMap(\.identitySequence?.name)),
        (.trigger, triggers), (.function, triggers),
      ]
      for (kind, found) in parts where !found.isEmpty { names[kind]?[name] = found }
    }
    return names
  }
}

extension CatalogObject {
  /// Creates the address of what has a constraint that holds later.
  init(_ constraint: PostponedConstraint) {
    let kind: Kind =
      switch constraint.kind {
      case .notNull: .column
      case .constraint: .constraint
      case .index: .index
      }
    self.init(kind, table: constraint.table.name, name: constraint.name.name)
  }
}
