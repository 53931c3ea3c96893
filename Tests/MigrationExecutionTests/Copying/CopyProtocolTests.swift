import MigrationPlanning
import PostgresClient
import SQLSyntax
import TestSupport
import Testing

/// A copy made while others write equals their final rows.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct CopyProtocolTests {
  private static let seeds: Range<UInt64> = RandomCases.isEverything ? 1..<13 : 1..<4
  private static let rounds = RandomCases.isEverything ? 150 : 20
  /// How often others commit at least, however busy the machine is.
  private static let commits = 20

  @Test(arguments: RandomCases.one(in: 3, of: seeds))
  func `rows that many write to while they are copied are all there in the end`(
    seed: UInt64
  ) async throws {
    try await TestServer.withDatabase { url in
      try fillBookshop(url)
      let load = BookshopLoad()
      try await withThrowingTaskGroup { group in
        for writer in 0..<4 {
          group.addTask {
            try await load.run(url, seed: seed * 100 + UInt64(writer), truncates: seed % 2 == 1)
          }
        }
        defer { load.stop() }
        let found = try await copyUnderLoad(url, load, seed: seed)
        load.stop()
        try await group.waitForAll()

        #expect(found == [])
        #expect(load.commitCount > Self.commits)
      }
    }
  }

  /// Copies, applies in random portions, checks the invariant now and then, cuts over.
  private func copyUnderLoad(
    _ url: String,
    _ load: BookshopLoad,
    seed: UInt64
  ) async throws -> [String] {
    let session = try await PostgresSession.connect(to: .url(url))
    let rounds = Self.rounds
    // On a thread that may wait, not on one of those that all tests share.
    let found = try await session.run { _ in
      var random = SeededGenerator(seed: seed)
      let driver = try CopyDriver(url, BookshopCopy())
      try driver.prepare()
      var found: [String] = []
      try driver.copyAll(size: Int.random(in: 7...60, using: &random)) { table in
        found += try driver.differences(in: [table])
      }
      var applied = 0
      for round in 0..<10_000 where found.isEmpty {
        guard round < rounds || load.commitCount <= Self.commits else { break }
        let limits: [Int?] = [1, 10, 100, 1000, nil]
        applied += try driver.apply(limit: limits.randomElement(using: &random) ?? nil)
        if random.once(in: 2) { found += try driver.differences() }
      }
      guard found.isEmpty else { return found }
      applied += try driver.apply(limit: nil)
      #expect(applied > 0)
      return try driver.cutOver()
    }
    await session.close()
    return found
  }
}

/// Makes the tables of a bookshop with some rows.
func fillBookshop(_ url: String) throws {
  let connection = try PostgresConnection(to: .url(url))
  try connection.execute(BookshopCopy.sourceTables)
  try connection.execute(
    """
    INSERT INTO public.publisher SELECT g, 'C' || g FROM generate_series(1, 10) AS g;
    INSERT INTO public.book
      SELECT g, 'Title ' || g, g, g % 12, 'Author ' || g % 20, json_build_object('g', g), 0
      FROM generate_series(1, 120) AS g;
    INSERT INTO public.sale SELECT g, g % 140, g FROM generate_series(1, 500) AS g
    """
  )
}
