package import PostgresClient
internal import SQLSyntax

extension CopyJob {
  /// Reads the jobs of a store, the earliest first; none where the metadata knows of none.
  ///
  /// All of the metadata is looked at before, as for everything else that is told of the store.
  package static func all(
    of store: StoreIdentity,
    _ connection: borrowing PostgresConnection
  ) throws -> [CopyJob] {
    _ = try MetadataStore(store).presence(connection)
    return try read(CopyJobStatements(store).jobs(), of: store, connection)
  }

  /// Reads the job of a store that is not ended.
  package static func unfinished(
    of store: StoreIdentity,
    _ connection: borrowing PostgresConnection
  ) throws -> CopyJob? {
    try read(CopyJobStatements(store).unfinished, of: store, connection).first
  }

  private static func read(
    _ sql: SQLFragment,
    of store: StoreIdentity,
    _ connection: borrowing PostgresConnection
  ) throws -> [CopyJob] {
    // Metadata of an earlier layout has no jobs, and a transaction may be open.
    let guarded = MetadataGuard(store: store, relations: MetadataRelation.ofJobs)
    guard try guarded.holds(connection) else {
      try MetadataStore(store).checkOwners(connection)
      return []
    }
    return try connection.query(sql).map(CopyJob.init)
  }

  private init(_ row: QueryResult.Row) throws {
    guard let id = row["id"], let target = row["to_version"], let digest = row["plan_digest"],
      let strategy = row["strategy"], let text = row["state"], let state = State(rawValue: text),
      let stagingSchema = row["staging_schema"], let epoch = row.integer("epoch")
    else { throw ExecutionError(.damagedMetadata("a copy job cannot be read")) }
    self.init(
      id: id,
      source: row["from_version"],
      target: target,
      planDigest: digest,
      strategy: strategy,
      state: state,
      isPaused: row.boolean("paused") == true,
      progress: Progress(
        chunksDone: row.integer("chunks_done") ?? 0,
        chunksTotal: row.integer("chunks_total") ?? 0,
        rowsCopied: row.integer("rows_copied") ?? 0,
        rowsPerSecond: row.integer("rows_per_second"),
        remainingSeconds: row["remaining"].flatMap { Double($0) },
        backlog: row.integer("backlog"),
        unvalidatedCount: row.integer("unvalidated_constraints") ?? 0
      ),
      owner: row["owner"] ?? "",
      ownerPID: row.integer("owner_pid") ?? 0,
      isOwnerConnected: row.boolean("owner_is_connected") == true,
      lastError: row["last_error"],
      createdAt: row["created_at"] ?? "",
      updatedAt: row["updated_at"] ?? "",
      endedAt: row["ended_at"],
      stagingSchema: stagingSchema,
      copyDigest: row["copy_digest"],
      epoch: epoch
    )
  }
}

extension CopyJobEvent {
  /// Reads what happened to a job, the earliest first.
  package static func all(
    of job: CopyJob,
    in store: StoreIdentity,
    _ connection: borrowing PostgresConnection
  ) throws -> [CopyJobEvent] {
    try connection.query(CopyJobStatements(store).events(of: job.id)).map { row in
      CopyJobEvent(
        happenedAt: row["happened_at"] ?? "",
        kind: row["kind"] ?? "",
        detail: row["detail"],
        role: row["role"] ?? ""
      )
    }
  }
}
