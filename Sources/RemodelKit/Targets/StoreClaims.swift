internal import MigrationExecution
internal import PostgresClient
internal import SQLSyntax
internal import Synchronization

/// Whose the stores of one call are, so that one that is named twice is worked on once.
final class StoreClaims: Sendable {
  private struct Store: Hashable {
    let database: DatabaseIdentity
    let schema: SQLIdentifier
  }

  private struct State {
    var owners: [Store: TargetNumber] = [:]
    var numbers: Set<TargetNumber> = []
    var reached: Set<ConnectionSource> = []
  }

  private let state = Mutex(State())

  /// Returns whether a server has answered, and not been lost since.
  func isReached(_ database: ConnectionSource) -> Bool {
    state.withLock { $0.reached.contains(database) }
  }

  /// Notes whether a server answers.
  func note(_ database: ConnectionSource, isReached: Bool) {
    state.withLock { state in
      if isReached { state.reached.insert(database) } else { state.reached.remove(database) }
    }
  }

  /// Claims the store that a session is of, once for each number.
  ///
  /// - Parameters:
  ///   - number: The number of the store among all.
  ///   - schema: The schema of the store.
  ///   - connection: The session that is to work on it.
  /// - Returns: The number of the one that has the store already; none if it is free.
  /// - Throws: The server's error.
  func owner(
    besides number: TargetNumber,
    _ schema: SQLIdentifier,
    _ connection: borrowing PostgresConnection
  ) throws -> TargetNumber? {
    if state.withLock({ $0.numbers.contains(number) }) { return nil }
    let database: DatabaseIdentity
    do {
      database = try DatabaseIdentity(connection)
    } catch let error as PostgresError where error.kind == .connectionLost {
      // The work continues after the server's restart. Doing a store twice is harmless, skipping one
      // is not.
      return nil
    }
    return owner(besides: number, schema, in: database)
  }

  /// Claims a store of a known database.
  func owner(
    besides number: TargetNumber,
    _ schema: SQLIdentifier,
    in database: DatabaseIdentity
  ) -> TargetNumber? {
    state.withLock { state in
      if state.numbers.contains(number) { return nil }
      let store = Store(database: database, schema: schema)
      if let owner = state.owners[store] { return owner }
      state.owners[store] = number
      state.numbers.insert(number)
      return nil
    }
  }
}

/// The claim that the work on one store of many begins with.
struct StoreClaim: Sendable {
  let claims: StoreClaims
  /// The number of the store among all.
  let number: TargetNumber
  let schema: SQLIdentifier

  /// Checks that the store is not that of another target.
  ///
  /// - Throws: A ``RepeatedStore``.
  func make(_ connection: borrowing PostgresConnection) throws {
    if let owner = try claims.owner(besides: number, schema, connection) {
      throw RepeatedStore(owner: owner)
    }
  }

  /// Checks the same for a store of a known database.
  func make(in database: DatabaseIdentity) throws {
    if let owner = claims.owner(besides: number, schema, in: database) {
      throw RepeatedStore(owner: owner)
    }
  }
}

/// A store is left to the target that has it already.
struct RepeatedStore: Error {
  /// The number of the store that has it.
  let owner: TargetNumber
}

/// The identity of a database, independent of its address.
///
/// A copy of a server's files has the same number and database numbers, and so has a standby; but
/// none has started in the same microsecond with the same folder and address. A server with two
/// addresses counts as two.
struct DatabaseIdentity: Hashable, Sendable {
  private let systemIdentifier: String?
  private let facts: [String?]

  /// Asks the server.
  init(_ connection: borrowing PostgresConnection) throws {
    let row = try connection.query(
      """
      SELECT pg_postmaster_start_time()::text AS start, pg_is_in_recovery()::text AS is_standby, \
      current_setting('port') AS port, CASE WHEN pg_has_role('pg_read_all_settings', 'USAGE') \
      THEN current_setting('data_directory') END AS directory, \
      inet_server_addr()::text AS address, inet_server_port()::text AS address_port, \
      (SELECT oid::text FROM pg_database WHERE datname = current_database()) AS oid
      """
    ).first
    systemIdentifier = connection.systemIdentifier
    facts = ["start", "is_standby", "port", "directory", "address", "address_port", "oid"]
      .map { row?[$0] }
  }
}
