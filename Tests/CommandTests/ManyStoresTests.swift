import TestSupport
import Testing

@testable import RemodelCommands

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Many stores of one database; `REMODEL_STORES=1000` makes them as many, and prints how long it takes.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct ManyStoresTests {
  private static let asked = ProcessInfo.processInfo.environment["REMODEL_STORES"].flatMap(Int.init)

  @Test
  func `from an empty database to the last version`() async throws {
    let count = Self.asked ?? 40
    try await withBundle(Version.first, Version.withAuthor, Version.withBlurb) { folder in
      try await TestServer.withDatabase { url in
        try await Tenants.create(count, at: url)
        let call = ["--models", folder, "--database", url, "--each-schema", "tenant_*"]
        let clock = ContinuousClock()

        // The metadata is made by the first of eight that come at once.
        for (words, parallel, sum) in [
          (["migrate", "--to", "1"], 8, "\(count) created"), (["migrate"], 4, "\(count) migrated"),
          (["migrate"], 1, "\(count) unchanged"), (["check"], 2, "\(count) current"),
          (["status"], 2, "\(count) current"),
        ] {
          let begin = clock.now
          let outcome = try await Tool.run(words + call + ["--parallel", "\(parallel)"])
          let time = begin.duration(to: clock.now)

          #expect(outcome.status == 0, "\(outcome)")
          #expect(outcome.output.hasSuffix("\(count) stores: \(sum)\n"), "\(outcome.output)")
          if Self.asked != nil {
            print("\(words.joined(separator: " ")), \(parallel) at a time: \(time / count) a store")
          }
        }
        #expect(try await Tenants.versions(at: url).allSatisfy { $0[1] == "3" && $0[2] == "1" })
      }
    }
  }
}
