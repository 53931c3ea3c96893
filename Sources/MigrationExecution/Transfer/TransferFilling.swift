internal import Dispatch
internal import MigrationPlanning
internal import ObjectModel
internal import PostgresClient
internal import SQLSyntax

/// One run that fills the tables of a store from another database.
struct TransferFilling: Sendable {
  let transfer: StoreTransfer
  let execution: StepExecution
  /// The identifier of the run: only the last one may write.
  let run: String

  private var record: QualifiedName { execution.store.transferRecord }
  private var runner: TransactionRunner { execution.runner }
  private var interruption: Interruption { execution.interruption }
  private var lockTimeout: SQLFragment {
    Transaction.lockTimeout(max(1, execution.settings.lockTimeout.inMilliseconds))
  }

  /// Fills all tables that are not filled yet.
  func fill(_ destination: borrowing PostgresConnection) throws {
    let tables = execution.step.transferredTables
    let source = try transfer.connect(interruption)
    let watch = interruption.alsoWatch(source.canceller)
    defer { interruption.stopWatching(watch) }
    let snapshot = try inSource("reading the store", source) { try open(tables, $0) }
    try claim(destination)
    transfer.tally.begin(tables: tables.count, at: snapshot.time)
    let forms = try TransferTableForm.all(in: execution.store.schema, destination)
    let todo = try remaining(tables, snapshot, source, destination)
    transfer.tally.expect(rows: snapshot.rows(of: todo.map(\.name)))
    for table in todo { try addPartitions(of: table, source, destination) }
    try fill(TransferQueue(todo), snapshot, forms, source, destination)
    for table in tables {
      for sequence in table.sequences { try advance(sequence, of: table, source, destination) }
    }
    try inSource("ending the snapshot", source) { try $0.execute("ROLLBACK") }
    transfer.tally.finish()
  }

  @discardableResult
  private func inSource<Result>(
    _ reason: String,
    _ source: borrowing PostgresConnection,
    _ body: (borrowing PostgresConnection) throws -> Result
  ) throws -> Result {
    try transfer.inSource(reason, interruption, source, body)
  }

  /// Adds the partitions for the rows that a table gets.
  private func addPartitions(
    of table: TransferredTable,
    _ source: borrowing PostgresConnection,
    _ destination: borrowing PostgresConnection
  ) throws {
    let schema = execution.step.destination.projection.schema
    guard let partitioning = schema.tables[table.name]?.partitioning,
      case .range = partitioning.method
    else { return }
    let extent = try inSource("reading the extent of table \"\(table.name)\"", source) { source in
      let column = partitioning.column
      return try source.query(
        """
        SELECT min(\(column))::text AS low, max(\(column))::text AS high \
        FROM \(transfer.table(table.name))
        """
      ).first
    }
    guard let low = extent?["low"], let high = extent?["high"] else { return }
    let ends = [low, high].map { "(\(SQLLiteral.typed($0, partitioning.type)))" as SQLFragment }
    let creation = PartitionCreation(
      of: schema.qualified(table.name),
      partitioning,
      values: "VALUES \(ends.joined(separator: ", "))"
    )
    guard try !destination.query(creation.missing).isEmpty else { return }
    var transaction = Transaction(name: "partitions")
    transaction.settings = [lockTimeout]
    try runner.transact(transaction, destination) { destination in
      try checkClaim(destination)
      try runner.run(creation.sql, destination)
    }
  }

  // MARK: - Snapshot

  /// Begins to read: from here on, the tables neither change nor get other rows.
  private func open(
    _ tables: [TransferredTable],
    _ source: borrowing PostgresConnection
  ) throws -> TransferSnapshot {
    let names = tables.map { transfer.table($0.name) }
    try ReadinessInspection(transfer.store, metadataLayout: nil).checkReading(of: names, source)
    let server = TransferSnapshot.server(source)
    let locked = names.map { MigrationStep.LockedTable(name: $0, mode: .accessShare) }
    try runner.retryingLocks(
      for: execution.settings.lockRetryFor,
      source,
      blockers: { try BlockerInspection(store: transfer.store).holders(of: names.map(\.name), $0) }
    ) { source in
      do {
        try source.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; \(lockTimeout)")
        if source.hasCitus { try source.execute(Transaction.lookingUpInCatalog) }
        // LOCK takes no snapshot.
        if !locked.isEmpty { try source.execute(Transaction.locking(locked, .accessShare)) }
        try source.execute("SET LOCAL lock_timeout = 0")
      } catch {
        try? runner.rollBack(source)
        throw error
      }
    }
    // Others may have replaced tables before they were locked.
    try StoreOwnership(of: names, in: transfer.store, isWriting: false).check(source)
    let version = execution.step.destination
    guard case .store(let found) = try MetadataStore(transfer.store).presence(source),
      found.id == transfer.storeID, found.versionName == version.name,
      found.checksum == version.hashes.checksum, found.layoutDigest == version.hashes.layoutDigest
    else { throw ExecutionError(.sourceMoved(version: version.name)) }
    try execution.failpoints.reach("transfer.snapshot", source)
    return try TransferSnapshot(
      of: transfer.store,
      server: server,
      isShared: transfer.workers > 1,
      source
    )
  }

