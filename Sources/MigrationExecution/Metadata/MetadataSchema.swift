internal import SQLSyntax

/// The tables and views that the metadata schema consists of.
struct MetadataSchema {
  /// The version of this layout; a tool that finds a later one leaves the database alone.
  static let layoutVersion = 7

  let name: SQLIdentifier

  func relation(_ relation: SQLIdentifier) -> QualifiedName {
    QualifiedName(schema: name, name: relation)
  }

  /// The statements that make the schema where it is not there yet.
  var creation: [SQLFragment] {
    [
      "CREATE SCHEMA IF NOT EXISTS \(name)",
      """
      COMMENT ON SCHEMA \(name) IS 'What remodel knows of the stores in this database: their model \
      versions, their history, what is retained'
      """,
    ] + tables + creationTable + jobTables + definitionTable + [madeTables] + unexpressedTable
      + views + [
        jobProgressView
      ]
      + jobComments + deferredWorkObjects + withdrawnRights(since: nil) + [
        "GRANT USAGE ON SCHEMA \(name) TO PUBLIC",
        "GRANT SELECT ON ALL TABLES IN SCHEMA \(name) TO PUBLIC",
      ] + withheldBounds + [
        """
        INSERT INTO \(relation("metadata")) (layout_version, tool_version) VALUES \
        (\(SQLLiteral.integer(Int64(Self.layoutVersion))), \(SQLLiteral.text(toolVersion)))
        """
      ]
  }

  private var tables: [SQLFragment] {
    [
      """
      CREATE TABLE \(relation("metadata")) (
        layout_version integer NOT NULL,
        tool_version text NOT NULL,
        installed_at timestamp with time zone NOT NULL DEFAULT now()
      )
      """,
      """
      CREATE TABLE \(relation("store")) (
        id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
        schema_name text NOT NULL,
        model_name text NOT NULL,
        configuration text,
        version_name text NOT NULL,
        checksum text NOT NULL,
        layout_digest text NOT NULL,
        layout_rules integer NOT NULL,
        entity_version_hashes json NOT NULL,
        tool_version text NOT NULL,
        created_at timestamp with time zone NOT NULL DEFAULT now(),
        updated_at timestamp with time zone NOT NULL DEFAULT now(),
        UNIQUE (schema_name, model_name)
      )
      """,
      """
      CREATE TABLE \(relation("model_version")) (
        store uuid NOT NULL REFERENCES \(relation("store")) ON DELETE CASCADE,
        version_name text NOT NULL,
        checksum text NOT NULL,
        layout_digest text NOT NULL,
        model json NOT NULL,
        recorded_at timestamp with time zone NOT NULL DEFAULT now(),
        PRIMARY KEY (store, version_name, checksum, layout_digest)
      )
      """,
      """
      CREATE TABLE \(relation("store_table")) (
        store uuid NOT NULL REFERENCES \(relation("store")) ON DELETE CASCADE,
        table_name text NOT NULL,
        PRIMARY KEY (store, table_name)
      )
      """,
      """
      CREATE TABLE \(relation("retained_object")) (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        store uuid NOT NULL REFERENCES \(relation("store")) ON DELETE CASCADE,
        table_name text NOT NULL,
        column_name text,
        version_name text NOT NULL,
        relation_names json NOT NULL,
        restoration json NOT NULL,
        origin json,
        retained_at timestamp with time zone NOT NULL DEFAULT now()
      )
      """,
      """
      CREATE TABLE \(relation("history_event")) (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        attempt uuid NOT NULL,
        event text NOT NULL CHECK (event IN ('started', 'succeeded', 'failed')),
        happened_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
        started_at timestamp with time zone NOT NULL,
        schema_name text NOT NULL,
        model_name text NOT NULL,
        from_version text,
        from_checksum text,
        to_version text NOT NULL,
        to_checksum text NOT NULL,
        plan_digest text NOT NULL,
        statements text,
        sqlstate text,
        error text,
        role text NOT NULL DEFAULT session_user,
        client inet DEFAULT inet_client_addr(),
        tool_version text NOT NULL,
        application text,
        approved_digest text,
        approved_by text,
        kind text NOT NULL DEFAULT 'migration'
      )
      """,
    ]
  }

  /// One row for each attempt; whoever ended it says what it came to, since it may have been another
  /// role that began it, with a plan that something was added to later.
  var historyView: SQLFragment {
    """
    CREATE OR REPLACE VIEW \(relation("history")) AS
      SELECT min(id) AS id, attempt, schema_name, model_name, from_version, from_checksum, \
    to_version, to_checksum, (array_agg(plan_digest ORDER BY id DESC))[1] AS plan_digest, \
    min(started_at) AS started_at, max(happened_at) \
    FILTER (WHERE event <> 'started') AS ended_at, coalesce(max(event) FILTER (WHERE event <> \
    'started'), 'started') AS outcome, max(sqlstate) AS sqlstate, max(error) AS error, \
    (array_agg(role ORDER BY id DESC))[1] AS role, max(statements) AS statements, \
    (array_agg(tool_version ORDER BY id DESC))[1] AS tool_version, \
    (array_agg(client ORDER BY id DESC))[1] AS client, \
    (array_agg(application ORDER BY id DESC))[1] AS application, \
    max(happened_at) FILTER (WHERE event <> 'started') - min(started_at) AS duration, \
    (array_agg(approved_digest ORDER BY id DESC))[1] AS approved_digest, \
    (array_agg(approved_by ORDER BY id DESC))[1] AS approved_by, \
    (array_agg(kind ORDER BY id DESC))[1] AS kind
      FROM \(relation("history_event"))
      GROUP BY attempt, schema_name, model_name, from_version, from_checksum, to_version, \
    to_checksum
    """
  }

  private var views: [SQLFragment] {
    [
      """
      CREATE VIEW \(relation("retained")) AS
        SELECT r.store, s.schema_name, r.table_name, r.column_name, r.version_name AS version, \
      r.retained_at
        FROM \(relation("retained_object")) r JOIN \(relation("store")) s ON s.id = r.store
      """,
      """
      COMMENT ON VIEW \(relation("retained")) IS 'Tables and columns that a version dropped and that \
      are still there; column_name is null for a table, version is the last one that had it'
      """,
      historyView,
      """
      COMMENT ON VIEW \(relation("history")) IS 'One row for each migration that began, or whatever else kind says: revert, cleanup, adoption; \
      the outcome is started, succeeded or failed, and one that stays started was killed or is running; approved_by is \
      who looked at the plan of approved_digest, as the caller says'
      """,
    ]
  }
}

/// The version of this tool, as the metadata and `--version` have it.
package let toolVersion = "0.1.0"
