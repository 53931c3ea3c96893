internal import SQLSyntax

extension MetadataSchema {
  /// The table of what a store's objects were when it came to its version, since layout 5.
  var definitionTable: [SQLFragment] {
    [
      """
      CREATE TABLE \(relation("object_definition")) (
        store uuid NOT NULL REFERENCES \(relation("store")) ON DELETE CASCADE,
        kind text NOT NULL,
        table_name text NOT NULL,
        name text NOT NULL,
        definition jsonb NOT NULL,
        server_major integer NOT NULL,
        recorded_at timestamp with time zone NOT NULL DEFAULT now(),
        PRIMARY KEY (store, kind, table_name, name)
      )
      """,
      """
      COMMENT ON TABLE \(relation("object_definition")) IS 'What the tables of a store were when it \
      came to its version, facet by facet in the words of the server; verify compares with it'
      """,
    ]
  }

  /// The statements that bring the tables of layout 4 to this one.
  var definitionUpgrade: [SQLFragment] {
    definitionTable + ["GRANT SELECT ON \(relation("object_definition")) TO PUBLIC"]
  }
}
