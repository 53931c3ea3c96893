internal import MigrationPlanning
internal import SQLSyntax

/// The statements that read and write the metadata of one store's copy jobs.
struct CopyJobStatements {
  private let store: StoreIdentity
  private let schema: MetadataSchema

  init(_ store: StoreIdentity) {
    self.store = store
    schema = MetadataSchema(name: store.metadataSchema)
  }

  func relation(_ name: SQLIdentifier) -> QualifiedName { schema.relation(name) }

  private var isThisStore: SQLFragment {
    """
    j.schema_name = \(text: store.schema.name) \
    AND j.model_name = \(text: store.modelName)
    """
  }

  private func id(_ job: String) -> SQLLiteral { .typed(job, "uuid") }

  private func time(_ column: SQLFragment) -> SQLFragment {
    "to_char(\(column) AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.MS\"Z\"')"
  }

  // MARK: - Reading

  /// The jobs of the store, the earliest first.
  ///
  /// Columns of later layouts of the metadata are read in such a way that earlier ones lack them.
  func jobs(where condition: SQLFragment = "true") -> SQLFragment {
    """
    SELECT j.id, j.from_version, j.to_version, j.plan_digest, j.strategy, j.state, j.paused, \
    j.staging_schema, j.epoch, p.chunks_done, p.chunks_total, p.rows_copied, p.rows_per_second, \
    extract(epoch FROM p.remaining_estimate) AS remaining, j.backlog, j.owner, j.owner_pid, \
    p.owner_is_connected, to_jsonb(j) ->> 'copy_digest' AS copy_digest, \
    to_jsonb(p) ->> 'unvalidated_constraints' AS unvalidated_constraints, to_jsonb(p) ->> 'chunks_verified' AS chunks_verified, \
    j.last_error, \(time("j.created_at")) AS created_at, \
    \(time("j.updated_at")) AS updated_at, \(time("j.ended_at")) AS ended_at \
    FROM \(relation("job")) j JOIN \(relation("job_progress")) p ON p.job = j.id \
    WHERE \(isThisStore) AND \(condition) ORDER BY j.created_at
    """
  }

  /// The job of the store that is not ended.
  var unfinished: SQLFragment { jobs(where: "j.state NOT IN ('finished', 'aborted')") }

  /// The events of a job, the earliest first.
  func events(of job: String) -> SQLFragment {
    """
    SELECT \(time("happened_at")) AS happened_at, kind, detail, role \
    FROM \(relation("job_event")) WHERE job = \(id(job)) ORDER BY id
    """
  }

  /// Whether a job is paused, and its state.
  func state(of job: String) -> SQLFragment {
    "SELECT state, paused, epoch FROM \(relation("job")) WHERE id = \(id(job))"
  }

  // MARK: - Owning

  /// Records a job, and returns its name.
  func creation(of step: MigrationStep, _ copy: CopyPlan) -> SQLFragment {
    """
    INSERT INTO \(relation("job")) (id, schema_name, model_name, from_version, to_version, \
    plan_digest, strategy, staging_schema, tool_version, copy_digest, state, epoch) \
    VALUES (gen_random_uuid(), \(text: store.schema.name), \(text: store.modelName), \
    \(text: step.source?.name), \(text: step.destination.name), \(text: step.digest), \
    \(text: step.strategy.rawValue), \(text: copy.stagingSchema.name), \(text: toolVersion), \
    \(text: step.copyDigest), 'prepared', 1) RETURNING id
    """
  }

  /// Makes this session the owner: no transaction of an earlier owner commits afterwards.
  ///
  /// - Parameters:
  ///   - job: The job.
  ///   - step: The current step; `nil` if it is done.
  /// - Returns: The statement.
  func claim(_ job: String, for step: MigrationStep?) -> SQLFragment {
    let digest: SQLFragment =
      step.map { ", plan_digest = \(text: $0.digest)" } ?? ""
    return """
      UPDATE \(relation("job")) SET epoch = epoch + 1, owner = session_user, \
      owner_pid = pg_backend_pid(), updated_at = clock_timestamp()\(digest) \
      WHERE id = \(id(job)) AND state NOT IN ('finished', 'aborted') RETURNING epoch, state, strategy
      """
  }

