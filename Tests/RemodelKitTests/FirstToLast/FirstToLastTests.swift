import FoundationEssentials
import RemodelKit
import TestSupport
import Testing

/// Real models brought from their first version to their last in one call.
///
/// The models are no part of the repository: skipped where they are absent.
@Suite(
  .tags(.server),
  .enabled(if: TestServer.isAvailable),
  .enabled(if: Corpora.isAvailable, "there are no real models on this machine"),
  .timeLimit(.minutes(60))
)
struct FirstToLastTests {
  @Test(.sampled(oneIn: 3))
  func `a migration over many versions has the same result as many migrations`() async throws {
    let isEverything = ProcessInfo.processInfo.environment["REMODEL_CASES"] == "all"
    let bundles = try Corpora.bundles.map { try ModelBundle(at: $0) }
      .filter { $0.versions.count >= 5 && (isEverything || $0.versions.count <= 8) }
    let stretches = try bundles.flatMap(Stretch.all(of:))
    var total = Jump()
    var emptied = 0
    for stretch in stretches {
      let jump = try await stretch.compare(judge: SchemaJudge.appointed)
      print("\(stretch.description): \(jump.summary)")
      total.versions += jump.versions
      total.steps += jump.steps
      total.statements += jump.statements
      total.duration += jump.duration
      emptied += jump.isEmptied ? 1 : 0
    }

    print("\(stretches.count) stretches, \(emptied) without rows: \(total.summary)")
    #expect(total.steps < total.versions - stretches.count, "nothing was folded")
  }
}

extension Jump {
  fileprivate var summary: String {
    "\(versions) versions, \(steps) steps, \(statements) statements, \(duration)"
      + (isEmptied ? ", without rows" : "")
  }
}
