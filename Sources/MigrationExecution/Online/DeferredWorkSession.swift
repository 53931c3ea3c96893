internal import CatalogComparison
internal import MigrationPlanning
internal import ObjectModel
internal import PostgresClient
internal import SQLSyntax

/// The doing of deferred work on one connection, which has the migration lock.
struct DeferredWorkSession {
  let execution: DeferredWorkExecution
  let projection: ModelProjection
  /// For how many milliseconds a lock is waited for that keeps others out while it is waited for.
  private let briefly: Int64
  /// For how many milliseconds one is waited for that keeps nobody from reading or writing: an
  /// automatic vacuum gives way only to one that has waited for the time of the check for deadlocks.
  private let patiently: Int64

  private var store: StoreIdentity { execution.store }
  private var entries: DeferredWorkStatements { DeferredWorkStatements(store) }
  var schema: DatabaseSchema { projection.schema }

  init(_ execution: DeferredWorkExecution, _ connection: borrowing PostgresConnection) throws {
    self.execution = execution
    let metadata = MetadataStore(execution.store)
    guard case .store(let record) = try metadata.presence(connection) else {
      throw ExecutionError(.damagedMetadata("there is work for a store that there is not"))
    }
    let model = try metadata.model(of: record, connection)
    do {
      projection = try ModelProjection(model, schema: execution.store.schema)
    } catch {
      throw ExecutionError(
        .damagedMetadata("the model of version \"\(record.versionName)\" has no tables")
      )
    }
    let longest = try SessionInspection(connection).longestLockWait.inMilliseconds
    briefly = max(1, min(execution.settings.lockTimeout.inMilliseconds, longest))
    patiently = max(longest * 5 / 4 + 500, execution.settings.lockRetryFor.inMilliseconds)
  }

  /// Does one piece of work, and notes that it is done.
  ///
  /// - Returns: What was done; none if the version that is recorded has no such object any more.
  func carryOut(
    _ pending: PendingWork,
    _ connection: borrowing PostgresConnection
  ) throws -> DeferredWorkExecution.Done? {
    guard let work = work(pending, connection) else {
      // Somebody has recorded another version without it: nobody could ever do it.
      try endAlone(pending, connection)
      return nil
    }
    let clock = ContinuousClock()
    let begin = clock.now
    execution.onEvent?(.deferredWorkStarted(work))
    do {
      try run(entries.beginning(of: pending.id), connection)
      try retryingLocks(of: work.table, connection) { try perform(work, pending, $0) }
    } catch {
      throw failure(error, of: work, pending, connection)
    }
    let duration = begin.duration(to: clock.now)
    execution.onEvent?(.deferredWorkEnded(work, duration: duration))
    return DeferredWorkExecution.Done(work: pending, summary: work.summary, duration: duration)
  }

  private func perform(
    _ work: DeferredWork,
    _ pending: PendingWork,
    _ connection: borrowing PostgresConnection
  ) throws {
    switch work {
    case .validateConstraint(let validation):
      try validate(validation, pending, connection)
    case .buildIndex(let work):
      try build(work.index, of: work.table, connection)
      try endAlone(pending, connection)
    case .addUniqueConstraint(let build):
      try add(build, pending, connection)
    case .setNotNull(let requirement):
      try setNotNull(requirement, pending, connection)
    case .dropIndex(let removal):
      let inspection = IndexInspection(schema: schema.name)
      let found = try inspection.relation(named: removal.index, connection)
      // One that is gone, or somebody else's on another table, is nothing to be done about.
      if found?.table == removal.table.name, found?.constraint == nil {
        try dropIndex(removal.index, of: removal.table, connection)
      }
      try endAlone(pending, connection)
    }
  }

  // MARK: - Constraints

  private func validate(
    _ validation: ConstraintValidation,
    _ pending: PendingWork,
    _ connection: borrowing PostgresConnection
  ) throws {
    let found = try constraint(validation.constraint.name, of: validation.table, connection)
    try transact(patiently, connection) { connection in
      // One that somebody has validated or dropped meanwhile is nothing to be done about.
      if found?.isValid == false {
        for statement in DeferredWork.validateConstraint(validation).statements(in: schema.name) {
          try runNoted(statement.sql, connection)
        }
      }
      try end(pending, connection)
    }
  }

  private func add(
    _ build: UniqueConstraintBuild,
    _ pending: PendingWork,
    _ connection: borrowing PostgresConnection
  ) throws {
    let name = build.constraint.name
    if let found = try constraint(name, of: build.table, connection) {
      guard found.kind == "u" else { throw otherObject(name, build.table) }
      return try endAlone(pending, connection)
    }
    try self.build(build.index, of: build.table, connection)
    let statements = DeferredWork.addUniqueConstraint(build).statements(in: schema.name)
    // The time that the index took is no time that a lock was waited for.
    try retryingLocks(of: build.table, connection) { connection in
      try transact(briefly, connection) { connection in
        for statement in statements where statement.isTransactional {
          try runNoted(statement.sql, connection)
        }
        try end(pending, connection)
      }
    }
  }

