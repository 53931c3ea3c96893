import MigrationExecution
import PostgresClient
import SQLSyntax
import TestSupport

@testable import MigrationPlanning

/// What an operation did to the tables that there are, by the names that they had before.
struct ClaimMeasurement: Equatable {
  var locks: [SQLIdentifier: LockMode] = [:]
  var rewrites: Set<SQLIdentifier> = []
  var scans: Set<SQLIdentifier> = []

  /// Carries out the operation of a case in a database with the tables of the cases.
  static func of(_ claim: ClaimCase) async throws -> ClaimMeasurement {
    try await TestServer.withDatabase { url in
      let connection = try PostgresConnection(to: .url(url))
      try connection.prepareSession()
      try connection.execute(ClaimCase.tables)
      if let preparation = claim.preparation { try connection.execute(preparation) }
      return try of(claim, connection)
    }
  }

  private static func of(
    _ claim: ClaimCase,
    _ connection: borrowing PostgresConnection
  ) throws -> ClaimMeasurement {
    let statements = StatementCompiler.statements(
      for: [claim.operation],
      in: DatabaseSchema(name: "s")
    )
    try connection.execute("BEGIN; SET CONSTRAINTS ALL IMMEDIATE")
    let before = try TableObservation(connection)
    for statement in statements { try connection.execute(statement.sql) }
    let after = try TableObservation(connection)
    try connection.execute("ROLLBACK")
    let known = Set(before.tables.keys).union(after.tables.keys)
    return ClaimMeasurement(
      after.impact(since: before, on: known, fewestFetches: ClaimCase.rowCount),
      claim
    )
  }

  private init(_ measured: MeasuredImpact, _ claim: ClaimCase) {
    locks = Dictionary(
      measured.locks.map { ($0.key.name, $0.value) },
      uniquingKeysWith: max
    )
    rewrites = Set(measured.rewrites.map(\.name))
    // Keys are looked up row by row, which is no matter of the operation.
    let lookups = measured.lookups.map(\.name).filter { claim.keyLocks[$0] == nil }
    scans = Set(measured.scans.map(\.name)).union(lookups)
  }

  init(
    locks: [SQLIdentifier: LockMode],
    rewrites: Set<SQLIdentifier>,
    scans: Set<SQLIdentifier>
  ) {
    self.locks = locks
    self.rewrites = rewrites
    self.scans = scans
  }
}
