internal import MigrationPlanning
internal import PostgresClient
internal import SQLSyntax

/// The proofs that filled columns have a value in every row.
///
/// From the promise on, the server refuses writes of others that leave a column without a value. So it is
/// not given while there are such rows, and is taken back when nobody works on the job any more.
extension CopyContext {
  /// How often a promise is given that rows of others break.
  private static let promiseCount = 5

  /// Has the server prove that columns have a value in every row, while others read and write.
  func prove(_ connection: borrowing PostgresConnection) throws {
    for fill in plan.fills {
      let statements = FillStatements(of: fill, in: plan)
      // The work of an earlier owner stays done.
      let unproven = try statements.proofs.filter { proof in
        try connection.query(statements.validity(of: proof.name)).isEmpty
      }
      try checkValues(unproven, of: fill, connection)
      for proof in statements.proofs { try prove(proof, of: fill, connection) }
    }
  }

  private func prove(
    _ proof: FillStatements.Proof,
    of table: FilledTable,
    _ connection: borrowing PostgresConnection
  ) throws {
    let statements = FillStatements(of: table, in: plan)
    var count = 0
    while true {
      let known = try connection.query(statements.validity(of: proof.name)).first
      if known?.boolean("is_valid") == true { return }
      do {
        if known == nil {
          try dismissVacuums(of: [statements.name], in: .verifying, connection)
          try transact("promise", in: .verifying, connection) { connection in
            try run(proof.promise, connection)
          }
        }
        return try transact("prove", in: .verifying, connection) { connection in
          try run(Transaction.outlastingVacuums, connection)
          try run(proof.validation, connection)
        }
      } catch let error as PostgresError where error.sqlState == .checkViolation {
        try withdraw([proof], of: statements, connection)
        try checkValues([proof], of: table, connection)
        // The row has got its value meanwhile.
        count += 1
        guard count < Self.promiseCount else { throw error }
      }
    }
  }

  /// Checks that columns have a value in every row.
  private func checkValues(
    _ proofs: [FillStatements.Proof],
    of table: FilledTable,
    _ connection: borrowing PostgresConnection
  ) throws {
    guard let query = FillStatements(of: table, in: plan).missingValues(of: proofs) else { return }
    try transact("nulls", in: .verifying, connection) { connection in
      let rows = try connection.query(query)
      let number = rows.compactMap { $0.integer("number") }.min()
      guard let number, proofs.indices.contains(number) else { return }
      throw ExecutionError(
        .valueMissing(
          table: table.name.name,
          column: proofs[number].place.column.name,
          keys: rows.filter { $0.integer("number") == number }.compactMap { $0["key"] }.sorted()
        )
      )
    }
  }

  // MARK: - Withdrawal

  private func withdraw(
    _ proofs: [FillStatements.Proof],
    of statements: FillStatements,
    in state: CopyJob.State = .verifying,
    _ connection: borrowing PostgresConnection
  ) throws {
    try dismissVacuums(of: [statements.name], in: state, connection)
    try transact("withdraw", in: state, connection) { connection in
      for proof in proofs { try run(proof.withdrawal, connection) }
    }
  }

  /// Has the server accept rows without a value while nobody works on the job, as far as it can be done:
  /// what remains, the next owner proves or takes back.
  ///
  /// - Parameters:
  ///   - isLeft: Whether this process stops working on the job: the next one proves again.
  ///   - connection: A connection, whatever has happened on it.
  func withdrawPromises(isLeft: Bool, _ connection: borrowing PostgresConnection) {
    guard strategy == .filled, !connection.isBroken else { return }
    var context = self
    context.isLeaving = true
    var fills = plan.fills
    // An interruption cancels whatever runs, three more times.
    for attempt in 0..<4 where !fills.isEmpty {
      if attempt > 0 { Interruption().sleep(seconds: 0.2) }
      var refused: [FilledTable] = []
      for fill in fills {
        do {
          try context.withdrawPromises(of: fill, isLeft: isLeft, connection)
        } catch let error as PostgresError
          where error.sqlState == .queryCanceled || error.sqlState?.isLockConflict == true
        {
          refused.append(fill)
        } catch {
          return
        }
      }
      fills = refused
    }
  }

  private func withdrawPromises(
    of table: FilledTable,
    isLeft: Bool,
    _ connection: borrowing PostgresConnection
  ) throws {
    try runner.rollBack(connection)
    let statements = FillStatements(of: table, in: plan)
    let given = try statements.proofs.filter { proof in
      try !connection.query(statements.validity(of: proof.name)).isEmpty
    }
    guard !given.isEmpty else { return }
    if isLeft, try owner.state(evenPaused: true, connection) == .ready {
      try transact("reopen", in: .ready, as: Style(isExclusive: true), connection) { connection in
        let sql = jobs.reopening(jobID, epoch: owner.epoch)
        guard try connection.query(sql).affectedRows == 1 else { throw CopyStop.fenced }
        try owner.note("state", CopyJob.State.verifying.rawValue, connection)
      }
    }
    try withdraw(given, of: statements, connection)
  }
}
