import CustomDump
import SQLSyntax
import TestSupport
import Testing

@testable import MigrationPlanning

/// What operations say of their locks, rewrites and scans is what the server does.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(10)))
struct ClaimsTests {
  @Test(arguments: OperationKind.allCases.flatMap(\.claims))
  func `an operation takes and does what it declares`(claim: ClaimCase) async throws {
    let measured = try await ClaimMeasurement.of(claim)

    let impact = claim.operation.base.impact
    let declared = ClaimMeasurement(
      locks: impact.locks.merging(claim.keyLocks, uniquingKeysWith: max),
      rewrites: impact.rewrites,
      scans: impact.scans
    )
    let difference = diff(declared, measured)
    #expect(difference == nil, "declared (-), measured (+)")
  }

  @Test(arguments: OperationKind.allCases)
  func `every kind of operation is measured`(kind: OperationKind) {
    let kinds = Set(kind.claims.map(\.operation.kind))

    #expect(kinds == [kind])
  }
}