  /// One row as long as the owner is still the owner; who takes the job over waits for the transaction.
  ///
  /// - Parameters:
  ///   - job: The job.
  ///   - epoch: The number of the owner.
  ///   - isExclusive: Whether the transaction changes the row.
  /// - Returns: The statement.
  func fence(_ job: String, epoch: Int, isExclusive: Bool) -> SQLFragment {
    """
    SELECT state, paused FROM \(relation("job")) WHERE id = \(id(job)) \
    AND epoch = \(epoch) FOR \(isExclusive ? "UPDATE" as SQLFragment : "SHARE")
    """
  }

  /// Moves a job on.
  func transition(
    _ job: String,
    epoch: Int,
    from old: CopyJob.State,
    to new: CopyJob.State
  ) -> SQLFragment {
    let end: SQLFragment = new.isEnded ? ", ended_at = clock_timestamp(), backlog = NULL" : ""
    return """
      UPDATE \(relation("job")) SET state = \(text: new.rawValue), last_error = NULL, \
      last_sqlstate = NULL, updated_at = clock_timestamp()\(end) WHERE id = \(id(job)) \
      AND epoch = \(epoch) AND state = \(text: old.rawValue)
      """
  }

  /// Moves a job back to be verified again; the error that ended it stays the one to look at.
  func reopening(_ job: String, epoch: Int) -> SQLFragment {
    """
    UPDATE \(relation("job")) SET state = 'verifying', updated_at = clock_timestamp() \
    WHERE id = \(id(job)) AND epoch = \(epoch) AND state = 'ready'
    """
  }

  /// Takes a job away from its owner, who stays the one that is named until it has noticed.
  func abortion(_ job: String) -> SQLFragment {
    """
    UPDATE \(relation("job")) SET state = 'aborting', epoch = epoch + 1, \
    updated_at = clock_timestamp() WHERE id = \(id(job)) \
    AND state NOT IN ('settling', 'finished', 'aborted') RETURNING epoch
    """
  }

  /// Names this session as the one that works on a job.
  func ownership(_ job: String, epoch: Int) -> SQLFragment {
    """
    UPDATE \(relation("job")) SET owner = session_user, owner_pid = pg_backend_pid() \
    WHERE id = \(id(job)) AND epoch = \(epoch)
    """
  }

  /// Enters into the audit log that a job was taken back.
  func cancellation(_ job: String) -> SQLFragment {
    let events = relation("history_event")
    return """
      INSERT INTO \(events) (attempt, event, started_at, schema_name, model_name, from_version, \
      from_checksum, to_version, to_checksum, plan_digest, error, tool_version) SELECT attempt, \
      'failed', started_at, schema_name, model_name, from_version, from_checksum, to_version, \
      to_checksum, plan_digest, 'cancelled', \(text: toolVersion) FROM \(events) \
      WHERE attempt = \(id(job)) AND event = 'started'
      """
  }

  /// Asks a job to pause, or to continue.
  func pausing(_ job: String, _ isPaused: Bool) -> SQLFragment {
    """
    UPDATE \(relation("job")) SET paused = \(SQLLiteral.boolean(isPaused)), \
    updated_at = clock_timestamp() WHERE id = \(id(job)) AND state NOT IN ('finished', 'aborted', \
    'aborting') RETURNING id
    """
  }

  /// Keeps an error for those who look at the job.
  func failure(
    _ job: String,
    epoch: Int,
    _ message: String,
    sqlState: String?
  ) -> SQLFragment {
    """
    UPDATE \(relation("job")) SET last_error = \(text: message), \
    last_sqlstate = \(text: sqlState), updated_at = clock_timestamp() \
    WHERE id = \(id(job)) AND epoch = \(epoch)
    """
  }

