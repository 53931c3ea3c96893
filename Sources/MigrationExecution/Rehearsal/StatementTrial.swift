internal import FoundationEssentials
package import MigrationPlanning
package import ModelMapping
package import PostgresClient
package import SQLSyntax

/// Runs the statements of a step one by one, each in a transaction of its own, so that the locks of
/// earlier ones do not hide its own.
///
/// It changes the database for good, but not the metadata: it is for copies.
package struct StatementTrial {
  private let step: MigrationStep
  private let policies: [String: any EntityMigrationPolicy]
  private let interruption: Interruption
  private let metadataSchema: SQLIdentifier

  /// Creates a trial.
  ///
  /// - Parameters:
  ///   - step: The step.
  ///   - metadataSchema: The schema of the metadata, which is not measured.
  ///   - policies: The policies in code, by the class names that mappings have.
  ///   - interruption: Ends the trial.
  package init(
    _ step: MigrationStep,
    metadataSchema: SQLIdentifier,
    policies: [String: any EntityMigrationPolicy] = [:],
    interruption: Interruption = Interruption()
  ) {
    self.step = step
    self.metadataSchema = metadataSchema
    self.policies = policies
    self.interruption = interruption
  }

  /// Runs the statements.
  ///
  /// - Parameter connection: A connection outside of a transaction.
  /// - Returns: The measurements of each, in order.
  /// - Throws: The server's error.
  package func run(
    _ connection: borrowing PostgresConnection
  ) throws -> [ImpactComparison] {
    // The server reads all of a table with few rows to find one, which would be misleading for a
    // large one.
    try connection.query("SET enable_seqscan = off")
    let known = Set(try TableObservation(leavingOut: metadataSchema, connection).tables.keys)
    let schema = (step.source ?? step.destination).projection.schema.name
    let comparisons = try step.statements.map { statement in
      try interruption.check()
      let measured = try measure(statement, known, connection)
      return ImpactComparison(statement, in: schema, measured)
    }
    try connection.query("RESET enable_seqscan")
    return comparisons
  }

  private func measure(
    _ statement: PlannedStatement,
    _ known: Set<TableObservation.TableID>,
    _ connection: borrowing PostgresConnection
  ) throws -> MeasuredImpact {
    let runner = TransactionRunner(interruption: interruption)
    let transaction = Transaction(settings: ["SET CONSTRAINTS ALL IMMEDIATE"])
    return try runner.transact(transaction, connection) { connection in
      let before = try TableObservation(leavingOut: metadataSchema, connection)
      let count = try runner.run(statement, of: step, policies, connection)
      let after = try TableObservation(leavingOut: metadataSchema, connection)
      var impact = after.impact(since: before, on: known)
      impact.changesRows = count > 0
      return impact
    }
  }
}
