package import MigrationPlanning
package import PostgresClient
internal import SQLSyntax

/// Adds the partitions that time has come for, and retains those that are older than the ones which are kept.
///
/// It can be repeated at any time: a job of the operating system may call it.
package struct PartitionMaintenance: Sendable {
  private let store: StoreIdentity
  private let settings: StepExecution.Settings
  private let silence: Double
  private let runner: TransactionRunner

  /// Creates the maintenance of a store's partitions.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - settings: The time limits.
  ///   - copySettings: Further settings.
  ///   - interruption: Ends it.
  ///   - onEvent: Gets the events.
  package init(
    of store: StoreIdentity,
    settings: StepExecution.Settings,
    copySettings: CopySettings = CopySettings(),
    interruption: Interruption,
    onEvent: (@Sendable (MigrationEvent) -> Void)? = nil
  ) {
    self.store = store
    self.settings = settings
    silence = copySettings.silence
    runner = TransactionRunner(
      interruption: interruption,
      failpoints: copySettings.failpoints,
      onEvent: onEvent
    )
  }

  /// Does what is to be done now.
  ///
  /// - Parameters:
  ///   - projection: The tables of the recorded version.
  ///   - version: Its name.
  ///   - retains: Whether old partitions are retained; without, partitions are only added.
  ///   - connection: A connection outside of a transaction.
  /// - Returns: The partitions that were added or retained.
  /// - Throws: The server's error; what was done before it stays done.
  package func run(
    on projection: ModelProjection,
    at version: String,
    retaining retains: Bool,
    _ connection: borrowing PostgresConnection
  ) throws -> [PartitionChange] {
    let creations = try Self.creations(for: projection.schema, of: store, connection)
      .filter { $0.due != nil }
    guard !creations.isEmpty else { return [] }
    return try MigrationLock.holding(
      of: store,
      runner,
      within: settings.waitForMigrationLock,
      silence: silence,
      connection
    ) { connection in
      try StoreOwnership(of: creations.map(\.table), in: store, isWriting: true).check(connection)
      let lockLimit = try SessionInspection(connection).lockLimit(settings)
      var changes: [PartitionChange] = []
      for creation in creations {
        changes += try added(by: creation, lockLimit, connection)
        guard retains else { continue }
        changes += try retained(by: creation, at: version, lockLimit, connection)
      }
      try runner.transact(Transaction(), connection) { connection in
        let statements = MetadataStatements(store)
        try runner.run(statements.notingPartitions(of: projection.schema), connection)
      }
      return changes
    }
  }

  /// Returns the statements for the partitions of all tables but those that Citus has distributed, whose
  /// partitions it does not let be looked for.
  static func creations(
    for schema: DatabaseSchema,
    of store: StoreIdentity,
    _ connection: borrowing PostgresConnection
  ) throws -> [PartitionCreation] {
    let declared = schema.sortedTables.filter { $0.partitioning != nil }
    guard !declared.isEmpty else { return [] }
    let kinds = try SchemaInspection(store).tableKinds(connection)
    return declared.compactMap { table in
      guard let partitioning = table.partitioning, let kind = kinds[table.name],
        kind.partitionKey != nil, kind.placement == nil
      else { return nil }
      return PartitionCreation(of: schema.qualified(table.name), partitioning)
    }
  }

  private func added(
    by creation: PartitionCreation,
    _ lockLimit: Int64,
    _ connection: borrowing PostgresConnection
  ) throws -> [PartitionChange] {
    guard try !connection.query(creation.missing).isEmpty else { return [] }
    let before = try partitions(of: creation.table, connection)
    try retryingLocks("adding", of: creation.table, lockLimit, connection) { connection in
      try runner.run(creation.sql, connection)
    }
    return try partitions(of: creation.table, connection).filter { !before.contains($0) }
      .map { PartitionChange(table: creation.table.name.name, partition: $0, isAdded: true) }
  }

  private func retained(
    by creation: PartitionCreation,
    at version: String,
    _ lockLimit: Int64,
    _ connection: borrowing PostgresConnection
  ) throws -> [PartitionChange] {
    guard let expired = creation.expired else { return [] }
    let names = try connection.query(expired).compactMap { row -> QualifiedName? in
      guard let schema = row["nspname"], let name = row["relname"] else { return nil }
      return QualifiedName(schema: SQLIdentifier(schema), name: SQLIdentifier(name))
    }
    var changes: [PartitionChange] = []
    // The list of retained objects has names of the store's schema alone.
    for name in names where name.schema == store.schema {
      try retryingLocks("detaching", of: creation.table, lockLimit, connection) { connection in
        try runner.run("ALTER TABLE \(creation.table) DETACH PARTITION \(name)", connection)
        // Its rows no longer keep others from being deleted.
        for row in try connection.query(
          """
          SELECT conname FROM pg_constraint \
          WHERE contype = 'f' AND conrelid = \(text: name.quoted)::regclass
          """
        ) {
          guard let constraint = row["conname"].map({ SQLIdentifier($0) }) else { continue }
          try runner.run("ALTER TABLE \(name) DROP CONSTRAINT \(constraint)", connection)
        }
        let statements = MetadataStatements(store)
        try runner.run(
          statements.retaining(name.name, of: creation.table.name, at: version),
          connection
        )
      }
      changes.append(
        PartitionChange(
          table: creation.table.name.name,
          partition: name.name.name,
          isAdded: false
        )
      )
    }
    return changes
  }

  private func partitions(
    of table: QualifiedName,
    _ connection: borrowing PostgresConnection
  ) throws -> [String] {
    try connection.query(
      """
      SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid \
      WHERE i.inhparent = \(text: table.quoted)::regclass ORDER BY c.relname
      """
    ).compactMap { $0["relname"] }
  }

  private func retryingLocks(
    _ action: String,
    of table: QualifiedName,
    _ lockLimit: Int64,
    _ connection: borrowing PostgresConnection,
    _ body: (borrowing PostgresConnection) throws -> Void
  ) throws {
    do {
      try runner.retryingLocks(
        for: settings.lockRetryFor,
        connection,
        blockers: { try BlockerInspection(store: store).holders(of: [table.name], $0) }
      ) { connection in
        let settings = [Transaction.lockTimeout(lockLimit)]
        try runner.transact(Transaction(name: "partitions", settings: settings), connection, body)
      }
    } catch let error as PostgresError {
      throw ExecutionError(
        ExecutionError.Fact(error, "\(action) partitions of table \"\(table.name)\"", store)
      )
    }
  }
}

/// A partition that was added or retained.
public struct PartitionChange: Hashable, Sendable {
  /// The table.
  public let table: String
  /// The partition.
  public let partition: String
  /// A Boolean value that indicates whether it was added; if not, it was retained.
  public let isAdded: Bool
}