  /// Notes how many changes are still to be copied again.
  func backlog(_ job: String, epoch: Int, _ count: Int) -> SQLFragment {
    """
    UPDATE \(relation("job")) SET backlog = \(count), \
    updated_at = clock_timestamp() WHERE id = \(id(job)) \
    AND epoch = \(epoch)
    """
  }

  /// Records an event.
  func event(_ job: String, epoch: Int, _ kind: String, detail: String?) -> SQLFragment {
    """
    INSERT INTO \(relation("job_event")) (job, epoch, kind, detail) VALUES (\(id(job)), \
    \(epoch), \(text: kind), \
    \(text: detail))
    """
  }

  // MARK: - Parts that are carried over

  /// The parts that tables of a job have got from others, the earliest first.
  func carried(by job: String) -> SQLFragment {
    """
    SELECT id, creation, removal FROM \(relation("job_carried")) WHERE job = \(id(job)) ORDER BY id
    """
  }

  /// Records a finished part, with the statement that removes it.
  func carrying(by job: String, _ creation: String, removal: String) -> SQLFragment {
    """
    INSERT INTO \(relation("job_carried")) (job, creation, removal) VALUES (\(id(job)), \
    \(text: creation), \(text: removal))
    """
  }

  /// Records that a part is dropped.
  func dropping(_ carried: Int) -> SQLFragment {
    "DELETE FROM \(relation("job_carried")) WHERE id = \(carried)"
  }

  // MARK: - Validations

  /// Enters the foreign keys that are validated when the tables are in their places.
  func validations(of job: String, _ references: [UnvalidatedReference]) -> SQLFragment {
    let rows = references.enumerated().map { number, reference -> SQLFragment in
      """
      (\(id(job)), \(number + 1), \
      \(text: reference.table.name), \(text: reference.constraint.name))
      """
    }
    return """
      INSERT INTO \(relation("job_validation")) (job, no, table_name, constraint_name) VALUES \
      \(rows.joined(separator: ", "))
      """
  }

  /// The foreign keys that are not validated, with their catalog entries.
  func unvalidated(of job: String) -> SQLFragment {
    """
    SELECT v.no, v.table_name, v.constraint_name, c.convalidated \
    FROM \(relation("job_validation")) v LEFT JOIN (pg_constraint c \
    JOIN pg_class t ON t.oid = c.conrelid JOIN pg_namespace n ON n.oid = t.relnamespace \
    AND n.nspname = \(text: store.schema.name)) \
    ON c.conname = v.constraint_name AND t.relname = v.table_name \
    WHERE v.job = \(id(job)) AND v.validated_at IS NULL ORDER BY v.no
    """
  }

  /// Notes that a foreign key is validated.
  func validated(_ number: Int, of job: String) -> SQLFragment {
    """
    UPDATE \(relation("job_validation")) SET validated_at = clock_timestamp() \
    WHERE job = \(id(job)) AND no = \(number)
    """
  }

  // MARK: - Sources

  /// The fingerprints that the sources had when they were last touched by the job.
  func sources(of job: String) -> SQLFragment {
    "SELECT table_name, fingerprint FROM \(relation("job_source")) WHERE job = \(id(job))"
  }

  /// Keeps the fingerprint of a source that is watched or guarded from now on.
  func source(of job: String, _ table: SQLIdentifier, _ fingerprint: String) -> SQLFragment {
    """
    INSERT INTO \(relation("job_source")) (job, table_name, fingerprint) VALUES (\(id(job)), \
    \(text: table.name), \(text: fingerprint))
    """
  }

  // MARK: - Ranges

  private func isPart(_ job: String, _ part: Int) -> SQLFragment {
    "job = \(id(job)) AND part = \(part)"
  }

  private func numbers(_ chunks: [CopyChunk]) -> SQLFragment {
    chunks.map { "\($0.number)" as SQLFragment }.joined(separator: ", ")
  }

