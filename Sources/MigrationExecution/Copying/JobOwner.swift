internal import PostgresClient
internal import SQLSyntax

/// Why a phase of a job stops without an error of the server.
enum CopyStop: Error, Hashable {
  /// The job has another owner, or is being cancelled.
  case fenced
  /// The job is paused.
  case paused
  /// Others would have to wait for too long.
  case late
}

/// The owner of a job, whose changes only take effect until a later owner takes over.
struct JobOwner: Sendable {
  let jobs: CopyJobStatements
  let jobID: String
  /// The number of the owner; each that takes the job over raises it.
  let epoch: Int

  /// Checks that this process owns the job and that it has a state, and locks both until the
  /// transaction ends.
  ///
  /// - Parameters:
  ///   - state: The state.
  ///   - isExclusive: Whether the transaction changes the job's row.
  ///   - evenPaused: Whether a pause does not matter.
  ///   - connection: A connection in a transaction.
  /// - Throws: An error if another process owns the job, or the server's error.
  func hold(
    _ state: CopyJob.State,
    isExclusive: Bool = false,
    evenPaused: Bool = false,
    _ connection: borrowing PostgresConnection
  ) throws {
    let sql = jobs.fence(jobID, epoch: epoch, isExclusive: isExclusive)
    guard let row = try connection.query(sql).first, row["state"] == state.rawValue else {
      throw CopyStop.fenced
    }
    // A pause does not keep a job from being cancelled.
    if row.boolean("paused") == true, state != .aborting, !evenPaused { throw CopyStop.paused }
  }

  /// Returns the state of the job, unless it is another's, or paused where that matters.
  func state(
    evenPaused: Bool = false,
    _ connection: borrowing PostgresConnection
  ) throws -> CopyJob.State {
    let row = try connection.query(jobs.state(of: jobID)).first
    guard row?.integer("epoch") == epoch,
      let state = row?["state"].flatMap(CopyJob.State.init(rawValue:))
    else { throw CopyStop.fenced }
    if row?.boolean("paused") == true, !evenPaused { throw CopyStop.paused }
    return state
  }

  /// Moves the job on, in the transaction that runs.
  func move(
    from old: CopyJob.State,
    to new: CopyJob.State,
    _ connection: borrowing PostgresConnection
  ) throws {
    let sql = jobs.transition(jobID, epoch: epoch, from: old, to: new)
    guard try connection.query(sql).affectedRows == 1 else { throw CopyStop.fenced }
    if new.isEnded { try connection.query(jobs.forgettingBounds(of: jobID)) }
    try note("state", new.rawValue, connection)
  }

  /// Records an event of the job.
  func note(
    _ kind: String,
    _ detail: String?,
    _ connection: borrowing PostgresConnection
  ) throws {
    try connection.query(jobs.event(jobID, epoch: epoch, kind, detail: detail))
  }

  /// Keeps an error for those who look at the job.
  func noteFailure(
    _ message: String,
    _ sqlState: SQLState?,
    _ connection: borrowing PostgresConnection
  ) throws {
    try connection.query(
      jobs.failure(jobID, epoch: epoch, message, sqlState: sqlState?.rawValue)
    )
  }
}
