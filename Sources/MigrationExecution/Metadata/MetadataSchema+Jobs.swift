internal import SQLSyntax

extension MetadataSchema {
  /// What a job can be at.
  private var jobStates: SQLFragment {
    CopyJob.State.allCases.map { "\(SQLLiteral.text($0.rawValue))" as SQLFragment }
      .joined(separator: ", ")
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
        strategy text NOT NULL CHECK (strategy IN ('gated', 'online')),
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

  /// The statements that bring the tables of layout 3 to this one.
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

  /// How far each job has come, for people without the tool.
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

  /// What the relations of jobs are, said in the catalog.
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
