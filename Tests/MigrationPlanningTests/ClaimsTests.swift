import CustomDump
import SQLSyntax
import TestSupport
import Testing

@testable import MigrationPlanning

/// What operations say of their locks, rewrites and scans is what the server does.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct ClaimsTests {
  @Test(arguments: RandomCases.one(in: 3, of: OperationKind.allCases.flatMap(\.claims)))
  func `an operation takes and does what it declares`(claim: ClaimCase) async throws {
    var measured = try await ClaimMeasurement.of(claim)
    // Nobody else sees a partition that is created.
    if case .addPartitions = claim.operation {
      for table in claim.newTables { measured.locks[table] = nil }
    }

    let impact = claim.operation.base.impact
    let declared = ClaimMeasurement(
      locks: impact.locks.merging(claim.keyLocks, uniquingKeysWith: max),
      rewrites: impact.rewrites,
      scans: impact.scans
    )
    let difference = diff(declared, measured)
    #expect(difference == nil, "declared (-), measured (+)")
  }

  @Test(arguments: OperationKind.allCases.filter { $0 != .distributeTable })
  func `every kind of operation is measured`(kind: OperationKind) {
    let kinds = Set(kind.claims.map(\.operation.kind))

    #expect(kinds == [kind])
  }

  @Test(arguments: OperationKind.allCases.flatMap(\.claims))
  func `what an operation declares is what its statements declare together`(claim: ClaimCase) {
    let statements = StatementCompiler.statements(
      for: [claim.operation],
      in: DatabaseSchema(name: "s")
    )

    var sum = OperationImpact()
    for statement in statements { sum.formUnion(statement.impact) }
    var declared = claim.operation.base.impact
    declared.disregard(claim.newTables)
    if statements.isEmpty { declared = OperationImpact() }
    #expect(sum == declared)
  }
}