  // MARK: - Record

  /// Takes the right to write from earlier runs, whose sessions may still be at it.
  private func claim(_ destination: borrowing PostgresConnection) throws {
    var transaction = Transaction(name: "claim")
    transaction.settings = [lockTimeout]
    try runner.transact(transaction, destination) { destination in
      try runner.run(
        """
        INSERT INTO \(record) (table_name, server, table_oid, oldest_transaction, row_count) \
        VALUES ('', \(text: run), '', 0, 0) ON CONFLICT (table_name) \
        DO UPDATE SET server = excluded.server, copied_at = now()
        """,
        destination
      )
    }
  }

  /// Checks that no later run has taken over, and keeps one from it until the transaction ends.
  private func checkClaim(_ destination: borrowing PostgresConnection) throws {
    let claim = try destination.query(
      "SELECT server FROM \(record) WHERE table_name = '' FOR SHARE"
    ).value
    guard claim == run else {
      throw ExecutionError(.migrationLockNotAvailable(seconds: 0, holder: nil))
    }
  }

  /// Returns the tables to fill: those whose recorded rows are not exactly those of the snapshot.
  private func remaining(
    _ tables: [TransferredTable],
    _ snapshot: TransferSnapshot,
    _ source: borrowing PostgresConnection,
    _ destination: borrowing PostgresConnection
  ) throws -> [TransferredTable] {
    let rows = try destination.query(
      """
      SELECT table_name, server, table_oid, oldest_transaction, row_count FROM \(record) \
      WHERE table_name <> ''
      """
    )
    let recorded = Dictionary(
      rows.map { ($0["table_name"] ?? "", $0) },
      uniquingKeysWith: { first, _ in first }
    )
    return try tables.filter { table in
      guard let row = recorded[table.name.name], let count = row.integer("row_count"),
        try isUnchanged(table, row, count, snapshot, source)
      else { return true }
      let filled = TransferTally.Table(name: table.name, rows: count, wasFilled: true)
      transfer.tally.add(filled, execution.onEvent)
      return false
    }.sorted { first, second in
      let sizes = [first, second].map { snapshot.tables[$0.name]?.size ?? 0 }
      return sizes[0] > sizes[1]
    }
  }

  private func isUnchanged(
    _ table: TransferredTable,
    _ row: QueryResult.Row,
    _ count: Int,
    _ snapshot: TransferSnapshot,
    _ source: borrowing PostgresConnection
  ) throws -> Bool {
    guard let server = snapshot.server, row["server"] == server,
      let form = snapshot.tables[table.name], !form.hasParts, row["table_oid"] == form.id,
      let oldest = row.integer("oldest_transaction"), snapshot.isComparable(since: oldest)
    else { return false }
    return try inSource("comparing table \"\(table.name.name)\"", source) { source in
      let comparison = TransferSnapshot.comparison(transfer.table(table.name), since: oldest)
      let found = try source.query(comparison).first
      return found?.integer("rows") == count && found?.integer("written") == 0
    }
  }

  // MARK: - Tables

  /// Fills tables, several at a time if so many workers are given.
  private func fill(
    _ queue: TransferQueue,
    _ snapshot: TransferSnapshot,
    _ forms: [SQLIdentifier: TransferTableForm],
    _ source: borrowing PostgresConnection,
    _ destination: borrowing PostgresConnection
  ) throws {
    let workers = min(transfer.workers, queue.count)
    if workers > 1, let name = snapshot.name {
      let group = DispatchGroup()
      let isPooled = destination.isPooled
      for number in 1...workers {
        DispatchQueue(label: "remodel.transfer-\(number)").async(group: group) {
          do {
            try work(queue, snapshot, name, forms, isPooled: isPooled)
          } catch {
            queue.stop(error)
          }
        }
      }
      // These sessions have the snapshot and the migration lock.
      while group.wait(timeout: .now() + 1) == .timedOut {
        do {
          try inSource("holding the snapshot", source) { try $0.query("SELECT") }
          try destination.query("SELECT")
        } catch {
          queue.stop(error)
          group.wait()
        }
      }
      if let error = queue.error { throw error }
    }
    while let table = queue.next() {
      try fill(table, snapshot, forms, source, destination)
    }
  }

  /// Fills tables in sessions of their own.
  private func work(
    _ queue: TransferQueue,
    _ snapshot: TransferSnapshot,
    _ name: String,
    _ forms: [SQLIdentifier: TransferTableForm],
    isPooled: Bool
  ) throws {
    guard
      let destination = try PostgresConnection.companion(
        to: execution.source,
        isPooled: isPooled,
        within: .seconds(1)
      )
    else { return }
    let source = try transfer.connect(interruption)
    let watches = [source.canceller, destination.canceller].map(interruption.alsoWatch)
    defer { for watch in watches { interruption.stopWatching(watch) } }
    try inSource("reading the snapshot", source) { source in
      try source.execute(
        """
        BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; \
        SET TRANSACTION SNAPSHOT \(SQLLiteral.text(name))
        """
      )
      if source.hasCitus { try source.execute(Transaction.lookingUpInCatalog) }
    }
    while let table = queue.next() {
      try fill(table, snapshot, forms, source, destination)
    }
  }

