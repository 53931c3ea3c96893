internal import MigrationExecution
internal import PostgresClient

/// Something done to one database that is begun again on another connection where it loses the one it has
/// while the server restarts.
protocol ResumableRun {
  associatedtype Report

  /// What it needs to continue after a lost connection.
  var resumption: Resumption { get set }

  /// Does all that is left to do: looks at what there is, whatever an earlier attempt was interrupted at.
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

/// Something read from one database, which leaves nothing behind to go on from.
struct ResumableLook<Report>: ResumableRun {
  var resumption: Resumption
  let body: (borrowing PostgresConnection) throws -> Report

  func attempt(_ connection: borrowing PostgresConnection) throws -> Report {
    try body(connection)
  }
}

/// What a run needs to continue after it has lost its connection.
struct Resumption {
  let call: RemodelCall
  private let database: ConnectionSource
  /// When the server started that the run works on; not known before there is something to do.
  var serverStart: String?
  /// How often the connection was lost since something was done.
  private var losses = 0
  private let begin = ContinuousClock.now

  init(_ call: RemodelCall, _ database: ConnectionSource) {
    self.call = call
    self.database = database
  }

  /// Notes that something is done which no later attempt does again.
  mutating func noteProgress() { losses = 0 }

  /// Connects again, or throws what has ended the run if that was not the end of the connection alone.
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
    // Whom an administrator ends does not come back; a server that shuts down says the same.
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
