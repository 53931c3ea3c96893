import Diagnostics
import RemodelKit
import SQLSyntax
import TestSupport
import Testing

/// A revert restores everything, whatever was removed meanwhile and in which order.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct ReturnCaseTests {
  /// Every case, and whether it goes over all versions at once, where that is another way.
  private static let ways = ReturnCase.all.flatMap { returnCase in
    let hasTwoWays = returnCase.versions.count > 2 && returnCase.writes.isEmpty
    return (hasTwoWays ? [false, true] : [false]).map { (returnCase, $0) }
  }

  @Test(arguments: RandomCases.one(in: 3, of: ways))
  func `values, links and order are there again, and nothing of them is left elsewhere`(
    _ returnCase: ReturnCase,
    isAtOnce: Bool
  ) async throws {
    try await withBundle(returnCase.versions, mappings: returnCase.mappings) { bundle in
      try await TestServer.withTwoDatabases { url, fresh in
        let remodel = Remodel(RemodelConfiguration(modelsPath: bundle))
        _ = try await remodel.migrate(.url(url), to: "1")
        let connection = try PostgresConnection(to: .url(url))
        try connection.prepareSession()
        try connection.execute(SQLFragment(deparsed: returnCase.rows))
        let query = SQLFragment(deparsed: returnCase.query)
        let before = try connection.query(query).rows
        let last = returnCase.versions.count
        for version in (isAtOnce ? last : 2)...last {
          _ = try await remodel.migrate(.url(url), to: "\(version)")
          if let written = returnCase.writes[version] {
            try connection.execute(SQLFragment(deparsed: written))
          }
        }

        for version in (1..<(isAtOnce ? 2 : last)).reversed() {
          _ = try await remodel.revert(.url(url), to: "\(version)")
        }

        #expect(try connection.query(query).rows == returnCase.answer ?? before)
        #expect(try await remodel.verify(.url(url)).drift.isEmpty)
        _ = try await remodel.migrate(.url(fresh), to: "1")
        let other = try PostgresConnection(to: .url(fresh))
        try other.prepareSession()
        // What only later versions have is retained, and nothing that is bound again.
        let retained = try connection.query(
          "SELECT table_name || coalesce('.' || column_name, '') AS name FROM remodel.retained"
        ).compactMap { $0["name"] }
        #expect(
          retained.count
            == (isAtOnce && last > 2 ? returnCase.leavingsAtOnce ?? 0 : returnCase.leavings),
          "\(retained)"
        )
        _ = try await remodel.cleanUp(.url(url))
        let found = try CatalogSnapshot(of: "public", on: connection)
        #expect(found.difference(to: try CatalogSnapshot(of: "public", on: other)) == [])
      }
    }
  }

  /// An entity is added while an attribute of the one above it is removed.
  @Test
  func `rows of a later version are there again whenever it is`() async throws {
    let versions = [
      "A: { attributes: { x: string?, y: string? } }",
      "A: { attributes: { x: string? } }\n  B: { parent: A, attributes: { z: string? } }",
    ].map { "remodel: 1\nentities:\n  \($0)" }
    try await withBundle(versions) { bundle in
      try await TestServer.withDatabase { url in
        let remodel = Remodel(RemodelConfiguration(modelsPath: bundle))
        _ = try await remodel.migrate(.url(url), to: "1")
        _ = try await remodel.migrate(.url(url), to: "2")
        let connection = try PostgresConnection(to: .url(url))
        try connection.execute(
          "INSERT INTO public.a (_entity, x, b_z) VALUES ('A', 'one', NULL), ('B', 'two', 'zed')"
        )
        let query: SQLFragment = "SELECT _id, _entity, x, b_z FROM public.a ORDER BY 1"
        let before = try connection.query(query).rows
        for _ in 1...2 {
          _ = try await remodel.revert(.url(url), to: "1")

          _ = try await remodel.migrate(.url(url), to: "2")

          #expect(try connection.query(query).rows == before)
        }
      }
    }
  }

  @Test
  func `rows without a distinction are checked nevertheless`() async throws {
    let versions = [
      """
      R: { abstract: true }
        L: { parent: R, attributes: { n: integer32? } }
        X: { parent: R }
      """, "L: { attributes: { n: double? } }",
    ].map { "remodel: 1\nentities:\n  \($0)" }
    try await withBundle(versions) { bundle in
      try await TestServer.withDatabase { url in
        let remodel = Remodel(RemodelConfiguration(modelsPath: bundle))
        _ = try await remodel.migrate(.url(url), to: "1")
        _ = try await remodel.migrate(.url(url), to: "2")
        let connection = try PostgresConnection(to: .url(url))
        try connection.execute("INSERT INTO public.l (n) VALUES (1.5)")

        await #expect(throws: ExecutionError.self) {
          try await remodel.revert(.url(url), to: "1")
        }

        #expect(try connection.query("SELECT n FROM public.l").value == "1.5")
      }
    }
  }

  /// The seed is another one each time; `REMODEL_SEED` gives it.
  @Test
  func `a way back that is cut off anywhere is continued by a rerun, and nothing is lost`()
    async throws
  {
    var random = SeededGenerator(seed: RandomCases.sampleSeed)
    var cuts = 0
    for _ in 0..<(RandomCases.isEverything ? 20 : 6) {
      guard let returnCase = random.pick(ReturnCase.all) else { return }
      let position = Int.random(in: 1...24, using: &random)
      let place = "\(returnCase.name), statement \(position)"
      try await withBundle(returnCase.versions, mappings: returnCase.mappings) { bundle in
        try await TestServer.withDatabase { url in
          let remodel = Remodel(RemodelConfiguration(modelsPath: bundle))
          _ = try await remodel.migrate(.url(url), to: "1")
          let connection = try PostgresConnection(to: .url(url))
          try connection.prepareSession()
          try connection.execute(SQLFragment(deparsed: returnCase.rows))
          let query = SQLFragment(deparsed: returnCase.query)
          let before = try connection.query(query).rows
          for version in 2...returnCase.versions.count {
            _ = try await remodel.migrate(.url(url), to: "\(version)")
            if let written = returnCase.writes[version] {
              try connection.execute(SQLFragment(deparsed: written))
            }
          }
          let cutter = SessionCutter(url: url, position: position)
          let cut = Remodel(remodel.configuration) { cutter.note($0) }
          do { _ = try await cut.revert(.url(url), to: "1") } catch { cuts += 1 }

          _ = try await remodel.revert(.url(url), to: "1")

          // The cut ends every session of that time.
          let after = try PostgresConnection(to: .url(url))
          #expect(try after.query(query).rows == returnCase.answer ?? before, "\(place)")
          #expect(try await remodel.verify(.url(url)).drift.isEmpty, "\(place)")
        }
      }
    }
    #expect(cuts > 0)
  }
}
