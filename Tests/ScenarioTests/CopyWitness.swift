import RemodelKit
import Synchronization
import TestSupport

@testable import MigrationPlanning

/// Writes while a job runs, and checks the job wherever it can be observed.
final class CopyWitness: Sendable {
  private struct State {
    var random: SeededGenerator
    var differences: [String] = []
    var checks = 0
    var isStarted = false
    var source = TableContents()
    var destination = TableContents()
  }

  private let plan: CopyPlan
  private let url: String
  private let seed: UInt64
  private let strategy: CopyStrategy
  private let load: WriterLoad
  private let state: Mutex<State>

  /// Fills the tables with all kinds of rows.
  init(_ plan: CopyPlan, _ url: String, seed: UInt64, _ strategy: CopyStrategy) throws {
    self.plan = plan
    self.url = url
    self.seed = seed
    self.strategy = strategy
    let connection = try PostgresConnection(to: .url(url))
    // Writers that wait for each other are not to keep the job waiting for a second each time; ours waits
    // for less, with room for a busy machine.
    let database = SQLIdentifier(connection.databaseName)
    try connection.execute("ALTER DATABASE \(database) SET deadlock_timeout = '600ms'")
    let tables = try WritableTable.all(connection)
    load = WriterLoad(url, tables, isGated: strategy == .gated)
    state = Mutex(State(random: SeededGenerator(seed: seed)))
    try load.grow(150, seed: seed)
  }

  private var isOnline: Bool { strategy == .online }

  /// What was not as it should be while the job ran.
  var differences: [String] { state.withLock(\.differences) }
  /// What writers met that they should not have.
  var surprises: [String] { load.surprises }
  var commits: Int { load.commits }
  /// How often the copy was compared.
  var checks: Int { state.withLock(\.checks) }
  /// The tables as the last transaction of the job found them.
  var source: TableContents { state.withLock(\.source) }
  /// The tables as the last transaction of the job left them.
  var destination: TableContents { state.withLock(\.destination) }

  func settings(workers: Int) -> CopySettings {
    var settings = CopySettings(workers: workers)
    settings.chunkRows = 9
    settings.failpoints = Failpoints { [self] name, connection in
      do {
        try look(name, connection)
      } catch let error as PostgresError
        where error.kind == .server && connection.transactionStatus != .failed
      {
        // An error in the job's own transaction is the job's, which tries again after a deadlock.
        note("\(name): \(error.message)")
      }
    }
    return settings
  }

  /// Lets the writers continue for a while, then ends them.
  func stop() {
    if strategy != .gated { load.wait(forCommits: 20) }
    load.stop()
  }

  private func look(_ name: String, _ connection: borrowing PostgresConnection) throws {
    switch name {
    case "guard.after_commit" where state.withLock { $0.random.once(in: 2) }: fallthrough
    case "start.after_commit": start()
    case "chunk.after_commit": wait(forCommits: 1)
    case "copied.after_commit", "index.after_commit", "promise.after_commit", "filled.after_commit",
      "caught_up.after_commit",
      "verified.after_commit":
      wait(forCommits: 8)
      try compare()
    case "apply.after_commit", "compared.after_commit":
      wait(forCommits: 4)
      if state.withLock({ $0.random.once(in: 2) }) { try compare() }
    case "cutover.after_lockTables":
      let contents = try TableContents.read(connection)
      state.withLock { $0.source = contents }
    case "cutover.before_commit":
      let contents = try TableContents.read(connection)
      state.withLock { $0.destination = contents }
      load.noteReplacement(leaving: Set(contents.tables.keys.map(\.name)))
    default: break  // Nothing to be seen.
    }
  }

  private func start() {
    let isFirst = state.withLock { state in
      defer { state.isStarted = true }
      return !state.isStarted
    }
    if isFirst { load.start(4, seed: seed) }
    wait(forCommits: 8)
  }

  private func wait(forCommits count: Int) {
    if strategy != .gated { load.wait(forCommits: count) }
  }

  private func note(_ difference: String) {
    state.withLock { state in
      if state.differences.count < 10 { state.differences.append(difference) }
    }
  }

  // MARK: - Comparing

  /// Compares the copied rows with those derived from their sources, in one snapshot.
  ///
  /// It does not use the statements of the copy's own comparison.
  private func compare() throws {
    let connection = try PostgresConnection(to: .url(url))
    try connection.prepareSession()
    let statements = CopyStatements(plan)
    try begin(connection, statements)
    var preparation: [SQLFragment] = []
    if isOnline {
      preparation =
        statements.temporaryTables + plan.sources.map(statements.looking) + statements.findUnits
    }
    for statement in preparation { try connection.execute(statement) }
    for fill in plan.fills {
      let rows = try connection.query(
        FillStatements(of: fill, in: plan).unequal(from: nil, to: nil)
      )
      for row in rows { note("\(fill.name.name): \(row["key"] ?? "")") }
    }
    for table in statements.derivableTables {
      let restriction: (SQLFragment) -> SQLFragment = { [isOnline] unit in
        isOnline ? "\(unit) NOT IN (SELECT unit FROM \(table.units))" : "true"
      }
      for statement in statements.derivation(of: table, restriction) {
        try connection.execute(statement)
      }
      let derived: SQLFragment = "SELECT t::text FROM \(table.derived) AS t"
      let made: SQLFragment = """
        SELECT t::text FROM (SELECT \(table.columns) FROM \(table.staged) \
        WHERE \(restriction("\(table.unit)"))) AS t
        """
      let rows = try connection.query(
        """
        SELECT 'missing ' || t FROM (\(derived) EXCEPT ALL \(made)) AS missing
        UNION ALL SELECT 'surplus ' || t FROM (\(made) EXCEPT ALL \(derived)) AS surplus
        """
      )
      for row in rows.rows { note("\(table.name.name): \(row.first.flatMap(\.self) ?? "")") }
    }
    try connection.execute("ROLLBACK")
    state.withLock { $0.checks += 1 }
  }

  /// Begins a transaction with a snapshot; a writer that empties several tables is first.
  private func begin(
    _ connection: borrowing PostgresConnection,
    _ statements: CopyStatements
  ) throws {
    for attempt in 1... {
      do {
        try connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ")
        try connection.execute("SET LOCAL lock_timeout = '60ms'")
        if let lock = statements.sourceLock { try connection.execute(lock) }
        return
      } catch {
        guard error.sqlState == .lockNotAvailable, attempt < 200 else { throw error }
        try connection.execute("ROLLBACK")
      }
    }
  }
}
