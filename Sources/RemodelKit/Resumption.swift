internal import MigrationExecution
internal import PostgresClient

/// Something done to one database that is begun again on another connection where it loses the one it has
/// while the server restarts.
protocol ResumableRun {
  associatedtype Report

  /// Its state for continuing after a lost connection.
  var resumption: Resumption { get set }

  /// Carries out the rest of the work, from the current state of the database.
  mutating func attempt(_ connection: borrowing PostgresConnection) throws -> Report
}

extension ResumableRun {
  /// Does it on one connection, and continues on others where the server restarts.
  mutating func run(_ connection: borrowing PostgresConnection) throws -> Report {
    do {
      return try attempt(connection)
    } catch {
      let next = try resumption.reconnect(after: error)
      let interruption = resumption.call.interruption
      let watch = interruption.alsoWatch(next.canceller)
      defer { interruption.stopWatching(watch) }
      return try run(next)
    }
  }
}

/// A read of one database, which has no state to resume from.
struct ResumableLook<Report>: ResumableRun {
  var resumption: Resumption
  let body: (borrowing PostgresConnection) throws -> Report

  func attempt(_ connection: borrowing PostgresConnection) throws -> Report {
    try body(connection)
  }
}

/// The state of a run for continuing after a lost connection.
struct Resumption {
  let call: RemodelCall
  private let database: ConnectionSource
  /// When the server started that the run works on; not known before there is something to do.
  var serverStart: String?
  /// The number of lost connections since the last progress.
  private var losses = 0
  private let begin = ContinuousClock.now

  init(_ call: RemodelCall, _ database: ConnectionSource) {
    self.call = call
    self.database = database
  }

  /// Notes that something is done which no later attempt does again.
  mutating func noteProgress() { losses = 0 }

  /// Connects again, or throws the error that ended the run if it was more than a lost connection.
  mutating func reconnect(after error: any Error) throws -> PostgresConnection {
    let known = (error as? ExecutionError)?.lostConnection ?? error as? PostgresError
    losses += 1
    // A statement that crashes the server is not to crash it for ever.
    guard let lost = known, lost.kind == .connectionLost, losses <= 3 else { throw error }
    let missingEntry = (error as? ExecutionError)?.missingEntry
    call.onEvent?(.connectionLost(lost))
    let next: PostgresConnection
    var start = ""
    do {
      next = try Reconnection(
        to: database,
        within: call.configuration.waitForServer,
        call.interruption
      ).connect(&start)
    } catch let refusal as PostgresError {
      throw refusal.kind == .connection ? error : refusal
    }
    // The run continues as another attempt.
    if let missingEntry { _ = try? next.execute(missingEntry) }
    // A session that an administrator ends does not reconnect; a server that shuts down reports the
    // same.
    if lost.sqlState == .adminShutdown {
      let hasStarted = if let serverStart { serverStart != start } else { try hasStarted(next) }
      guard hasStarted else { throw error }
    }
    serverStart = start
    return next
  }

  /// Returns whether the server has started since the run began.
  private func hasStarted(_ connection: borrowing PostgresConnection) throws -> Bool {
    let age = try connection.query(
      "SELECT extract(epoch FROM clock_timestamp() - pg_postmaster_start_time())"
    ).value.flatMap(Double.init)
    return age.map { .seconds($0) < begin.duration(to: .now) } ?? true
  }
}
