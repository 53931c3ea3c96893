package import MigrationPlanning
package import PostgresClient
package import SQLSyntax

extension SchemaInspection {
  /// Returns what keeps the tables of the schema from being filled in place: whatever takes a filled
  /// row for one that the application has changed, or does not let us see or change every row.
  ///
  /// - Parameters:
  ///   - table: The only table; all of them if there is none.
  ///   - connection: A connection.
  /// - Returns: The obstacles.
  /// - Throws: The server's error.
  package func fillObstacles(
    of table: SQLIdentifier? = nil,
    _ connection: borrowing PostgresConnection
  ) throws -> FillObstacles {
    var obstacles = FillObstacles()
    for row in try connection.query(fillObstacleQuery(of: table)) {
      guard let table = row["relname"], let kind = row["kind"] else { continue }
      let name = row["name"] ?? ""
      let words = "table \"\(table)\""
      let reason =
        switch kind {
        case "trigger":
          FillObstacle.trigger(name, noticesFillsOf: table).reason
        case "later trigger":
          FillObstacle.trigger(name, runsLaterOn: table).reason
        case "rule": "rule \"\(name)\" of \(words) is for updates"
        case "publication":
          "\(words) is published by publication \"\(name)\", whose subscribers lack "
            + "the columns"
        case "row security": "policies hide rows of \(words)"
        case "inheritance": "\(words) has partitions or children, or is one"
        default: "column \"\(name)\" of \(words) has rights, a comment or settings of its own"
        }
      let identifier = SQLIdentifier(table)
      if kind == "settings" {
        obstacles.columns[ColumnReference(table: identifier, column: SQLIdentifier(name))] = reason
      } else if obstacles.tables[identifier] == nil {
        obstacles.tables[identifier] = reason
      }
    }
    return obstacles
  }

  /// Returns the tables of the schema with columns that are being filled.
  package func filledTables(
    _ connection: borrowing PostgresConnection
  ) throws -> Set<SQLIdentifier> {
    let query: SQLFragment = """
      SELECT DISTINCT c.relname FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid \
      JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_proc p ON p.oid = t.tgfoid \
      JOIN pg_namespace s ON s.oid = p.pronamespace WHERE NOT t.tgisinternal \
      AND n.nspname = \(text: store.schema.name) AND s.nspname = \(text: store.stagingSchema.name)
      """
    return Set(try connection.query(query).compactMap { $0["relname"].map { SQLIdentifier($0) } })
  }

  /// Returns whether the server refuses rows without a value in columns that are being filled.
  func hasPromises(_ connection: borrowing PostgresConnection) throws -> Bool {
    let query: SQLFragment = """
      SELECT 1 FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid \
      JOIN pg_namespace n ON n.oid = c.relnamespace \
      JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = ANY (k.conkey) \
      WHERE k.contype = 'c' AND n.nspname = \(text: store.schema.name) \
      AND starts_with(k.conname, \(text: FilledColumn.temporaryPrefix)) \
      AND starts_with(a.attname, \(text: FilledColumn.temporaryPrefix)) LIMIT 1
      """
    return try !connection.query(query).isEmpty
  }

  private func fillObstacleQuery(of table: SQLIdentifier?) -> SQLFragment {
    let isMeant: SQLFragment = table.map { "c.relname = \(text: $0.name)" } ?? "true"
    return """
      SELECT c.relname, o.kind, o.name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace \
      CROSS JOIN LATERAL ( \
      SELECT 'trigger' AS kind, t.tgname AS name FROM pg_trigger t JOIN pg_proc p ON p.oid = t.tgfoid \
      JOIN pg_namespace s ON s.oid = p.pronamespace WHERE t.tgrelid = c.oid AND NOT t.tgisinternal \
      AND t.tgtype & 16 <> 0 AND t.tgenabled IN ('O', 'A') AND (t.tgattr::text = '' \
      OR EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum = ANY (t.tgattr) \
      AND starts_with(a.attname, \(text: FilledColumn.temporaryPrefix)))) \
      AND s.nspname <> \(text: store.stagingSchema.name) \
      AND (t.tgname <> \(text: BridgeTrigger.update.name) OR t.tgqual IS NULL) \
      UNION ALL SELECT 'later trigger', t.tgname FROM pg_trigger t WHERE t.tgrelid = c.oid \
      AND NOT t.tgisinternal AND t.tgtype & 3 = 3 AND t.tgtype & 20 <> 0 AND t.tgenabled <> 'D' \
      AND t.tgname COLLATE "C" > \(text: FillStatements.trigger.name) COLLATE "C" \
      UNION ALL SELECT 'rule', r.rulename FROM pg_rewrite r WHERE r.ev_class = c.oid \
      AND r.ev_type = '2' AND r.ev_enabled <> 'D' \
      UNION ALL SELECT 'publication', p.pubname FROM pg_publication p WHERE p.puballtables \
      OR EXISTS (SELECT FROM pg_publication_namespace m WHERE m.pnpubid = p.oid AND m.pnnspid = n.oid) \
      OR EXISTS (SELECT FROM pg_publication_rel m WHERE m.prpubid = p.oid AND m.prrelid = c.oid \
      AND m.prattrs IS NULL) \
      UNION ALL SELECT 'row security', c.relname WHERE c.relforcerowsecurity \
      UNION ALL SELECT 'inheritance', c.relname WHERE c.relkind = 'p' OR c.relispartition \
      OR EXISTS (SELECT FROM pg_inherits i WHERE c.oid IN (i.inhrelid, i.inhparent)) \
      UNION ALL SELECT 'settings', a.attname FROM pg_attribute a JOIN pg_type y ON y.oid = a.atttypid \
      WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND (a.attacl IS NOT NULL \
      OR array_to_string(a.attoptions, ' ') LIKE '%n\\_distinct%' OR a.attstattarget >= 0 OR a.attcompression <> '' \
      OR a.attstorage <> y.typstorage \
      OR EXISTS (SELECT FROM pg_description d WHERE d.classoid = 'pg_class'::regclass \
      AND d.objoid = c.oid AND d.objsubid = a.attnum) \
      OR EXISTS (SELECT FROM pg_seclabel l WHERE l.classoid = 'pg_class'::regclass \
      AND l.objoid = c.oid AND l.objsubid = a.attnum))) o \
      WHERE n.nspname = \(text: store.schema.name) AND c.relkind IN ('r', 'p') AND \(isMeant) \
      ORDER BY c.relname, o.kind, o.name
      """
  }
}