  /// The constraint of a name on a table.
  func constraint(
    _ name: SQLIdentifier,
    of table: SQLIdentifier,
    _ connection: borrowing PostgresConnection
  ) throws -> (kind: String, isValid: Bool)? {
    try connection.query(
      """
      SELECT k.contype, k.convalidated FROM pg_constraint k JOIN pg_class t ON t.oid = k.conrelid \
      JOIN pg_namespace n ON n.oid = t.relnamespace \
      WHERE n.nspname = \(SQLLiteral.text(schema.name.name)) \
      AND t.relname = \(SQLLiteral.text(table.name)) AND k.conname = \(SQLLiteral.text(name.name))
      """
    ).first.map { (kind: $0["contype"] ?? "", isValid: $0.boolean("convalidated") == true) }
  }

  func otherObject(_ name: SQLIdentifier, _ table: SQLIdentifier) -> ExecutionError {
    ExecutionError(.otherObject(name: name.name, table: table.name))
  }

  // MARK: - Transactions

  /// For how long others are waited for by statements that keep nobody out.
  var patience: Int64 { patiently }
  /// For how long others are waited for by statements that keep others out.
  var impatience: Int64 { briefly }

  func transact(
    _ lockLimit: Int64,
    _ connection: borrowing PostgresConnection,
    _ body: (borrowing PostgresConnection) throws -> Void
  ) throws {
    try execution.interruption.check()
    do {
      try connection.execute("BEGIN")
      try connection.execute("SET LOCAL lock_timeout = \(SQLLiteral.integer(lockLimit))")
      try body(connection)
      try reach("before_commit", connection)
      try connection.execute("COMMIT")
      try reach("after_commit", connection)
    } catch {
      if !connection.isBroken, connection.transactionStatus != .idle {
        _ = try? connection.execute("ROLLBACK")
      }
      throw error
    }
  }

  /// Runs a statement that cannot be in a transaction, and that waits for the transactions of others.
  ///
  /// While it waits, it keeps nobody from reading or writing; a limit would throw away in the end what
  /// has taken hours. That nobody keeps the table is found out before it begins.
  func runAlone(
    _ sql: SQLFragment,
    of table: SQLIdentifier,
    _ connection: borrowing PostgresConnection
  ) throws {
    let name = QualifiedName(schema: schema.name, name: table)
    try retryingLocks(of: table, connection) { connection in
      try transact(patiently, connection) { connection in
        try run("LOCK TABLE \(name) IN SHARE UPDATE EXCLUSIVE MODE", connection)
      }
    }
    try watchingWaits(of: table, connection) { try runNoted(sql, $0) }
  }

  /// Runs a statement that cannot be in a transaction, and gives up waiting after a while.
  func runBriefly(_ sql: SQLFragment, _ connection: borrowing PostgresConnection) throws {
    try execution.interruption.check()
    try connection.set(.lockTimeout, to: "\(SQLLiteral.integer(patiently))")
    defer { if !connection.isBroken { _ = try? connection.set(.lockTimeout, to: "0") } }
    try runNoted(sql, connection)
  }

  /// Notes that a piece of work is done whose last statement was in no transaction with it.
  private func endAlone(
    _ pending: PendingWork,
    _ connection: borrowing PostgresConnection
  ) throws {
    try transact(patiently, connection) { try end(pending, $0) }
  }

  /// Notes that a piece of work is done, and what has come of it.
  func end(_ pending: PendingWork, _ connection: borrowing PostgresConnection) throws {
    try run(entries.end(of: pending.id), connection)
    guard let work = work(pending, connection) else { return }
    for statement in MetadataStatements(store)
      .recordingDefinitions(of: work.objects, in: projection)
    {
      try run(statement, connection)
    }
  }

  /// The work that an entry of the metadata means; none if its version has no such object.
  private func work(
    _ pending: PendingWork,
    _ connection: borrowing PostgresConnection
  ) -> DeferredWork? {
    DeferredWork(
      pending.kind,
      pending.object,
      of: pending.table,
      in: schema,
      serverMajor: connection.serverVersion / 10_000
    )
  }

  /// Runs one of the statements that the plan has shown.
  func runNoted(_ sql: SQLFragment, _ connection: borrowing PostgresConnection) throws {
    try reach("before_statement", connection)
    try run(sql, connection)
    try reach("after_statement", connection)
  }

  func run(_ sql: SQLFragment, _ connection: borrowing PostgresConnection) throws {
    let clock = ContinuousClock()
    let begin = clock.now
    let rows = try connection.execute(sql)
    execution.onEvent?(
      .statement(sql: sql.text, duration: begin.duration(to: clock.now), rows: rows)
    )
  }

  private func reach(_ place: String, _ connection: borrowing PostgresConnection) throws {
    try execution.failpoints.reach("late.\(place)", connection)
  }
}
