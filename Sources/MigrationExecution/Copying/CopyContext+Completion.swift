internal import MigrationPlanning
internal import PostgresClient
internal import SQLSyntax

extension CopyContext {
  /// Gives the filled tables their indexes and constraints.
  func index(_ connection: borrowing PostgresConnection) throws -> CopyJob.State {
    if strategy == .filled { return try endFilling(connection) }
    try addKeys(connection)
    if isOnline { try drain(in: .indexing, connection) }
    try dismissVacuums(in: .indexing, connection)
    let next = isOnline ? CopyJob.State.catchingUp : .verifying
    let style = Style(isRepeatable: isOnline, isExclusive: true)
    return try transact("index", in: .indexing, as: style, connection) { connection in
      try checkSources(connection)
      // Only rows that are all of one moment keep the constraints of the tables that they are of.
      if isOnline { try apply(limit: nil, connection) }
      try run("SET CONSTRAINTS ALL IMMEDIATE", connection)
      for statement in plan.completion {
        try run(statement.sql, at: "index.statement", connection)
      }
      try carryParts(connection)
      try owner.move(from: .indexing, to: next, connection)
      return next
    }
  }

  /// Gives the filled tables their primary keys, by which changed rows are looked up.
  private func addKeys(_ connection: borrowing PostgresConnection) throws {
    guard !plan.keys.isEmpty else { return }
    try transact("keyed", in: .indexing, as: Style(isExclusive: true), connection) { connection in
      guard try connection.query(statements.keyedTable).isEmpty else { return }
      for statement in plan.keys { try run(statement.sql, at: "index.statement", connection) }
    }
  }

  /// Copies changed rows again until few changes are left; then moves the job on.
  func catchUp(_ connection: borrowing PostgresConnection) throws -> CopyJob.State {
    let state = try owner.state(connection)
    if strategy == .filled {
      try compareUnfilled(in: state, connection)
      return state
    }
    try drain(in: state, connection)
    guard state == .catchingUp else { return state }
    return try transact("caught_up", in: .catchingUp, as: Style(isExclusive: true), connection) {
      connection in
      try owner.move(from: .catchingUp, to: .verifying, connection)
      return .verifying
    }
  }

  /// Copies changed rows again until few changes are left, or their number does not fall.
  func drain(in state: CopyJob.State, _ connection: borrowing PostgresConnection) throws {
    let clock = ContinuousClock()
    let throttle = Throttle(self)
    var pace = CatchUpPace(tolerable: settings.finalBacklog, hasConstraints: state != .indexing)
    while !pace.isDone {
      let begin = clock.now
      let round = try applyRound(in: state, limit: pace.limit, connection)
      pace.record(
        taken: round.taken,
        left: round.left,
        seconds: begin.duration(to: clock.now).inSeconds
      )
      onEvent?(.caughtUp(backlog: round.left))
      if let shortfall = pace.shortfall { try tell(of: shortfall, connection) }
      // A worker that rests between rounds while others write never catches up with them.
      try throttle.pause(after: 0, connection)
    }
  }

  /// Says that others write faster than their changes can be copied again.
  private func tell(
    of shortfall: CatchUpPace.Shortfall,
    _ connection: borrowing PostgresConnection
  ) throws {
    onEvent?(.fallingBehind(arriving: shortfall.arriving, copied: shortfall.copied))
    let detail =
      "\(shortfall.arriving) changes a second come, \(shortfall.copied) a second are copied again"
    try owner.note("falling behind", detail, connection)
  }

  /// Copies changed rows again, once.
  ///
  /// - Returns: The number of applied changes, and of those left.
  @discardableResult
  func applyRound(
    in state: CopyJob.State,
    limit: Int?,
    _ connection: borrowing PostgresConnection
  ) throws -> (taken: Int, left: Int) {
    let style = Style(isRepeatable: true, isExclusive: true)
    let taken = try transact("apply", in: state, as: style, connection) { connection in
      try checkSources(connection)
      let taken = try apply(limit: limit, connection)
      // Compared rows stay compared.
      if state == .verifying || state == .ready { try compareApplied(connection) }
      // All rows are checked at this point.
      if state == .ready { try checkReferencesOfApplied(connection) }
      return taken
    }
    // Otherwise dead rows would be read again and again.
    for statement in statements.queueMaintenance { try run(statement, connection) }
    let backlog = try backlog(connection)
    try run(jobs.backlog(jobID, epoch: owner.epoch, backlog), connection)
    return (taken, backlog)
  }

  /// Returns how many changes are left, as far as it matters.
  func backlog(_ connection: borrowing PostgresConnection) throws -> Int {
    let query = statements.backlog(atMost: 1_000_000)
    return try connection.query(query).first?.integer("entries") ?? 0
  }

  /// Copies changed rows again, in the current transaction.
  ///
  /// It stops at a deadline if others wait for the transaction.
  ///
  /// - Returns: The number of changes.
  @discardableResult
  func apply(
    limit: Int?,
    until deadline: ContinuousClock.Instant? = nil,
    _ connection: borrowing PostgresConnection
  ) throws -> Int {
    for statement in statements.apply(limit: limit) {
      if let deadline, deadline < .now { throw CopyStop.late }
      try run(statement, at: "apply.statement", connection)
    }
    return try connection.query(statements.takenCount).first?.integer("entries") ?? 0
  }

  /// Compares the rows that the current transaction has copied again with the expected ones.
  func compareApplied(_ connection: borrowing PostgresConnection) throws {
    for table in plan.tables {
      try check(statements.comparisonOfApplied(table), table, connection)
    }
  }