  /// Stores ranges that are to be copied.
  func chunkCreation(
    of job: String,
    part: Int,
    name: String,
    _ chunks: [CopyChunk]
  ) -> SQLFragment {
    let rows = chunks.map { chunk -> SQLFragment in
      """
      (\(id(job)), \(part), \
      \(chunk.number), \(text: name), \(text: chunk.lower), \
      \(text: chunk.upper))
      """
    }
    return """
      INSERT INTO \(relation("job_chunk")) (job, part, no, name, lower_bound, upper_bound) VALUES
      \(rows.joined(separator: ",\n"))
      """
  }

  /// How many ranges a part has, and how many of them are not copied.
  func chunkCount(of job: String, part: Int) -> SQLFragment {
    """
    SELECT count(*) AS total, count(*) FILTER (WHERE state = 'todo') AS todo, \
    coalesce(max(no), 0) AS last FROM \(relation("job_chunk")) WHERE \(isPart(job, part))
    """
  }

  /// Takes some ranges that no other worker has taken, or a certain one.
  func chunkClaim(of job: String, part: Int, number: Int?, limit: Int) -> SQLFragment {
    let choice: SQLFragment = number.map { " AND no = \($0)" } ?? ""
    return """
      SELECT no, lower_bound, upper_bound FROM \(relation("job_chunk")) WHERE \(isPart(job, part)) \
      AND state = 'todo'\(choice) ORDER BY no LIMIT \(limit) FOR UPDATE SKIP LOCKED
      """
  }

  /// Records that ranges are copied, in the transaction that has copied them.
  func chunkCompletion(
    of job: String,
    part: Int,
    _ chunks: [CopyChunk],
    rowsOut: Int,
    epoch: Int,
    milliseconds: Double
  ) -> SQLFragment {
    guard let first = chunks.first else { return "SELECT" }
    let share = SQLLiteral.typed(String(milliseconds / Double(chunks.count)), "double precision")
    let isFirst: SQLFragment = "no = \(first.number)"
    // The rows of ranges that were copied together are entered with the first of them.
    return """
      UPDATE \(relation("job_chunk")) SET state = 'done', epoch = \(epoch), \
      rows_out = CASE WHEN \(isFirst) THEN \(rowsOut) ELSE 0 END, \
      milliseconds = \(share), finished_at = clock_timestamp() \
      WHERE \(isPart(job, part)) AND no IN (\(numbers(chunks))) AND state = 'todo'
      """
  }

  /// Records that a range is divided.
  func chunkSplit(of job: String, part: Int, _ chunk: CopyChunk) -> SQLFragment {
    """
    UPDATE \(relation("job_chunk")) SET state = 'split' WHERE \(isPart(job, part)) \
    AND no = \(chunk.number) AND state = 'todo'
    """
  }

  /// The first ranges that are copied and not compared.
  func unverified(of job: String, part: Int, limit: Int) -> SQLFragment {
    """
    SELECT no, lower_bound, upper_bound FROM \(relation("job_chunk")) WHERE \(isPart(job, part)) \
    AND state = 'done' AND NOT verified ORDER BY no LIMIT \(limit)
    """
  }

  /// A row if any range of a job is compared.
  func anyVerified(of job: String) -> SQLFragment {
    "SELECT no FROM \(relation("job_chunk")) WHERE job = \(id(job)) AND verified LIMIT 1"
  }

  /// Records that ranges are compared.
  func verification(of job: String, part: Int, _ chunks: [CopyChunk]) -> SQLFragment {
    """
    UPDATE \(relation("job_chunk")) SET verified = true WHERE \(isPart(job, part)) \
    AND no IN (\(numbers(chunks)))
    """
  }

  /// Forgets the bounds of the ranges of a job that has ended, which are keys of rows.
  func forgettingBounds(of job: String) -> SQLFragment {
    """
    UPDATE \(relation("job_chunk")) SET lower_bound = NULL, upper_bound = NULL \
    WHERE job = \(id(job))
    """
  }
}
