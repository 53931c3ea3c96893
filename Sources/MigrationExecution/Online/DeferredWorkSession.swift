internal import CatalogComparison
internal import MigrationPlanning
internal import ObjectModel
internal import PostgresClient
internal import SQLSyntax

/// Does deferred work on one connection, which has the migration lock.
struct DeferredWorkSession {
  let execution: DeferredWorkExecution
  let projection: ModelProjection
  /// For how many milliseconds a lock is waited for that keeps others out meanwhile.
  let briefly: Int64
  /// The milliseconds to wait for a lock that blocks neither readers nor writers: an autovacuum
  /// only yields to a session that has waited for the deadlock timeout.
  let patiently: Int64

  private var store: StoreIdentity { execution.store }
  private var entries: DeferredWorkStatements { DeferredWorkStatements(store) }
  var schema: DatabaseSchema { projection.schema }
  var runner: TransactionRunner { execution.runner }

  init(_ execution: DeferredWorkExecution, _ connection: borrowing PostgresConnection) throws {
    self.execution = execution
    let metadata = MetadataStore(execution.store)
    guard case .store(let record) = try metadata.presence(connection) else {
      throw ExecutionError(.damagedMetadata("there is work for a store that there is not"))
    }
    let model = try metadata.model(of: record, connection)
    do {
      projection = try ModelProjection(
        model,
        schema: execution.store.schema,
        isInterpreted: true
      )
    } catch {
      throw ExecutionError(
        .damagedMetadata("the model of version \"\(record.versionName)\" has no tables")
      )
    }
    let session = try SessionInspection(connection)
    briefly = session.lockLimit(execution.settings)
    patiently = max(
      session.longestLockWait.inMilliseconds * 5 / 4 + 500,
      execution.settings.lockRetryFor.inMilliseconds
    )
  }

