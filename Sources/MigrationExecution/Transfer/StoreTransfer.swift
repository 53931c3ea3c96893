internal import FoundationEssentials
internal import MigrationPlanning
package import PostgresClient
internal import SQLSyntax

/// The rows of a store in another database, which the tables of a new store are filled with.
///
/// All rows are those of one snapshot of the source, and the source is only read. Each table is
/// filled in a transaction that also records it. After an interruption there is another snapshot:
/// recorded tables stay if no row of them has changed at the source since, and are filled again
/// otherwise.
package struct StoreTransfer: Sendable {
  let source: ConnectionSource
  /// The store at the source.
  let store: StoreIdentity
  /// The identifier of that store.
  let storeID: String
  /// For how long to wait for the source.
  let wait: Duration
  /// How many tables to fill at a time.
  let workers: Int
  /// What has been copied.
  package let tally = TransferTally()

  /// Creates a transfer.
  ///
  /// - Parameters:
  ///   - source: The database of the rows.
  ///   - store: The store there.
  ///   - storeID: The identifier of the store.
  ///   - wait: The time to wait until that server accepts connections.
  ///   - workers: How many tables to fill at a time.
  package init(
    from source: ConnectionSource,
    _ store: StoreIdentity,
    id storeID: String,
    wait: Duration,
    workers: Int
  ) {
    self.source = source
    self.store = store
    self.storeID = storeID
    self.wait = wait
    self.workers = workers
  }

  /// Fills the tables of a step, unless this is done.
  ///
  /// - Parameters:
  ///   - execution: The step.
  ///   - destination: The database to fill, outside of a transaction and with the migration lock.
  /// - Throws: The error of the database to fill, or an `ExecutionError` about the source.
  func run(_ execution: StepExecution, _ destination: borrowing PostgresConnection) throws {
    guard !tally.isFinished else { return }
    let filling = TransferFilling(
      transfer: self,
      execution: execution,
      run: UUID().uuidString.lowercased()
    )
    try filling.fill(destination)
  }

  /// Returns the table of the source that a table gets its rows from.
  func table(_ name: SQLIdentifier) -> QualifiedName {
    QualifiedName(schema: store.schema, name: name)
  }

  /// Runs something in the source, and tells its errors from those of the database to fill.
  @discardableResult
  func inSource<Result>(
    _ reason: String,
    _ interruption: Interruption,
    _ connection: borrowing PostgresConnection,
    _ body: (borrowing PostgresConnection) throws -> Result
  ) throws -> Result {
    do {
      return try body(connection)
    } catch let error as PostgresError {
      try interruption.check()
      throw failure(error, reason)
    } catch let error as ExecutionError {
      try interruption.check()
      throw ExecutionError(.inSource(error.fact))
    }
  }

  /// Returns the error of an error of the source.
  func failure(_ error: PostgresError, _ reason: String) -> ExecutionError {
    let isLost = error.kind == .connectionLost
    return ExecutionError(
      .inSource(isLost ? .connectionLost(error) : ExecutionError.Fact(error, reason, store))
    )
  }

  /// Connects to the source.
  func connect(_ interruption: Interruption) throws -> PostgresConnection {
    do {
      let connection = try PostgresConnection.session(to: source, wait: wait)
      // It waits while tables are filled by others, or the last one is committed.
      try connection.set(.silence, to: "'15min'")
      return connection
    } catch {
      try interruption.check()
      throw failure(error, "connecting")
    }
  }
}
