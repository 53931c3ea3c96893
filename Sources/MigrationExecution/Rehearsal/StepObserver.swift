package import MigrationPlanning
package import PostgresClient
package import SQLSyntax
internal import Synchronization

/// Watches the transactions of a step while it is carried out.
package final class StepObserver: Sendable {
  /// The place where a step is carried out.
  package enum Place: Hashable, Sendable {
    /// On a server without other sessions.
    case apart
    /// Among others, whose writes are in the server's counts.
    case live
  }

  private struct State {
    var known: Set<TableObservation.TableID>?
    var last: TableObservation?
    var actionBegan: Duration = .zero
    /// The time that the observations took, which is left out of the results.
    var overhead: Duration = .zero
    var lastLog: Int?
    var begin: Duration?
    var firstSize: Int?
    var firstLog: Int?
    var peakSize: Int?
    var held:
      [(id: TableObservation.TableID, lock: QualifiedName, mode: LockMode, since: Duration)] =
        []
    var holds: [HeldLock] = []
    var statements: [Int: RehearsedStatement] = [:]
  }

  private let step: MigrationStep
  private let metadataSchema: SQLIdentifier
  private let place: Place
  private let clock = ContinuousClock()
  private let start: ContinuousClock.Instant
  private let state = Mutex(State())

  /// Creates an observer of a step.
  ///
  /// - Parameters:
  ///   - step: The step.
  ///   - metadataSchema: The schema of the metadata, which is not measured.
  ///   - place: The place of the rehearsal.
  package init(of step: MigrationStep, metadataSchema: SQLIdentifier, at place: Place) {
    self.step = step
    self.metadataSchema = metadataSchema
    self.place = place
    start = clock.now
  }

  /// How many rows a table has at least whose reads count, where the server plans as it likes.
  private static let smallestTable = 1_000

  /// Notes that an action begins.
  func willPerform(_ action: ExecutionState.Action) {
    state.withLock { $0.actionBegan = now($0) }
  }

  /// Measures the effects of an action.
  func didPerform(
    _ action: ExecutionState.Action,
    _ connection: borrowing PostgresConnection
  ) throws {
    let ended = state.withLock { now($0) }
    let looked = clock.now
    switch action {
    case .begin: try beginTransaction(connection)
    case .lockTables, .completeCopy: try look(connection)
    case .runStatements(let group): try note(group.lowerBound, ended, connection)
    case .commit, .rollBack: endTransaction(at: ended)
    case .takeMigrationLock, .compareRecord, .askPreconditions, .enterStart, .recordProgress,
      .recordVersion,
      .findOutcome, .pause, .findBlockers, .finish:
      return
    }
    let spent = looked.duration(to: clock.now)
    state.withLock { $0.overhead += spent }
  }

  private func now(_ state: State) -> Duration { start.duration(to: clock.now) - state.overhead }

  private func beginTransaction(_ connection: borrowing PostgresConnection) throws {
    let observation = try TableObservation(leavingOut: metadataSchema, connection)
    let counts = try Counts(at: place, connection)
    state.withLock { state in
      // No other session uses the tables that a job creates.
      let others = observation.tables.filter { $0.value.name.schema != step.copy?.stagingSchema }
      state.known = state.known ?? Set(others.keys)
      state.last = observation
      state.held = []
      state.begin = state.begin ?? state.actionBegan
      state.firstLog = state.firstLog ?? counts.log
      state.firstSize = state.firstSize ?? counts.size
      state.lastLog = counts.log
    }
  }

  /// Notes locks.
  private func look(_ connection: borrowing PostgresConnection) throws {
    let observation = try TableObservation(leavingOut: metadataSchema, connection)
    let counts = try Counts(at: place, connection)
    state.withLock { state in
      _ = take(observation, counts, &state)
    }
  }

  private func take(
    _ observation: TableObservation,
    _ counts: Counts,
    _ state: inout State
  ) -> MeasuredImpact? {
    defer {
      state.last = observation
      state.lastLog = counts.log
      state.peakSize = [state.peakSize, counts.size].compactMap(\.self).max()
    }
    guard let last = state.last, let known = state.known else { return nil }
    for (id, mode) in observation.locks where known.contains(id) {
      if let held = last.locks[id], held >= mode { continue }
      guard let name = (last.tables[id] ?? observation.tables[id])?.name else { continue }
      state.held.append((id, name, mode, state.actionBegan))
    }
    return observation.impact(since: last, on: known, smallestTable: Self.smallestTable)
  }

  private func note(
    _ index: Int,
    _ ended: Duration,
    _ connection: borrowing PostgresConnection
  ) throws {
    let observation = try TableObservation(leavingOut: metadataSchema, connection)
    let counts = try Counts(at: place, connection)
    let statement = step.statements[index]
    let schema = (step.source ?? step.destination).projection.schema.name
    state.withLock { state in
      let log = counts.log.flatMap { log in state.lastLog.map { log - $0 } }
      let names = state.last?.tables.mapValues(\.name) ?? [:]
      guard var measured = take(observation, counts, &state) else { return }
      // A lock that the transaction had before counts only if it became stronger.
      for (id, name) in names {
        guard name.schema == schema, measured.locks[name] == nil,
          let said = statement.impact.locks[name.name], let held = observation.locks[id]
        else { continue }
        measured.locks[name] = min(said, held)
      }
      state.statements[index] = RehearsedStatement(
        statement: statement,
        duration: ended - state.actionBegan,
        logBytes: log,
        comparison: ImpactComparison(statement, in: schema, measured)
      )
    }
  }

  private func endTransaction(at time: Duration) {
    state.withLock { state in
      let held = state.held.map {
        HeldLock(table: $0.lock, mode: $0.mode, duration: time - $0.since)
      }
      state.holds += held
      state.held = []
    }
  }

  /// Returns the measurements until now.
  ///
  /// - Parameters:
  ///   - isJob: Whether the step copies in transactions of their own.
  ///   - comparisons: The measurements of single statements; without them, those of this observer.
  ///   - connection: A connection to the server.
  /// - Returns: The measurements.
  /// - Throws: The server's error.
  package func result(
    isJob: Bool,
    comparisons: [ImpactComparison]? = nil,
    _ connection: borrowing PostgresConnection
  ) throws -> RehearsedStep {
    let counts = try Counts(at: place, connection)
    let total = start.duration(to: clock.now)
    return state.withLock { state in
      var statements = state.statements.sorted { $0.key < $1.key }.map(\.value)
      if let comparisons, comparisons.count == statements.count {
        for index in statements.indices { statements[index].comparison = comparisons[index] }
      }
      let peak = [state.peakSize, counts.size].compactMap(\.self).max()
      return RehearsedStep(
        source: step.source?.name,
        destination: step.destination.name,
        isJob: isJob,
        statements: statements,
        holds: Self.strongest(of: state.holds),
        duration: total - state.overhead,
        logBytes: counts.log.flatMap { end in state.firstLog.map { end - $0 } },
        diskBytes: peak.flatMap { peak in state.firstSize.map { max(0, peak - $0) } }
      )
    }
  }

  /// Returns the longest hold of each lock on each table, the first table first.
  private static func strongest(of holds: [HeldLock]) -> [HeldLock] {
    struct Lock: Hashable {
      var table: QualifiedName
      var mode: LockMode
    }
    let longest = Dictionary(
      holds.map { (Lock(table: $0.table, mode: $0.mode), $0) },
      uniquingKeysWith: { $0.duration < $1.duration ? $1 : $0 }
    )
    return longest.values.sorted { ($0.table, $1.mode) < ($1.table, $0.mode) }
  }
}

/// Counters of a server that has no other sessions.
private struct Counts {
  /// The bytes of write-ahead log since the server was initialized.
  var log: Int?
  /// The bytes of the database.
  var size: Int?

  init(at place: StepObserver.Place, _ connection: borrowing PostgresConnection) throws {
    guard place == .apart else { return }
    let row = try connection.query(
      """
      SELECT (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::bigint AS log, \
      pg_database_size(current_database()) AS size
      """
    ).first
    log = row?.integer("log")
    size = row?.integer("size")
  }
}
