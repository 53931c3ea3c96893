internal import CatalogComparison
internal import MigrationPlanning
internal import PostgresClient
internal import SQLSyntax

/// The rest of a job whose tables are in place and whose version is recorded: it validates foreign keys, each
/// in a transaction of its own, while others read and write.
struct CopySettlement {
  let store: StoreIdentity
  let owner: JobOwner
  let runner: TransactionRunner

  /// Runs it to its end.
  ///
  /// - Returns: Whether there was anything to do.
  func run(_ connection: borrowing PostgresConnection) throws -> Bool {
    // A paused job reads no table.
    guard try owner.state(connection) == .settling else { return false }
    for row in try connection.query(owner.jobs.unvalidated(of: owner.jobID)) {
      guard try owner.state(connection) == .settling else { throw CopyStop.fenced }
      guard let number = row.integer("no"), let table = row["table_name"],
        let constraint = row["constraint_name"]
      else { throw ExecutionError(.damagedMetadata("a validation cannot be read")) }
      let name = QualifiedName(schema: store.schema, name: SQLIdentifier(table))
      var statements: [SQLFragment]
      switch row.boolean("convalidated") {
      case false?:
        statements = [UnvalidatedReference.validation(of: SQLIdentifier(constraint), of: name)]
      // The partitions of the table may have it. One that others have dropped needs nothing.
      case nil: statements = PartitionedReference(SQLIdentifier(constraint), of: name).completion
      case true?: statements = []
      }
      let last = statements.popLast()
      for statement in statements {
        try runner.transact(transaction("validate"), connection) { try runner.run(statement, $0) }
      }
      try runner.transact(transaction("validate"), connection) { connection in
        if let last { try runner.run(last, connection) }
        if row.boolean("convalidated") == nil {
          try recordDefinition(
            of: CatalogObject(.constraint, table: table, name: constraint),
            connection
          )
        }
        // At the end: reading all rows takes long, and a pause need not wait for it.
        try owner.hold(.settling, connection)
        try runner.run(owner.jobs.validated(number, of: owner.jobID), connection)
      }
    }
    try runner.transact(transaction("settled"), connection) { connection in
      try owner.hold(.settling, connection)
      try owner.move(from: .settling, to: .finished, connection)
    }
    return true
  }

  /// Records the definition of a constraint that its table did not have when its version was recorded.
  private func recordDefinition(
    of object: CatalogObject,
    _ connection: borrowing PostgresConnection
  ) throws {
    let metadata = MetadataStore(store)
    guard case .store(let record) = try metadata.presence(connection) else { return }
    let projection = try ModelProjection(
      metadata.model(of: record, connection),
      schema: store.schema,
      isInterpreted: true
    )
    for statement in MetadataStatements(store).recordingDefinitions(of: [object], in: projection) {
      try runner.run(statement, connection)
    }
  }

  /// Returns who holds locks on the tables whose foreign keys are still to be validated.
  func blockers(_ connection: borrowing PostgresConnection) throws -> [Blocker] {
    let tables = try connection.query(owner.jobs.unvalidated(of: owner.jobID))
      .compactMap { $0["table_name"].map { SQLIdentifier($0) } }
    return try BlockerInspection(store: store).holders(of: tables, connection)
  }

  private func transaction(_ name: String) -> Transaction {
    // Readers and writers of rows do not wait behind this lock.
    Transaction(name: name, settings: [Transaction.outlastingVacuums])
  }
}

extension Transaction {
  /// Waits for locks until an automatic vacuum gives way, which it does only to a session that has
  /// waited for the time of the check for deadlocks.
  static var outlastingVacuums: SQLFragment {
    """
    SELECT set_config('lock_timeout', (extract(epoch FROM \
    current_setting('deadlock_timeout')::interval) * 1000 + 500)::integer::text, true)
    """
  }
}

extension CopyContext {
  /// Has automatic vacuums leave the tables whose rows are copied or filled, which is what they begin for.
  ///
  /// The transaction that follows waits less for its locks than a vacuum takes to give way, and one of a
  /// large table takes minutes.
  func dismissVacuums(
    in state: CopyJob.State,
    _ connection: borrowing PostgresConnection
  ) throws {
    let copies = plan.tables.map(\.staged)
    let filled = plan.fills.map { FillStatements(of: $0, in: plan).name }
    try dismissVacuums(of: copies + filled, in: state, connection)
  }

  /// Has automatic vacuums leave some tables.
  func dismissVacuums(
    of tables: [QualifiedName],
    in state: CopyJob.State,
    _ connection: borrowing PostgresConnection
  ) throws {
    let names = tables.map { "\($0)" as SQLFragment }
    guard !names.isEmpty else { return }
    try transact("vacuums", in: state, connection) { connection in
      try run(Transaction.outlastingVacuums, connection)
      // Neither readers nor writers of rows wait behind this lock.
      try run(
        "LOCK TABLE \(names.joined(separator: ", ")) IN SHARE UPDATE EXCLUSIVE MODE",
        connection
      )
    }
  }
}
