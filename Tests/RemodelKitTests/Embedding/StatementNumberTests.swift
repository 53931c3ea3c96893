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
  private func check(
    _ bundle: String,
    _ choose: ([VersionListing]) -> ArraySlice<VersionListing> = { $0[...] }
  ) async throws -> Int {
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
    let versions = choose(try remodel.versions())
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

  @Test(
    .sampled(oneIn: 3),
    .enabled(if: Corpora.isAvailable, "there are no real models on this machine")
  )
  func `of real models, as many statements begin as the plan counts`() async throws {
    var random = SeededGenerator(seed: RandomCases.sampleSeed)
    var steps = 0
    for bundle in RandomCases.one(in: 6, of: Corpora.bundles) {
      let start = Double.random(in: 0..<1, using: &random)
      // Each call reads all versions of a bundle, of which some have many.
      let found = try? await check(bundle) { versions in
        guard !RandomCases.isEverything else { return versions[...] }
        let first = Int(Double(max(1, versions.count - 3)) * start)
        return versions[first...].prefix(4)
      }
      steps += found ?? 0
    }
    #expect(steps > 0)
  }
}