  /// Carries out one piece of work, and records it as done.
  ///
  /// - Returns: The finished work; `nil` if the recorded version no longer has the object.
  func carryOut(
    _ pending: PendingWork,
    _ connection: borrowing PostgresConnection
  ) throws -> DeferredWorkExecution.Done? {
    guard let work = work(pending, connection) else {
      // Another version without the object is recorded: the work can never be done.
      try endAlone(pending, connection)
      return nil
    }
    let clock = ContinuousClock()
    let begin = clock.now
    runner.onEvent?(.deferredWorkStarted(work))
    do {
      try runner.run(entries.beginning(of: pending.id), connection)
      try retryingLocks(of: work.table, connection) { try perform(work, pending, $0) }
    } catch {
      throw failure(error, of: work, pending, connection)
    }
    let duration = begin.duration(to: clock.now)
    runner.onEvent?(.deferredWorkEnded(work, duration: duration))
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
      try build(work, connection)
      try endAlone(pending, connection)
    case .addUniqueConstraint(let build):
      try add(build, pending, connection)
    case .setNotNull(let requirement):
      try setNotNull(requirement, pending, connection)
    case .dropIndex(let removal):
      let inspection = IndexInspection(schema: schema.name)
      let found = try inspection.relation(named: removal.index, connection)
      // An index that is dropped, or that is on another table, needs nothing.
      if found?.table == removal.table.name, found?.constraint == nil {
        try dropIndex(removal.index, of: place(of: removal.table), connection)
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
    var validation = validation
    // The partitions of the table may have it. One that others have dropped needs nothing.
    validation.isOfPartitions = found == nil
    let statements = DeferredWork.validateConstraint(validation).statements(in: schema.name)
      .map(\.sql)
    for statement in statements.dropLast() {
      try transact(patiently, connection) { try runPlanned(statement, $0) }
    }
    try transact(found == nil ? briefly : patiently, connection) { connection in
      if found?.isValid != true, let last = statements.last { try runPlanned(last, connection) }
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
    var whole = build
    whole.partitions = try partitions(of: build.table, connection)
    for partition in whole.partitions ?? [] {
      try add(whole.index(on: partition.name), toPartition: partition, connection)
    }
    if whole.partitions == nil {
      try self.build(whole.index, of: place(of: build.table), connection)
    }
    let statement = DeferredWork.addUniqueConstraint(whole).statements(in: schema.name).last
    // The time that the index took is no time that a lock was waited for.
    try retryingLocks(of: build.table, connection) { connection in
      try transact(briefly, connection) { connection in
        if let statement { try runPlanned(statement.sql, connection) }
        try end(pending, connection)
      }
    }
  }

  /// Gives a partition its part of a unique constraint.
  private func add(
    _ index: Index,
    toPartition partition: QualifiedName,
    _ connection: borrowing PostgresConnection
  ) throws {
    if let found = try constraint(index.name, of: partition, connection) {
      guard found.kind == "u" else { throw otherObject(index.name, partition.name) }
      return
    }
    try build(index, of: partition, connection)
    try retryingLocks(of: partition.name, connection) { connection in
      try transact(briefly, connection) { connection in
        try runPlanned(UniqueConstraintBuild.adoption(of: index.name, by: partition), connection)
      }
    }
  }

  /// The constraint of a name on a table.
  func constraint(
    _ name: SQLIdentifier,
    of table: SQLIdentifier,
    _ connection: borrowing PostgresConnection
  ) throws -> (kind: String, isValid: Bool)? {
    try constraint(name, of: place(of: table), connection)
  }

  private func constraint(
    _ name: SQLIdentifier,
    of table: QualifiedName,
    _ connection: borrowing PostgresConnection
  ) throws -> (kind: String, isValid: Bool)? {
    try connection.query(
      """
      SELECT k.contype, k.convalidated FROM pg_constraint k JOIN pg_class t ON t.oid = k.conrelid \
      JOIN pg_namespace n ON n.oid = t.relnamespace \
      WHERE n.nspname = \(text: table.schema.name) \
      AND t.relname = \(text: table.name.name) AND k.conname = \(text: name.name)
      """
    ).first.map { (kind: $0["contype"] ?? "", isValid: $0.boolean("convalidated") == true) }
  }

  func place(of table: SQLIdentifier) -> QualifiedName { schema.qualified(table) }

  func otherObject(_ name: SQLIdentifier, _ table: SQLIdentifier) -> ExecutionError {
    ExecutionError(.otherObject(name: name.name, table: table.name))
  }

  // MARK: - Transactions

  func transact(
    _ lockLimit: Int64,
    _ connection: borrowing PostgresConnection,
    _ body: (borrowing PostgresConnection) throws -> Void
  ) throws {
    let settings = [Transaction.lockTimeout(lockLimit)]
    try runner.transact(Transaction(name: "late", settings: settings), connection, body)
  }

  /// Runs a statement that cannot be in a transaction, and that waits for the transactions of others.
  ///
  /// While it waits, others read and write; a limit could throw away the work of hours. Before it begins, a
  /// short transaction checks that the table's lock can be had.
  func runAlone(
    _ sql: SQLFragment,
    of table: QualifiedName,
    _ connection: borrowing PostgresConnection
  ) throws {
    try retryingLocks(of: table.name, connection) { connection in
      try transact(patiently, connection) { connection in
        try runner.run("LOCK TABLE \(table) IN SHARE UPDATE EXCLUSIVE MODE", connection)
      }
    }
    try watchingWaits(of: table.name, connection) { try runPlanned(sql, $0) }
  }

  /// Runs a statement that cannot be in a transaction, and gives up waiting after a while.
  func runBriefly(_ sql: SQLFragment, _ connection: borrowing PostgresConnection) throws {
    try runner.interruption.check()
    try connection.set(.lockTimeout, to: "\(patiently)")
    defer { if !connection.isBroken { _ = try? connection.set(.lockTimeout, to: "0") } }
    try runPlanned(sql, connection)
  }

  /// Notes that a piece of work is done whose last statement was in no transaction with it.
  private func endAlone(
    _ pending: PendingWork,
    _ connection: borrowing PostgresConnection
  ) throws {
    try transact(patiently, connection) { try end(pending, $0) }
  }

  /// Notes that a piece of work is done, with the definitions of its objects.
  func end(_ pending: PendingWork, _ connection: borrowing PostgresConnection) throws {
    try runner.run(entries.end(of: pending.id), connection)
    guard let work = work(pending, connection) else { return }
    for statement in MetadataStatements(store)
      .recordingDefinitions(of: work.objects, in: projection)
    {
      try runner.run(statement, connection)
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
  func runPlanned(_ sql: SQLFragment, _ connection: borrowing PostgresConnection) throws {
    try runner.failpoints.reach("late.before_statement", connection)
    try runner.run(sql, at: "late.after_statement", connection)
  }
}

extension DeferredWorkSession {
  /// Has a column be NOT NULL, whichever part of it has been done before.
  func setNotNull(
    _ requirement: NotNullRequirement,
    _ pending: PendingWork,
    _ connection: borrowing PostgresConnection
  ) throws {
    let statements = DeferredWork.setNotNull(requirement).statements(in: schema.name).map(\.sql)
    switch requirement.form {
    case .check(let name):
      let found = try constraint(name, of: requirement.table, connection)
      let isDone = try isNotNull(requirement, connection)
      if !isDone {
        if found == nil { try promise(requirement, connection) }
        if found?.isValid != true {
          try transact(patiently, connection) { try runPlanned(statements[0], $0) }
        }
      }
      // The time that the rows took is no time that a lock was waited for.
      try retryingLocks(of: requirement.table, connection) { connection in
        try transact(briefly, connection) { connection in
          if !isDone { try runPlanned(statements[1], connection) }
          if !isDone || found != nil { try runPlanned(statements[2], connection) }
          try end(pending, connection)
        }
      }
    case .notNull:
      let found = try constraint(requirement.constraint, of: requirement.table, connection)
      if found == nil { try promise(requirement, connection) }
      try transact(patiently, connection) { connection in
        if found?.isValid != true { try runPlanned(statements[0], connection) }
        try end(pending, connection)
      }
    }
  }

  private func isNotNull(
    _ requirement: NotNullRequirement,
    _ connection: borrowing PostgresConnection
  ) throws -> Bool {
    let relation = QualifiedName(schema: schema.name, name: requirement.table).quoted
    return try connection.query(
      """
      SELECT attnotnull FROM pg_attribute WHERE attrelid = \(text: relation)::regclass \
      AND attname = \(text: requirement.column.name)
      """
    ).first?.boolean("attnotnull") == true
  }

  /// Adds the constraint that keeps nulls out again where it was dropped.
  private func promise(
    _ requirement: NotNullRequirement,
    _ connection: borrowing PostgresConnection
  ) throws {
    try transact(briefly, connection) { connection in
      try runPlanned(requirement.promise(in: schema.name), connection)
    }
  }
}

extension DeferredWorkSession {
  /// Does something again and again while others hold its locks.
  func retryingLocks(
    of table: SQLIdentifier,
    _ connection: borrowing PostgresConnection,
    _ body: (borrowing PostgresConnection) throws -> Void
  ) throws {
    try runner.retryingLocks(
      for: execution.settings.lockRetryFor,
      connection,
      blockers: { try BlockerInspection(store: execution.store).holders(of: [table], $0) },
      body
    )
  }

  /// Returns why a piece of work is not done, and notes it where those find it who look.
  func failure(
    _ error: any Error,
    of work: DeferredWork,
    _ pending: PendingWork,
    _ connection: borrowing PostgresConnection
  ) -> any Error {
    if let signal = runner.interruption.signal {
      return ExecutionError(.interrupted(signal: signal))
    }
    let result = self.error(error, of: work, connection)
    if let result = result as? ExecutionError, !connection.isBroken {
      let state = (error as? PostgresError)?.sqlState?.rawValue
      let entries = DeferredWorkStatements(execution.store)
      // The failure itself matters more than its entry.
      _ = try? connection.query(
        entries.failure(of: pending.id, result.recordedText, sqlState: state)
      )
    }
    return result
  }

  private func error(
    _ error: any Error,
    of work: DeferredWork,
    _ connection: borrowing PostgresConnection
  ) -> any Error {
    guard let error = error as? PostgresError else { return error }
    guard error.kind == .server, !connection.isBroken else {
      return ExecutionError(.connectionLost(error))
    }
    if error.sqlState?.isIntegrityViolation == true, let question = work.question(in: schema),
      let finding = try? PreconditionFinding.asking(question, connection), finding.isViolated
    {
      return ExecutionError(.preconditionsViolated([finding]))
    }
    return ExecutionError(
      ExecutionError.Fact(error, "finishing an online migration: \(work.summary)", execution.store)
    )
  }
}
