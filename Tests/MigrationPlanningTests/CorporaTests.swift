import Diagnostics
import ModelMapping
import PostgresClient
import SQLSyntax
import TestSupport
import Testing

@testable import MigrationPlanning

/// Consecutive versions of real models, held to the live law with rows in every table.
///
/// The models are no part of the repository: skipped where they are absent.
@Suite(
  .tags(.server),
  .enabled(if: TestServer.isAvailable),
  .enabled(if: Corpora.isAvailable, "there are no real models on this machine"),
  .timeLimit(.minutes(30))
)
struct CorporaTests {
  @Test(arguments: RandomCases.one(in: 2, of: [false, true]))
  func `consecutive versions of real models migrate as if created anew`(
    isPhased: Bool
  ) async throws {
    var planner = MigrationPlanner(strategy: isPhased ? .online : .locked)
    planner.isPhased = isPhased
    let planned = planner
    let pairs = try VersionPair.all().sample()

    let tally = try await TestServer.withDatabase { url in
      let connection = try PostgresConnection(to: .url(url))
      try connection.prepareSession()
      var tally = Tally()
      for pair in pairs {
        do {
          try pair.migrate(connection, by: planned)
          tally.passed += 1
        } catch let error as any DiagnosticError {
          try connection.execute("ROLLBACK")
          tally.add(error, of: pair)
        }
      }
      return tally
    }

    print(tally.summary)
    #expect(tally.passed + tally.refused == pairs.count)
  }
}

private struct Tally {
  var passed = 0
  var refused = 0
  var reasons: [String: Int] = [:]

  mutating func add(_ error: any DiagnosticError, of pair: VersionPair) {
    guard let error = error as? InferenceError else {
      // Anything else is no refusal but a failure.
      Issue.record("\(pair.name):\n\(error.diagnostics.map(\.description))")
      return
    }
    refused += 1
    #expect(error.diagnostics.allSatisfy { $0.hint != nil }, "a reason without remedy")
    for diagnostic in error.diagnostics {
      reasons[diagnostic.detail ?? diagnostic.message, default: 0] += 1
    }
  }

  var summary: String {
    let lines = reasons.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      .map { "  \($0.value) x \($0.key)" }
    return (["passed \(passed), refused by rule \(refused)"] + lines).joined(separator: "\n")
  }
}
