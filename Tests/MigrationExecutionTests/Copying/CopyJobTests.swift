import MigrationPlanning
import PostgresClient
import SQLSyntax
import TestSupport
import Testing

@testable import MigrationExecution

/// Jobs on a server that nothing disturbs.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(5)))
struct CopyJobTests {
  @Test(arguments: [CopyStrategy.gated, .online], [1, 3])
  func `a job copies, compares and brings the tables to their places`(
    strategy: CopyStrategy,
    workers: Int
  ) async throws {
    let sample = try CopyJobSample(strategy)
    try await TestServer.withDatabase { url in
      try sample.prepare(url, rows: 2_000)
      let expected = try sample.expectedRows(url)

      let result = try sample.run(url, CopyJobSample.settings(workers: workers))

      #expect(result == .committed)
      #expect(try sample.rows(url) == expected)
      #expect(try sample.remains(url) == [])
      let job = try #require(try sample.job(url))
      #expect(job.state == .finished)
      #expect(job.progress.chunksDone == job.progress.chunksTotal)
      // As many members of the map, and authors, as there are books and names.
      #expect(job.progress.rowsCopied >= 2_000 + 2_000 + 97)
      let connection = try PostgresConnection(to: .url(url))
      let presence = try MetadataStore(sample.store).presence(connection)
      guard case .store(let record) = presence else {
        Issue.record("no store")
        return
      }
      #expect(record.versionName == "2")
    }
  }
}
