internal import SQLSyntax

/// The tables and views that the metadata schema consists of.
struct MetadataSchema {
  /// The version of this layout; a tool that finds a later one leaves the database alone.
  static let layoutVersion = 13

  let name: SQLIdentifier

  func relation(_ relation: SQLIdentifier) -> QualifiedName {
    QualifiedName(schema: name, name: relation)
  }

  /// The statements that create the schema if it does not exist.
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
        (\(Self.layoutVersion), \(text: toolVersion))
        """
      ]
  }

  private var tables: [SQLFragment] {
    [
      """
      CREATE TABLE \(relation("metadata")) (
        layout_version integer NOT NULL,
        tool_version text NOT NULL,
        installed_at timestamp with time zone NOT NULL DEFAULT now(),
        is_development boolean NOT NULL DEFAULT false,
        server_speed text
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
        lineage json,
        files_digest text,
        partitions_due timestamp with time zone,
        served json,
        interfaces json,
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
        is_draft boolean NOT NULL DEFAULT false,
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

  /// One row for each attempt, with the role and the plan of the last entry: another role may have begun it,
  /// and its plan may have grown since.
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

extension MetadataSchema {
  /// The table of stores that are being created in several transactions, since layout 2.
  var creationTable: [SQLFragment] {
    [
      """
      CREATE TABLE \(relation("store_creation")) (
        schema_name text NOT NULL,
        model_name text NOT NULL,
        configuration text,
        version_name text NOT NULL,
        checksum text NOT NULL,
        layout_digest text NOT NULL,
        layout_rules integer NOT NULL,
        model json NOT NULL,
        plan_digest text NOT NULL,
        done integer NOT NULL,
        total integer NOT NULL,
        tool_version text NOT NULL,
        started_at timestamp with time zone NOT NULL DEFAULT now(),
        updated_at timestamp with time zone NOT NULL DEFAULT now(),
        PRIMARY KEY (schema_name, model_name)
      )
      """
    ]
  }

  /// The statements that upgrade the schema from an earlier layout, in place.
  func upgrade(from version: Int) -> [SQLFragment] {
    guard version < Self.layoutVersion else { return [] }
    var statements: [SQLFragment] = []
    if version < 2 { statements += creationTable + grants(["store_creation"]) }
    if version < 3 {
      statements += jobTables + [jobProgressView] + jobComments
      statements += grants(["job", "job_chunk", "job_source", "job_event", "job_progress"])
    } else if version < 4 {
      statements += jobUpgrade
    }
    if version < 4 { statements += grants(["job_carried", "job_validation"]) }
    if version < 5 {
      statements += historyUpgrade + definitionTable + deferredWorkObjects
      statements += grants(["object_definition", "late_work", "pending"])
    }
    if version < 6 {
      statements += retentionUpgrade + unexpressedTable
      statements += grants(["made_table", "unexpressed_object"])
    }
    if version < 7 { statements += [clearedBounds] + withheldBounds }
    if version < 8 { statements += draftsUpgrade }
    if version >= 3, version < 9 { statements.append(strategiesUpgrade) }
    if version < 10 { statements.append(filesUpgrade) }
    if version < 11 { statements.append(speedUpgrade) }
    if version < 12 { statements.append(partitionsUpgrade) }
    if version < 13 { statements.append(interfacesUpgrade) }
    return statements + withdrawnRights(since: version) + [
      """
      UPDATE \(relation("metadata")) SET layout_version = \
      \(Self.layoutVersion), tool_version = \(text: toolVersion)
      """
    ]
  }

  /// The columns of the audit log for applications and approvals, since layout 5.
  private var historyUpgrade: [SQLFragment] {
    [
      """
      ALTER TABLE \(relation("history_event")) ADD COLUMN IF NOT EXISTS application text, \
      ADD COLUMN IF NOT EXISTS approved_digest text, ADD COLUMN IF NOT EXISTS approved_by text
      """
    ]
  }

  /// The mark of a database for development, the versions that are being written, and those that a
  /// version came after, since layout 8.
  private var draftsUpgrade: [SQLFragment] {
    [
      """
      ALTER TABLE \(relation("metadata")) \
      ADD COLUMN IF NOT EXISTS is_development boolean NOT NULL DEFAULT false
      """,
      "ALTER TABLE \(relation("store")) ADD COLUMN IF NOT EXISTS lineage json",
      """
      ALTER TABLE \(relation("model_version")) \
      ADD COLUMN IF NOT EXISTS is_draft boolean NOT NULL DEFAULT false
      """,
    ]
  }

  /// The digest of the files by which a store is at its version, since layout 10.
  private var filesUpgrade: SQLFragment {
    "ALTER TABLE \(relation("store")) ADD COLUMN IF NOT EXISTS files_digest text"
  }

  /// When a store's tables need further partitions, since layout 12.
  private var partitionsUpgrade: SQLFragment {
    """
    ALTER TABLE \(relation("store")) \
    ADD COLUMN IF NOT EXISTS partitions_due timestamp with time zone
    """
  }

  /// The versions that a store serves, and the same with their views, since layout 13.
  private var interfacesUpgrade: SQLFragment {
    """
    ALTER TABLE \(relation("store")) \
    ADD COLUMN IF NOT EXISTS served json, ADD COLUMN IF NOT EXISTS interfaces json
    """
  }

  /// How fast the server works, since layout 11.
  private var speedUpgrade: SQLFragment {
    "ALTER TABLE \(relation("metadata")) ADD COLUMN IF NOT EXISTS server_speed text"
  }

  /// The tables that a mapping model had filled when a step ended, since layout 6; they show
  /// whether anything was written since.
  var madeTables: SQLFragment {
    """
    CREATE TABLE \(relation("made_table")) (
      store uuid NOT NULL REFERENCES \(relation("store")) ON DELETE CASCADE,
      version_name text NOT NULL,
      table_name text NOT NULL,
      table_oid oid NOT NULL,
      is_authored boolean NOT NULL,
      transaction_id xid8 NOT NULL DEFAULT pg_current_xact_id(),
      snapshot pg_snapshot NOT NULL DEFAULT pg_current_snapshot(),
      row_count bigint,
      PRIMARY KEY (store, version_name, table_name)
    )
    """
  }

  /// The columns of the audit log for other work than migrations, and the origins of retained
  /// objects, since layout 6.
  private var retentionUpgrade: [SQLFragment] {
    [
      """
      ALTER TABLE \(relation("history_event")) \
      ADD COLUMN IF NOT EXISTS kind text NOT NULL DEFAULT 'migration'
      """,
      "ALTER TABLE \(relation("retained_object")) ADD COLUMN IF NOT EXISTS origin json",
      madeTables,
      historyView,
    ]
  }

  private func grants(_ names: [SQLIdentifier]) -> [SQLFragment] {
    names.map { "GRANT SELECT ON \(relation($0)) TO PUBLIC" }
  }
}

extension MetadataSchema {
  /// The table with the definitions of a store's objects when it reached its version, since layout
  /// 5.
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
}

/// Deferred work, since layout 5.
extension MetadataSchema {
  /// The table of deferred work, and the view of the work that is not done.
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

extension MetadataSchema {
  private var jobStates: SQLFragment {
    CopyJob.State.allCases.map { "\(text: $0.rawValue)" as SQLFragment }
      .joined(separator: ", ")
  }

  private var jobStrategies: SQLFragment { "'gated', 'online', 'filled'" }

  /// Lets jobs fill columns in place, since layout 9.
  private var strategiesUpgrade: SQLFragment {
    """
    ALTER TABLE \(relation("job")) DROP CONSTRAINT job_strategy_check, \
    ADD CONSTRAINT job_strategy_check CHECK (strategy IN (\(jobStrategies)))
    """
  }

  /// The tables of copy jobs, since layout 3.
  var jobTables: [SQLFragment] {
    [
      """
      CREATE TABLE \(relation("job")) (
        id uuid PRIMARY KEY,
        schema_name text NOT NULL,
        model_name text NOT NULL,
        from_version text,
        to_version text NOT NULL,
        plan_digest text NOT NULL,
        strategy text NOT NULL CHECK (strategy IN (\(jobStrategies))),
        state text NOT NULL CHECK (state IN (\(jobStates))),
        epoch bigint NOT NULL,
        paused boolean NOT NULL DEFAULT false,
        staging_schema text NOT NULL,
        backlog bigint,
        owner text NOT NULL DEFAULT session_user,
        owner_pid integer NOT NULL DEFAULT pg_backend_pid(),
        last_error text,
        last_sqlstate text,
        tool_version text NOT NULL,
        created_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
        updated_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
        ended_at timestamp with time zone,
        copy_digest text
      )
      """,
      """
      CREATE UNIQUE INDEX job_unfinished_idx ON \(relation("job")) (schema_name, model_name) \
      WHERE state NOT IN ('finished', 'aborted')
      """,
      """
      CREATE TABLE \(relation("job_chunk")) (
        job uuid NOT NULL REFERENCES \(relation("job")) ON DELETE CASCADE,
        part integer NOT NULL,
        no integer NOT NULL,
        name text NOT NULL,
        lower_bound text,
        upper_bound text,
        state text NOT NULL DEFAULT 'todo' CHECK (state IN ('todo', 'done', 'split')),
        rows_out bigint,
        milliseconds double precision,
        epoch bigint,
        finished_at timestamp with time zone,
        verified boolean NOT NULL DEFAULT false,
        PRIMARY KEY (job, part, no)
      )
      """,
      """
      CREATE INDEX job_chunk_todo_idx ON \(relation("job_chunk")) (job, part, no) \
      WHERE state = 'todo'
      """,
      """
      CREATE TABLE \(relation("job_source")) (
        job uuid NOT NULL REFERENCES \(relation("job")) ON DELETE CASCADE,
        table_name text NOT NULL,
        fingerprint text NOT NULL,
        PRIMARY KEY (job, table_name)
      )
      """,
      """
      CREATE TABLE \(relation("job_event")) (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        job uuid NOT NULL REFERENCES \(relation("job")) ON DELETE CASCADE,
        epoch bigint NOT NULL,
        happened_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
        kind text NOT NULL,
        detail text,
        role text NOT NULL DEFAULT session_user
      )
      """,
    ] + laterJobTables
  }

  /// The tables of copy jobs that there are since layout 4.
  private var laterJobTables: [SQLFragment] {
    [
      """
      CREATE TABLE \(relation("job_carried")) (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        job uuid NOT NULL REFERENCES \(relation("job")) ON DELETE CASCADE,
        creation text NOT NULL,
        removal text NOT NULL
      )
      """,
      """
      CREATE TABLE \(relation("job_validation")) (
        job uuid NOT NULL REFERENCES \(relation("job")) ON DELETE CASCADE,
        no integer NOT NULL,
        table_name text NOT NULL,
        constraint_name text NOT NULL,
        validated_at timestamp with time zone,
        PRIMARY KEY (job, no)
      )
      """,
    ]
  }

  /// The statements that upgrade the tables of layout 3.
  var jobUpgrade: [SQLFragment] {
    [
      """
      ALTER TABLE \(relation("job")) ADD COLUMN copy_digest text, \
      DROP CONSTRAINT job_state_check, \
      ADD CONSTRAINT job_state_check CHECK (state IN (\(jobStates)))
      """
    ] + laterJobTables + [jobProgressView] + laterJobComments
  }

  /// Withholds the bounds of ranges, which are keys of rows, from those who only look, since layout 7.
  var withheldBounds: [SQLFragment] {
    let others: [SQLIdentifier] = [
      "job", "part", "no", "name", "state", "rows_out", "milliseconds", "epoch", "finished_at",
      "verified",
    ]
    return [
      "REVOKE SELECT ON \(relation("job_chunk")) FROM PUBLIC",
      "GRANT SELECT (\(others)) ON \(relation("job_chunk")) TO PUBLIC",
    ]
  }

  /// Forgets the bounds of jobs that have ended before layout 7.
  var clearedBounds: SQLFragment {
    """
    UPDATE \(relation("job_chunk")) SET lower_bound = NULL, upper_bound = NULL \
    WHERE job IN (SELECT id FROM \(relation("job")) WHERE state IN ('finished', 'aborted')) \
    AND (lower_bound IS NOT NULL OR upper_bound IS NOT NULL)
    """
  }

  /// The progress of each job, for people without the tool.
  var jobProgressView: SQLFragment {
    """
    CREATE OR REPLACE VIEW \(relation("job_progress")) AS
      SELECT j.id AS job, j.schema_name, j.model_name, j.from_version, j.to_version, j.strategy, \
    j.state, j.paused, c.chunks_done, c.chunks_total, c.chunks_verified, c.rows_copied, \
    c.rows_per_second, CASE WHEN j.state IN ('prepared', 'copying') THEN \
    make_interval(secs => c.mean_seconds * (c.chunks_total - c.chunks_done)) END AS \
    remaining_estimate, j.backlog AS backlog_estimate, j.last_error, j.last_sqlstate, j.owner, \
    j.owner_pid, EXISTS (SELECT FROM pg_catalog.pg_stat_activity a WHERE a.pid = j.owner_pid AND \
    a.application_name = 'remodel') AND j.ended_at IS NULL AS owner_is_connected, j.epoch, \
    j.created_at, j.updated_at, j.ended_at, (SELECT count(*) FROM \(relation("job_validation")) v \
    WHERE v.job = j.id AND v.validated_at IS NULL) AS unvalidated_constraints
      FROM \(relation("job")) j LEFT JOIN LATERAL (
        SELECT count(*) FILTER (WHERE state = 'done') AS chunks_done, \
    count(*) FILTER (WHERE state <> 'split') AS chunks_total, \
    count(*) FILTER (WHERE verified) AS chunks_verified, \
    coalesce(sum(rows_out), 0)::bigint AS rows_copied, \
    (sum(rows_out) * 1000 / nullif(sum(milliseconds), 0))::bigint AS rows_per_second, \
    avg(milliseconds) / 1000 AS mean_seconds
        FROM \(relation("job_chunk")) WHERE job = j.id) c ON true
    """
  }

  /// The comments on the relations of jobs.
  var jobComments: [SQLFragment] {
    [
      """
      COMMENT ON VIEW \(relation("job_progress")) IS 'How far each copy job has come: rows_per_second \
      is what one worker copies while it copies, remaining_estimate is for one worker without pauses, \
      backlog_estimate counts changes that are still to be copied again'
      """,
      "COMMENT ON TABLE \(relation("job")) IS 'Copy jobs; at most one of a store is not ended'",
      """
      COMMENT ON TABLE \(relation("job_chunk")) IS 'The ranges of keys that a copy job takes one \
      transaction for each; the lower bound belongs to a range and the upper does not, none is open'
      """,
      """
      COMMENT ON TABLE \(relation("job_source")) IS 'What the tables that a copy job reads have to \
      look like while it runs'
      """,
      "COMMENT ON TABLE \(relation("job_event")) IS 'What happened to copy jobs'",
    ] + laterJobComments
  }

  private var laterJobComments: [SQLFragment] {
    [
      """
      COMMENT ON TABLE \(relation("job_carried")) IS 'What tables that are made by copy jobs have got \
      from those that they take the places of, and what undoes it'
      """,
      """
      COMMENT ON TABLE \(relation("job_validation")) IS 'The foreign keys that are validated when a \
      copy has come to its place'
      """,
    ]
  }
}

extension MetadataSchema {
  /// Revokes the rights that default privileges granted to others: SQL in the metadata is executed,
  /// so only its owner may write to it.
  ///
  /// - Parameter layout: The layout before, whose relations keep their rights; `nil` if all of them
  ///   are new.
  /// - Returns: Statements for the transaction that has created the relations.
  func withdrawnRights(since layout: Int?) -> [SQLFragment] {
    let names = MetadataRelation.all.filter { $0.layout > layout ?? 0 }
      .map { "\(text: $0.name.name)" as SQLFragment }
    let namespace = SQLLiteral.text(name.name)
    let grantee: SQLFragment = "coalesce(nullif(a.grantee, 0::oid)::regrole::text, 'PUBLIC')"
    var withdrawals: [SQLFragment] = []
    if !names.isEmpty {
      withdrawals.append(
        """
        SELECT format('REVOKE %s ON %s %s FROM %s CASCADE', \
        string_agg(DISTINCT a.privilege_type, ', '), \
        CASE c.relkind WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END, c.oid::regclass, \(grantee)) \
        FROM pg_namespace n JOIN pg_class c ON c.relnamespace = n.oid, aclexplode(c.relacl) a \
        WHERE n.nspname = \(namespace) AND (c.relname IN (\(names.joined(separator: ", "))) \
        OR c.relkind = 'S') \
        AND a.grantee <> c.relowner AND (a.grantee <> 0 OR a.privilege_type <> 'SELECT') \
        GROUP BY c.oid, a.grantee
        """
      )
    }
    if layout == nil {
      withdrawals.append(
        """
        SELECT format('REVOKE CREATE ON SCHEMA %I FROM %s CASCADE', n.nspname, \(grantee)) \
        FROM pg_namespace n, aclexplode(n.nspacl) a WHERE n.nspname = \(namespace) \
        AND n.xmin = pg_current_xact_id()::xid \
        AND a.privilege_type = 'CREATE' AND a.grantee <> n.nspowner AND NOT EXISTS (\
        SELECT FROM pg_roles r WHERE r.oid = a.grantee AND r.rolname = current_user)
        """
      )
    }
    guard !withdrawals.isEmpty else { return [] }
    let body: SQLFragment = """

      DECLARE
        withdrawal text;
      BEGIN
        FOR withdrawal IN \(withdrawals.joined(separator: " UNION ALL ")) LOOP
          EXECUTE withdrawal;
        END LOOP;
      END

      """
    return ["DO \(body.dollarQuoted)"]
  }
}
