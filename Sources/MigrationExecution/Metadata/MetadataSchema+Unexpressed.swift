internal import CatalogComparison
internal import SQLSyntax

extension MetadataSchema {
  /// The table of adopted objects that no model can describe, since layout 6.
  var unexpressedTable: [SQLFragment] {
    [
      """
      CREATE TABLE \(relation("unexpressed_object")) (
        store uuid NOT NULL REFERENCES \(relation("store")) ON DELETE CASCADE,
        kind text NOT NULL,
        table_name text NOT NULL,
        table_id oid,
        name text NOT NULL,
        recorded_at timestamp with time zone NOT NULL DEFAULT now(),
        PRIMARY KEY (store, kind, table_name, name)
      )
      """,
      """
      COMMENT ON TABLE \(relation("unexpressed_object")) IS 'What the tables of a store had when it \
      was adopted and no model has words for; no drift'
      """,
    ]
  }
}

extension MetadataStatements {
  /// The recorded objects of adopted tables that no model can describe, with the former and current
  /// names of the tables.
  var unexpressedObjects: SQLFragment {
    """
    SELECT u.kind, u.table_name, c.relname AS current_name, u.name \
    FROM \(relation("unexpressed_object")) u LEFT JOIN pg_class c ON c.oid = u.table_id \
    AND c.relnamespace = (SELECT oid FROM pg_namespace \
    WHERE nspname = \(text: store.schema.name)) WHERE u.store = \(storeID)
    """
  }

  /// Records objects of adopted tables that no model can describe.
  func recordingUnexpressed(_ objects: [CatalogObject]) -> [SQLFragment] {
    objects.map { object in
      let table = QualifiedName(schema: store.schema, name: SQLIdentifier(object.table))
      return """
        INSERT INTO \(relation("unexpressed_object")) (store, kind, table_name, table_id, name) \
        VALUES (\(storeID), \(text: object.kind.rawValue), \
        \(text: object.table), to_regclass(\(text: table.quoted))::oid, \
        \(text: object.name))
        """
    }
  }
}
