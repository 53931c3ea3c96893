internal import MigrationPlanning
internal import ModelMapping
internal import PostgresClient
internal import SQLSyntax

/// Why a phase of a job stops without an error of the server's.
enum CopyStop: Error, Hashable {
  /// The job has another owner, or is being taken away.
  case fenced
  /// Somebody has asked the job to wait.
  case paused
  /// What others wait for takes longer than they are made to wait.
  case late
}

/// What the phases of a job have in common: who owns it, and what it is to go by.
struct CopyContext: Sendable {
  let step: MigrationStep
  let plan: CopyPlan
  let store: StoreIdentity
  let settings: CopySettings
  let source: ConnectionSource
  let interruption: Interruption
  let onEvent: (@Sendable (MigrationEvent) -> Void)?
  /// The policies in code, by their class names.
  var policies: [String: any EntityMigrationPolicy] = [:]
  let lockLimit: SQLLiteral

  let jobID: String
  let epoch: Int
  let isOnline: Bool

  var jobs: CopyJobStatements { CopyJobStatements(store) }
  var statements: CopyStatements { CopyStatements(plan) }

  /// What a transaction is to be like.
  struct Style {
    var isRepeatable = false
    /// Whether a crash of the server may undo it together with what it has recorded of itself.
    var isLazy = false
    /// Whether it changes the job's row.
    var isExclusive = false
    /// Whether nothing of it is to stay.
    var isRolledBack = false
    /// The milliseconds that a statement may take; any time if there are none.
    var statementTimeout: Int64 = 0
  }

  /// Runs a transaction that only the owner of the job commits, while the job is at a state.
  func transact<Result>(
    _ name: String,
    in state: CopyJob.State,
    as style: Style = Style(),
    _ connection: borrowing PostgresConnection,
    _ body: (borrowing PostgresConnection) throws -> Result
  ) throws -> Result {
    try interruption.check()
    do {
      try run(beginning(style), connection)
      try settings.failpoints.reach("\(name).begin", connection)
      try fence(state, isExclusive: style.isExclusive, connection)
      try settings.failpoints.reach("\(name).fenced", connection)
      let result = try body(connection)
      try settings.failpoints.reach("\(name).before_commit", connection)
      try run(style.isRolledBack ? "ROLLBACK" : "COMMIT", connection)
      try settings.failpoints.reach("\(name).after_commit", connection)
      return result
    } catch {
      if !connection.isBroken, connection.transactionStatus != .idle {
        _ = try? connection.execute("ROLLBACK")
      }
      throw error
    }
  }

  /// What a transaction begins with, sent at once.
  private func beginning(_ style: Style) -> SQLFragment {
    var statements: [SQLFragment] = [
      style.isRepeatable ? "BEGIN ISOLATION LEVEL REPEATABLE READ" : "BEGIN"
    ]
    // Only one session at a time runs the others, and a snapshot is not taken before the sources.
    if !style.isRepeatable, !style.isExclusive { statements.append(CopyJobQueue(store).sharing) }
    statements += [
      "SET LOCAL lock_timeout = \(lockLimit)",
      "SET LOCAL statement_timeout = \(SQLLiteral.integer(style.statementTimeout))",
    ]
    // A table that is emptied after the snapshot looks empty to it as well.
    if style.isRepeatable, let lock = self.statements.sourceLock { statements.append(lock) }
    if style.isLazy { statements.append("SET LOCAL synchronous_commit = off") }
    return statements.joined(separator: "; ")
  }

  /// Makes sure that the job is still ours until the transaction ends.
  func fence(
    _ state: CopyJob.State,
    isExclusive: Bool,
    _ connection: borrowing PostgresConnection
  ) throws {
    let sql =
      isExclusive
      ? jobs.exclusiveFence(jobID, epoch: epoch) : jobs.fence(jobID, epoch: epoch)
    guard let row = try connection.query(sql).first, row["state"] == state.rawValue else {
      throw CopyStop.fenced
    }
    if row.boolean("paused") == true { throw CopyStop.paused }
  }

