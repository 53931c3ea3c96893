import RemodelKit
import Synchronization
import TestSupport
import Testing

/// The statements that run are those that the plan counts.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct StatementNumberTests {
  private struct Tally {
    var expected = 0
    var numbers: [Int] = []
    var steps = 0
  }

  /// Migrates from version to version, and expects of each step that every statement begins once.
  private func check(_ bundle: String) async throws -> Int {
    let tally = Mutex(Tally())
    let remodel = Remodel(RemodelConfiguration(modelsPath: bundle)) { event in
      tally.withLock { tally in
        switch event {
        case .stepStarted(_, _, let count): tally.expected = count
        case .jobStarted, .retrying: tally.expected = -1
        case .statementStarted(let number, _): tally.numbers.append(number)
        case .stepEnded:
          if tally.expected >= 0 {
            #expect(tally.numbers == Array((1...max(1, tally.expected)).prefix(tally.expected)))
            tally.steps += 1
          }
          tally.numbers = []
        case _: break
        }
      }
    }
    let versions = try remodel.versions()
    try await TestServer.withDatabase { url in
      for version in versions {
        do {
          _ = try await remodel.migrate(.url(url), to: version.name)
        } catch is RemodelError {
          // What cannot be inferred is left out.
          continue
        }
      }
    }
    return tally.withLock(\.steps)
  }

  @Test
  func `of the sample, as many statements begin as the plan counts`() async throws {
    let root = #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
    #expect(try await check("/\(root)/migrations") >= 2)
  }

  @Test(.enabled(if: Corpora.isAvailable, "there are no real models on this machine"))
  func `of real models, as many statements begin as the plan counts`() async throws {
    var steps = 0
    for bundle in Corpora.bundles.prefix(12) {
      steps += (try? await check(bundle)) ?? 0
    }
    #expect(steps > 0)
  }
}
