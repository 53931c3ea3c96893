internal import MigrationPlanning
internal import ModelMapping
internal import PostgresClient
internal import SQLSyntax

/// The common context of the phases of a job: its owner and settings.
struct CopyContext: Sendable {
  let job: CopyJobExecution
  let owner: JobOwner
  let strategy: CopyStrategy
  /// For how many milliseconds a transaction waits for a lock.
  let lockLimit: Int64
  /// Whether the process leaves the job, which neither an interruption nor a pause keeps it from doing well.
  var isLeaving = false

  /// A Boolean value that indicates whether changes of others are captured and copied again.
  var isOnline: Bool { strategy == .online }
  /// A Boolean value that indicates whether others can write meanwhile.
  var letsWrite: Bool { strategy != .gated }
  var step: MigrationStep { job.execution.step }
  var plan: CopyPlan { job.plan }
  var store: StoreIdentity { job.execution.store }
  var settings: CopySettings { job.settings }
  var interruption: Interruption { job.execution.interruption }
  var onEvent: (@Sendable (MigrationEvent) -> Void)? { job.execution.onEvent }
  var runner: TransactionRunner {
    isLeaving
      ? TransactionRunner(failpoints: settings.failpoints, onEvent: onEvent) : job.runner
  }
  var jobs: CopyJobStatements { owner.jobs }
  var jobID: String { owner.jobID }
  var statements: CopyStatements { CopyStatements(plan) }

  /// The style of a transaction.
  struct Style {
    var isRepeatable = false
    /// Whether a crash of the server may lose it together with its own record.
    var isLazy = false
    /// Whether it changes the job's row.
    var isExclusive = false
    /// Whether nothing of it is to stay.
    var isRolledBack = false
    /// The milliseconds that a statement may take; any time if there are none.
    var statementTimeout: Int64 = 0
  }

  /// Runs a transaction that only the owner of the job commits, while the job is at a state.
  @discardableResult
  func transact<Result>(
    _ name: String,
    in state: CopyJob.State,
    as style: Style = Style(),
    _ connection: borrowing PostgresConnection,
    _ body: (borrowing PostgresConnection) throws -> Result
  ) throws -> Result {
    var transaction = Transaction(
      name: name,
      mode: style.isRepeatable ? .repeatableRead : .readCommitted,
      fence: {
        try owner.hold(state, isExclusive: style.isExclusive, evenPaused: isLeaving, $0)
      },
      isRolledBack: style.isRolledBack
    )
    // Only one session at a time runs the others, and a snapshot is not taken before the sources.
    if !style.isRepeatable, !style.isExclusive {
      transaction.settings.append(CopyJobQueue(store).sharing)
    }
    transaction.settings += [
      Transaction.lockTimeout(lockLimit),
      "SET LOCAL statement_timeout = \(style.statementTimeout)",
    ]
    // A table that is emptied after the snapshot looks empty to it as well.
    if style.isRepeatable, let lock = statements.sourceLock { transaction.settings.append(lock) }
    if style.isLazy { transaction.settings.append("SET LOCAL synchronous_commit = off") }
    return try runner.transact(transaction, connection, body)
  }

  /// Checks that the sources have not changed since the job installed its triggers.
  func checkSources(_ connection: borrowing PostgresConnection) throws {
    let rows = try connection.query(jobs.sources(of: jobID))
    var recorded: [String: String] = [:]
    for row in rows { recorded[row["table_name"] ?? ""] = row["fingerprint"] }
    for source in plan.sources {
      let found = try connection.query(SourceGuard(of: source, in: plan).fingerprint).value
      guard let found, found == recorded[source.table.name] else {
        throw ExecutionError(.sourceChanged(table: source.table.name))
      }
    }
  }

  /// Runs a statement, and returns how many rows it changed.
  @discardableResult
  func run(
    _ sql: SQLFragment,
    at place: String? = nil,
    _ connection: borrowing PostgresConnection
  ) throws -> Int {
    try runner.run(sql, at: place, connection)
  }
}

/// The settings of a copy.
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
  /// The places at which tests can intervene.
  package var failpoints = Failpoints()

  /// Creates settings.
  public init(workers: Int = 1, throttleQuery: String? = nil) {
    self.workers = workers
    self.throttleQuery = throttleQuery
  }
}

extension PostgresConnection {
  /// Prepares a session for working on a job; a transaction that is idle for this many seconds is
  /// ended.
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
