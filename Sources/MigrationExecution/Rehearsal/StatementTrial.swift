internal import FoundationEssentials
package import MigrationPlanning
package import ModelMapping
package import PostgresClient
package import SQLSyntax

/// Runs the statements of a step one by one, each in a transaction of its own, so that what one takes
/// and does is not hidden by what those before it have taken.
///
/// It changes the database for good, and leaves the metadata as it is: it is for copies.
package struct StatementTrial {
  private let step: MigrationStep
  private let policies: [String: any EntityMigrationPolicy]
  private let interruption: Interruption
  private let metadataSchema: SQLIdentifier

  /// Creates a trial.
  ///
  /// - Parameters:
  ///   - step: The step.
  ///   - metadataSchema: The schema of the metadata, of which nothing is measured.
  ///   - policies: The policies in code, by the class names that mappings have.
  ///   - interruption: Ends the trial when it comes.
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
  /// - Parameter connection: A connection outside a transaction.
  /// - Returns: What was measured of each, in their order.
  /// - Throws: What the server says.
  package func run(
    _ connection: borrowing PostgresConnection
  ) throws -> [ImpactComparison] {
    // Of a table with few rows all would be read to find one, which says nothing of one with many.
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
