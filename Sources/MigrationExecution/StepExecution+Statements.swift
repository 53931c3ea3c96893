internal import MigrationPlanning
internal import PostgresClient
internal import SQLSyntax

extension StepExecution {
  /// Runs a statement of the plan, or passes rows through a policy in its place.
  func run(
    _ statement: PlannedStatement,
    _ connection: borrowing PostgresConnection
  ) throws {
    guard let rowPolicy = statement.rowPolicy else { return try run(statement.sql, connection) }
    let passing = try RowPolicyRun(
      rowPolicy,
      of: step.mappingModel,
      policies,
      interruption,
      onEvent
    )
    _ = try passing.run(CopyChunk(number: 0, lower: nil, upper: nil), connection)
  }

  /// Runs a statement, and tells that it was run.
  func run(_ sql: SQLFragment, _ connection: borrowing PostgresConnection) throws {
    let clock = ContinuousClock()
    let begin = clock.now
    let rows = try connection.execute(sql)
    onEvent?(
      .statement(sql: sql.text, duration: begin.duration(to: clock.now), rows: rows)
    )
  }
}
