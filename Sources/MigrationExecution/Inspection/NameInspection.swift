package import PostgresClient
package import SQLSyntax

/// Looks up the names in authored SQL, without running any of it.
package enum NameInspection {
  /// Returns the names that the database does not have, with the schemas that have an object of the
  /// same name.
  ///
  /// Unqualified names are looked up among those of the server, as in the sessions of migrations.
  ///
  /// - Parameters:
  ///   - references: The names.
  ///   - connection: The database.
  /// - Returns: The missing ones.
  /// - Throws: The server's error.
  package static func missing(
    among references: [WrittenReference],
    _ connection: borrowing PostgresConnection
  ) throws -> [WrittenReference: [SQLIdentifier]] {
    guard !references.isEmpty else { return [:] }
    let rows = references.enumerated().map { index, reference -> SQLFragment in
      let schema = SQLLiteral.text(reference.schema?.name ?? "pg_catalog")
      return """
        (\(index), \(schema), \
        \(SQLLiteral.boolean(reference.schema == nil)), \(text: reference.name.name))
        """
    }
    let found = try connection.query(
      """
      WITH known AS (
        SELECT p.proname AS name, p.pronamespace AS namespace FROM pg_catalog.pg_proc p
        UNION SELECT t.typname, t.typnamespace FROM pg_catalog.pg_type t
        UNION SELECT c.relname, c.relnamespace FROM pg_catalog.pg_class c
      )
      SELECT q.number, (SELECT pg_catalog.string_agg(n.nspname, E'\\n' ORDER BY n.nspname)
        FROM known k JOIN pg_catalog.pg_namespace n ON n.oid = k.namespace
        WHERE k.name = q.name AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema') AS schemas
      FROM (VALUES \(rows.joined(separator: ", "))) AS q(number, schema, is_plain, name)
      WHERE NOT EXISTS (SELECT FROM known k JOIN pg_catalog.pg_namespace n ON n.oid = k.namespace
        WHERE k.name = q.name AND n.nspname = q.schema)
      AND NOT (q.is_plain AND EXISTS (SELECT FROM pg_catalog.pg_get_keywords() w WHERE w.word = q.name))
      """
    )
    var missing: [WrittenReference: [SQLIdentifier]] = [:]
    for row in found {
      guard let number = row["number"].flatMap({ Int($0) }), references.indices.contains(number)
      else { continue }
      let schemas = row["schemas"]?.unicodeScalars.split(separator: "\n").map {
        SQLIdentifier(String($0))
      }
      missing[references[number]] = schemas ?? []
    }
    return missing
  }
}