  /// Fills a table, whatever it has, and records this.
  private func fill(
    _ table: TransferredTable,
    _ snapshot: TransferSnapshot,
    _ forms: [SQLIdentifier: TransferTableForm],
    _ source: borrowing PostgresConnection,
    _ destination: borrowing PostgresConnection
  ) throws {
    let origin = transfer.table(table.name)
    let place = QualifiedName(schema: execution.store.schema, name: table.name)
    let form = snapshot.tables[table.name]
    let isBinary =
      form.flatMap { form in
        forms[table.name].map { form.hasBinaryForm(of: table.columns, as: $0) }
      } ?? false
    let format: SQLFragment = isBinary ? "FORMAT binary" : "FORMAT text"
    let reading: SQLFragment =
      form?.hasParts == true
      ? "COPY (SELECT \(table.columns) FROM \(origin)) TO STDOUT (\(format))"
      : "COPY \(origin) (\(table.columns)) TO STDOUT (\(format))"
    // The rows of a partitioned table are not those of one new file.
    let isPartitioned =
      execution.step.destination.projection.schema.tables[table.name]?.partitioning != nil
    let frozen: SQLFragment = isPartitioned ? "" : ", FREEZE"
    let writing: SQLFragment = "COPY \(place) (\(table.columns)) FROM STDIN (\(format)\(frozen))"
    var transaction = Transaction(name: "transfer")
    transaction.settings = [lockTimeout]
    transaction.fence = checkClaim
    let count = try runner.transact(transaction, destination) { destination in
      // The owner of the schema may have put another table in its place.
      try runner.run("LOCK TABLE \(place) IN ACCESS EXCLUSIVE MODE", destination)
      try StoreOwnership(of: [place], in: execution.store, isWriting: true).check(destination)
      try runner.run("TRUNCATE \(place)", at: "transfer.truncated", destination)
      let rows = try runner.telling(of: writing) {
        try copy(reading, writing, table.name, source, destination)
      }
      try execution.failpoints.reach("transfer.copied", destination)
      if rows > 0 { try runner.run("ANALYZE \(place)", destination) }
      try runner.run(
        """
        INSERT INTO \(record) (table_name, server, table_oid, oldest_transaction, row_count) \
        VALUES (\(text: table.name.name), \(text: snapshot.server), \(text: form?.id ?? ""), \
        \(snapshot.oldest), \(rows)) ON CONFLICT (table_name) DO UPDATE SET \
        server = excluded.server, table_oid = excluded.table_oid, \
        oldest_transaction = excluded.oldest_transaction, row_count = excluded.row_count, \
        copied_at = now()
        """,
        destination
      )
      return rows
    }
    let filled = TransferTally.Table(name: table.name, rows: count, wasFilled: false)
    transfer.tally.add(filled, execution.onEvent)
  }

  private func copy(
    _ reading: SQLFragment,
    _ writing: SQLFragment,
    _ table: SQLIdentifier,
    _ source: borrowing PostgresConnection,
    _ destination: borrowing PostgresConnection
  ) throws -> Int {
    do {
      return try source.copy(reading, to: destination, writing) { rows in
        try interruption.check()
        transfer.tally.note(rows, of: table, execution.onEvent)
      }
    } catch let error as TransferError {
      try interruption.check()
      switch error {
      case .source(let error):
        throw transfer.failure(error, "reading table \"\(table.name)\"")
      case .destination(let error):
        if error.kind == .connectionLost || error.sqlState?.isLockConflict == true { throw error }
        throw ExecutionError(
          ExecutionError.Fact(error, "copying rows to table \"\(table.name)\"", execution.store)
        )
      }
    }
  }

  // MARK: - Sequences

  /// Has a sequence continue after all keys that the source has given, also those of deleted rows.
  private func advance(
    _ sequence: TransferredTable.Sequence,
    of table: TransferredTable,
    _ source: borrowing PostgresConnection,
    _ destination: borrowing PostgresConnection
  ) throws {
    let last = try inSource("reading sequence \"\(sequence.name.name)\"", source) { source in
      // It has no value as long as it has given none.
      try source.query(
        """
        SELECT last_value FROM pg_sequences WHERE schemaname = \(text: transfer.store.schema.name) \
        AND sequencename = \(text: sequence.name.name)
        """
      ).first?.integer("last_value")
    }
    let schema = execution.store.schema
    let place = QualifiedName(schema: schema, name: table.name)
    let name = QualifiedName(schema: schema, name: sequence.name)
    try runner.run(
      """
      SELECT pg_catalog.setval(\(text: name.quoted), k.last) FROM (SELECT \
      greatest(\(last ?? 0), (SELECT max(\(sequence.column)) FROM \(place))) AS last) k \
      WHERE k.last >= 1
      """,
      destination
    )
  }
}