  /// Compares every copied row with the expected one, and runs the authored verification.
  func verify(_ connection: borrowing PostgresConnection) throws -> CopyJob.State {
    if strategy == .filled {
      try compareFills(connection)
      try prove(connection)
    }
    // Rows that authored SQL has changed since no longer follow from the source.
    if plan.closings.isEmpty { try compare(in: .verifying, connection) }
    let style = Style(isRepeatable: isOnline, isExclusive: true)
    return try transact("verified", in: .verifying, as: style, connection) { connection in
      try checkSources(connection)
      if isOnline, !plan.unvalidatedReferences.isEmpty {
        try apply(limit: nil, connection)
        try compareApplied(connection)
      }
      try checkReferences(connection)
      for validation in plan.validations { try run(validation.sql, connection) }
      try owner.move(from: .verifying, to: .ready, connection)
      return .ready
    }
  }

  /// Compares every copied row with the expected one.
  func compare(
    in state: CopyJob.State,
    _ connection: borrowing PostgresConnection
  ) throws {
    let clock = ContinuousClock()
    let throttle = Throttle(self)
    var lastRound = clock.now
    for (table, part) in comparedParts {
      // The fixed cost of a transaction is the same for many ranges as for one.
      var sizing = ChunkSizing(target: 2)
      while true {
        let begin = clock.now
        let count = try compareNext(sizing.count, table, part, in: state, connection)
        guard count > 0 else { break }
        let seconds = begin.duration(to: clock.now).inSeconds
        sizing.record(count: count, seconds: seconds)
        if isOnline, lastRound.duration(to: clock.now) > .seconds(5) {
          try applyRound(in: state, limit: nil, connection)
          lastRound = clock.now
        }
        try throttle.pause(after: seconds, connection)
      }
    }
  }

  /// The tables whose rows follow from a query, each with the part by whose ranges it is compared.
  private var comparedParts: [(CopiedTable, CopyPart)] {
    let parts = CopyPart.parts(of: plan)
    return plan.tables.compactMap { table in
      // Rows inserted by authored SQL cannot be derived again.
      guard table.feeds.allSatisfy({ $0.insertion == nil }) else { return nil }
      let part = parts.first { part in
        if case .rows(_, table) = part.content { true } else { false }
      }
      return part.map { (table, $0) }
    }
  }

  /// Compares some ranges at once.
  ///
  /// - Returns: The number of ranges.
  private func compareNext(
    _ limit: Int,
    _ table: CopiedTable,
    _ part: CopyPart,
    in state: CopyJob.State,
    _ connection: borrowing PostgresConnection
  ) throws -> Int {
    let sql = jobs.unverified(of: jobID, part: part.number, limit: limit)
    let chunks = CopyChunk.adjoining(try connection.query(sql))
    guard let first = chunks.first, let last = chunks.last else { return 0 }
    // To look at changes that wait as if they had been applied, some are.
    let style = Style(isRepeatable: true, isRolledBack: true)
    try transact("compare", in: state, as: style, connection) { connection in
      try checkSources(connection)
      // The ranges are large, and the rest of a transaction's work small.
      try run("SET LOCAL work_mem = '32MB'", connection)
      // Rows of one table are in the order of their keys on both sides.
      if plan.sources.count == 1 { try run("SET LOCAL enable_hashjoin = off", connection) }
      if isOnline { for statement in statements.pendingUnits { try run(statement, connection) } }
      let isPending =
        try isOnline && !connection.query(statements.pendingUnit(of: table)).isEmpty
      let agreement = statements.agreement(
        of: table,
        from: first.lower,
        to: last.upper,
        leavesPendingOut: isPending
      )
      if let agreement, try connection.query(agreement).first?.boolean("agrees") == true { return }
      let differences = statements.differences(
        of: table,
        from: first.lower,
        to: last.upper,
        leavesPendingOut: isPending
      )
      try check(differences, table, connection)
    }
    try transact("compared", in: state, connection) { connection in
      try run(jobs.verification(of: jobID, part: part.number, chunks), connection)
    }
    onEvent?(.compared(table: table.name.name, ranges: chunks.count))
    return chunks.count
  }

  /// Runs a comparison whose last statement returns rows that differ.
  func check(
    _ comparison: [SQLFragment],
    _ table: CopiedTable,
    _ connection: borrowing PostgresConnection
  ) throws {
    var differences: QueryResult?
    for statement in comparison { differences = try connection.query(statement) }
    guard let differences, !differences.isEmpty else { return }
    let units = Set(differences.compactMap { $0["remodel_unit"] }).sorted()
    throw ExecutionError(.copyDiffers(table: table.name.name, units: units))
  }
}

/// Foreign keys that are validated after the cutover: violations have to be found before, while
/// readers and writers are not affected.
extension CopyContext {
  /// Looks at all rows, in a transaction that has brought the copy to where the sources are.
  func checkReferences(_ connection: borrowing PostgresConnection) throws {
    for reference in plan.unvalidatedReferences {
      try check(reference, statements.danglingRows(of: reference), connection)
    }
  }

  /// Looks at the rows that have changed, after ``apply(limit:_:)`` in the same transaction.
  func checkReferencesOfApplied(_ connection: borrowing PostgresConnection) throws {
    for reference in plan.unvalidatedReferences {
      try check(reference, statements.danglingRowsOfApplied(reference), connection)
    }
  }

  private func check(
    _ reference: UnvalidatedReference,
    _ query: SQLFragment?,
    _ connection: borrowing PostgresConnection
  ) throws {
    guard let query else { return }
    let keys = try connection.query(query).compactMap { $0["key"] }
    guard !keys.isEmpty else { return }
    throw ExecutionError(
      .rowsDangle(
        constraint: reference.constraint.name,
        table: reference.table.name,
        referenced: reference.referencedTable.name,
        keys: Set(keys).sorted()
      )
    )
  }
}
