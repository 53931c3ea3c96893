internal import SQLSyntax

/// What is done when a version is recorded already, since layout 5.
extension MetadataSchema {
  /// The table of deferred work, and the view of what is left of it.
  var deferredWorkObjects: [SQLFragment] {
    [
      """
      CREATE TABLE \(relation("late_work")) (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        schema_name text NOT NULL,
        model_name text NOT NULL,
        version_name text NOT NULL,
        phase text NOT NULL CHECK (phase IN ('now', 'deferred')),
        kind text NOT NULL,
        table_name text NOT NULL,
        object_name text NOT NULL,
        statements text NOT NULL,
        created_at timestamp with time zone NOT NULL DEFAULT now(),
        began_at timestamp with time zone,
        done_at timestamp with time zone,
        role text,
        last_error text,
        last_sqlstate text
      )
      """,
      """
      CREATE INDEX late_work_pending_idx ON \(relation("late_work")) (schema_name, model_name) \
      WHERE done_at IS NULL
      """,
      """
      CREATE VIEW \(relation("pending")) AS
        SELECT s.id AS store, w.schema_name, w.model_name, w.version_name AS version, w.phase, \
      w.kind, w.table_name, w.object_name, w.statements, w.created_at, w.began_at, w.last_error, \
      w.last_sqlstate
        FROM \(relation("late_work")) w JOIN \(relation("store")) s \
      ON s.schema_name = w.schema_name AND s.model_name = w.model_name
        WHERE w.done_at IS NULL
      """,
      """
      COMMENT ON TABLE \(relation("late_work")) IS 'What online migrations do to large tables after \
      the version is recorded: what a release relies on in phase now, all else in phase deferred'
      """,
      """
      COMMENT ON VIEW \(relation("pending")) IS 'What online migrations have left to do: migrate does \
      what is in phase now, finish does all of it'
      """,
    ]
  }
}
