internal import PostgresClient
internal import SQLSyntax

extension PostgresError {
  /// Returns whether a row of the metadata was to get a number that another one has.
  ///
  /// A copy of a database may have the rows of a sequence without its last numbers, as a file system that
  /// was copied before a crash has.
  func isOfMetadataNumber(_ store: StoreIdentity) -> Bool {
    sqlState == .uniqueViolation && schemaName == store.metadataSchema.name
      && constraintName == tableName.map { "\($0)_pkey" }
  }
}

extension MetadataStatements {
  /// Advances the sequences of the metadata beyond the numbers of its rows.
  var numberRepair: SQLFragment {
    let tables: [SQLIdentifier] = [
      "history_event", "retained_object", "job_event", "job_carried",
    ]
    let starts = tables.map { table -> SQLFragment in
      let name = SQLLiteral.text(relation(table).quoted)
      return """
        SELECT pg_catalog.setval(pg_catalog.pg_get_serial_sequence(\(name), 'id'), m.id) \
        FROM (SELECT max(id) AS id FROM \(relation(table))) m WHERE m.id IS NOT NULL
        """
    }
    return starts.joined(separator: "; ")
  }
}