  /// Returns whether the job is still ours, and is not to wait.
  func isOwner(_ connection: borrowing PostgresConnection) throws -> Bool {
    let row = try connection.query(jobs.state(of: jobID)).first
    return row?.integer("epoch") == epoch && row?.boolean("paused") != true
  }

  /// Moves the job on, in the transaction that runs.
  func move(
    from old: CopyJob.State,
    to new: CopyJob.State,
    _ connection: borrowing PostgresConnection
  ) throws {
    let sql = jobs.transition(jobID, epoch: epoch, from: old, to: new)
    guard try connection.execute(sql) == 1 else { throw CopyStop.fenced }
    if new.isEnded { try connection.execute(jobs.forgettingBounds(of: jobID)) }
    try connection.execute(jobs.event(jobID, epoch: epoch, "state", detail: new.rawValue))
  }

  /// Makes sure that the sources are what they were when the job began to watch them.
  func checkSources(_ connection: borrowing PostgresConnection) throws {
    let rows = try connection.query(jobs.sources(of: jobID))
    var recorded: [String: String] = [:]
    for row in rows { recorded[row["table_name"] ?? ""] = row["fingerprint"] }
    for source in plan.sources {
      let found = try connection.query(statements.fingerprint(of: source)).value
      guard let found, found == recorded[source.table.name] else {
        throw ExecutionError(.sourceChanged(table: source.table.name))
      }
    }
  }

  /// Passes the rows of a range through a policy, if that is what the part is.
  ///
  /// - Returns: How many rows the policy has made.
  func pass(
    _ range: CopyChunk,
    of part: CopyPart,
    _ connection: borrowing PostgresConnection
  ) throws -> Int {
    guard case .rowPolicy(let rowPolicy) = part.content else { return 0 }
    let passing = try RowPolicyRun(
      rowPolicy,
      of: step.mappingModel,
      policies,
      interruption,
      onEvent
    )
    let rows = try passing.run(range, connection)
    try settings.failpoints.reach("chunk.passed", connection)
    return rows
  }

  func run(_ sql: SQLFragment, _ connection: borrowing PostgresConnection) throws {
    _ = try count(sql, connection)
  }

  /// Runs a statement, and returns how many rows it changed.
  func count(_ sql: SQLFragment, _ connection: borrowing PostgresConnection) throws -> Int {
    let clock = ContinuousClock()
    let begin = clock.now
    let rows = try connection.execute(sql)
    onEvent?(.statement(sql: sql.text, duration: begin.duration(to: clock.now), rows: rows))
    return rows
  }
}

/// What a copy is to go by.
public struct CopySettings: Sendable {
  /// How many sessions copy at a time.
  public var workers: Int
  /// A query for a number; the job waits as long as it is above zero.
  public var throttleQuery: String?
  /// How many rows the smallest range has.
  package var chunkRows = 10_000
  /// The seconds that a range may take.
  package var chunkTimeout = 30.0
  /// The seconds that a job rests at most for the sake of a standby that is behind.
  package var longestRest = 600.0
  /// After how many seconds of silence an owner that does nothing loses the migration lock.
  package var silence = 60.0
  /// How many changes may be left for the last transaction.
  package var finalBacklog = 5000
  /// Places at which tests make something happen.
  package var failpoints = Failpoints()

  /// Creates settings.
  public init(workers: Int = 1, throttleQuery: String? = nil) {
    self.workers = workers
    self.throttleQuery = throttleQuery
  }
}

extension PostgresConnection {
  /// Gives a session that works on a job what it needs besides the prologue; a transaction in which
  /// nothing has been said for so many seconds is given up.
  borrowing func prepareForJob(silence: Double) throws {
    let limit = SQLLiteral.integer(Int64(max(5, silence) * 1000))
    try execute(
      """
      \(SessionSetting.synchronousCommit.statement("on")); \
      \(SessionSetting.silence.statement("\(limit)"))
      """
    )
    // A session that was not given its settings is not the one that began.
    guard try query("SELECT current_setting('search_path')").value == SQLFragment.catalogPath.text
    else {
      throw ExecutionError(.unsafePooler)
    }
  }
}
