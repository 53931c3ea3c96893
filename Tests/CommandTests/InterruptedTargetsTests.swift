import PostgresClient
import SQLSyntax
import Subprocess
import TestSupport
import Testing

@testable import RemodelCommands

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Runs over many stores that are interrupted, or run twice at once.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct InterruptedTargetsTests {
  @Test(
    arguments: RandomCases.one(
      in: 3,
      of: ["chunk.before_commit:2", "cutover.before_commit:3", "cutover.after_commit:2"]
    )
  )
  func `a rerun continues after the tool was killed`(place: String) async throws {
    try await withCopiedBooks { folder in
      try await TestServer.withDatabase { url in
        try await Tenants.create(4, at: url)
        let call = [
          "migrate", "--models", folder, "--database", url, "--each-schema", "tenant_*",
          "--format", "json",
        ]
        _ = try await Tool.run(call + ["--to", "1"])
        for number in 1...4 { try await Tenants.addBook(pages: number, to: number, at: url) }
        let online = call + ["--strategy", "online"]

        let killed = try await Tool.run(
          online + ["--parallel", "2"],
          environment: ["REMODEL_FAILPOINT": "\(place):kill9"]
        )
        let rerun = try await Tool.run(online)
        let books = try await rows(
          of: """
            SELECT shout FROM tenant_1.book UNION ALL SELECT shout FROM tenant_2.book \
            UNION ALL SELECT shout FROM tenant_3.book UNION ALL SELECT shout FROM tenant_4.book
            """,
          at: url
        )

        #expect(killed.status == nil)
        #expect(rerun.status == 0, "\(rerun)")
        #expect(try TargetsDocument(rerun.json, of: "migrate").count("failed") == 0)
        #expect(try await Tenants.versions(at: url).map { $0[1] } == ["2", "2", "2", "2"])
        #expect(books == [["A"], ["A"], ["A"], ["A"]])
      }
    }
  }

  @Test(arguments: [(Signal.terminate, Int32(143)), (.interrupt, 130)])
  func `a signal ends those begun and starts no other`(signal: Signal, status: Int32) async throws {
    try await withBundle(Version.first, Version.withAuthor) { folder in
      try await TestServer.withDatabase { url in
        try await Tenants.create(4, at: url)
        let call = [
          "migrate", "--models", folder, "--database", url, "--each-schema", "tenant_*",
        ]
        _ = try await Tool.run(call + ["--to", "1"])
        let blocker = try await PostgresSession.connect(to: .url(url))
        try await blocker.run { connection in
          _ = try connection.execute("BEGIN")
          _ = try connection.execute("LOCK TABLE tenant_2.book IN ACCESS SHARE MODE")
        }
        let output = ["--output", "\(folder)/report.json"]

        let ended = try await Tool.run(
          call + ["--lock-timeout", "50ms", "--metrics-file", "\(folder)/remodel.prom"] + output,
          signal: signal,
          whenErrorHas: "attempt given up"
        )
        await blocker.close()
        let report = try TargetsDocument(
          JSONDecoder().decode(
            JSONValue.self,
            from: Data(contentsOf: URL(filePath: "\(folder)/report.json"))
          ),
          of: "migrate"
        )
        let rerun = try await Tool.run(call)

        #expect(ended.status == status, "\(ended)")
        let metrics = try String(contentsOfFile: "\(folder)/remodel.prom", encoding: .utf8)
        #expect(metrics.contains("remodel_run_exit_code \(status)\n"), "\(metrics)")
        #expect(metrics.contains("remodel_run_outcome_info{outcome=\"interrupted\"} 1\n"))
        #expect(
          report.outcomes == [
            "tenant_1": "migrated", "tenant_2": "interrupted", "tenant_3": "not-started",
            "tenant_4": "not-started",
          ]
        )
        #expect(rerun.status == 0)
        #expect(rerun.output.hasSuffix("4 stores: 3 migrated, 1 unchanged\n"), "\(rerun)")
      }
    }
  }

  @Test
  func `runs at once over the same stores migrate each once`() async throws {
    try await withBundle(Version.first, Version.withAuthor) { folder in
      try await TestServer.withDatabase { url in
        try await Tenants.create(10, at: url)
        let call = [
          "migrate", "--models", folder, "--database", url, "--each-schema", "tenant_*",
          "--parallel", "4", "--format", "json",
        ]

        for version in ["1", "2"] {
          async let first = Tool.run(call + ["--to", version])
          async let second = Tool.run(call + ["--to", version])
          let outcomes = try await [first, second]

          #expect(outcomes.map(\.status) == [0, 0], "\(outcomes)")
          let expected = (1...10).map { ["tenant_\($0)", version, "1"] as [String?] }
          #expect(try await Tenants.versions(at: url) == expected)
        }
      }
    }
  }
}
