import Diagnostics
import PostgresClient
import RemodelKit
import SQLSyntax
import TestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Models with more tables than a server has locks for in one transaction.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct LargeModelTests {
  /// A ring of entities, each with a link to the next.
  private static func model(entities: Int, type: String = "integer32") -> String {
    let lines = (1...entities).map { number in
      """
        E\(number):
          attributes: { name: string, size: "\(type)?" }
          relationships: { next: { to: "E\(number % entities + 1)?" } }
          indexes: { byName: [name] }
      """
    }
    return "remodel: 1\nentities:\n" + lines.joined(separator: "\n") + "\n"
  }

  private static func remodel(
    _ bundle: String,
    locks: Int?,
    onEvent: (@Sendable (MigrationEvent) -> Void)? = nil
  ) -> Remodel {
    var configuration = RemodelConfiguration(modelsPath: bundle)
    configuration.lockCapacity = locks
    return Remodel(configuration, onEvent: onEvent)
  }

  @Test
  func `a store made in several transactions equals one made in one`() async throws {
    try await withBundle([Self.model(entities: 30)]) { bundle in
      let whole = try await TestServer.withDatabase { url in
        _ = try await Self.remodel(bundle, locks: nil).migrate(.url(url))
        return try snapshot(url)
      }
      try await TestServer.withDatabase { url in
        let remodel = Self.remodel(bundle, locks: 150)
        let plan = try await remodel.plan(.url(url))
        let report = try await remodel.migrate(.url(url))

        #expect(try #require(plan.plan.steps.first).transactions.count > 3)
        #expect(report.outcome == .created)
        #expect(try snapshot(url).difference(to: whole) == [])
        #expect(try await remodel.history(.url(url)).map(\.outcome) == ["succeeded"])
        #expect(try await remodel.migrate(.url(url)).outcome == .unchanged)
        #expect(try creations(url) == 0)
      }
      try await TestServer.withDatabase { url in
        let remodel = Self.remodel(bundle, locks: 150)
        let script = try await remodel.plan(.url(url)).script
        try run(script, url)

        #expect(try snapshot(url).difference(to: whole) == [])
        #expect(try await remodel.check(.url(url)).isCurrent)
        #expect(try creations(url) == 0)
      }
    }
  }

  @Test
  func `no transaction holds more locks than it may`() async throws {
    try await withBundle([Self.model(entities: 30)]) { bundle in
      try await TestServer.withDatabase { url in
        let connection = try PostgresConnection(to: .url(url))
        let remodel = Self.remodel(bundle, locks: 200)
        let plan = try await remodel.plan(.url(url))
        let step = try #require(plan.plan.steps.first)
        for part in step.transactions {
          try connection.execute("BEGIN")
          for statement in step.statements[part] { try connection.execute(statement.sql) }
          let held = try connection.query(
            """
            SELECT count(DISTINCT (locktype, relation, classid, objid)) FROM pg_locks
            WHERE pid = pg_backend_pid() AND NOT fastpath
            """
          ).value.flatMap { Int($0) }
          #expect(try #require(held) <= 100)
          try connection.execute("COMMIT")
        }
      }
    }
  }

  @Test(.sampled(oneIn: 3))
  func `a creation that is cut off anywhere is continued by a rerun`() async throws {
    try await withBundle([Self.model(entities: 9)]) { bundle in
      let whole = try await TestServer.withDatabase { url in
        _ = try await Self.remodel(bundle, locks: nil).migrate(.url(url))
        return try snapshot(url)
      }
      var position = 1
      var wasCutOff = true
      var sawCreation = false
      while wasCutOff {
        let place = position
        (wasCutOff, sawCreation) = try await TestServer.withDatabase { url in
          let cutter = SessionCutter(url: url, position: place)
          let cut = Self.remodel(bundle, locks: 90) { cutter.note($0) }
          let isCutOff = (try? await cut.migrate(.url(url))) == nil
          let remodel = Self.remodel(bundle, locks: 90)
          let status = try await remodel.status(.url(url))
          if isCutOff {
            #expect([.empty, .creating, .current].contains(status.state), "statement \(place)")
            #expect(try await remodel.check(.url(url)).creation == status.creation)
          }

          // A server with more room continues in larger transactions.
          _ = try await Self.remodel(bundle, locks: place % 2 == 0 ? 90 : 400).migrate(.url(url))

          #expect(try snapshot(url).difference(to: whole) == [], "statement \(place)")
          #expect(try await remodel.check(.url(url)).isCurrent)
          #expect(try creations(url) == 0)
          return (isCutOff, sawCreation || status.state == .creating)
        }
        position += RandomCases.distance(7...11, after: position)
      }
      #expect(sawCreation)
      #expect(position > 30, "there are more statements than this")
    }
  }

  @Test
  func `a creation whose model is damaged is not continued`() async throws {
    try await withBundle([Self.model(entities: 12)]) { bundle in
      try await TestServer.withDatabase { url in
        let cutter = SessionCutter(url: url, position: 50)
        let cut = Self.remodel(bundle, locks: 90) { cutter.note($0) }
        await #expect(throws: ExecutionError.self) { try await cut.migrate(.url(url)) }
        #expect(try creations(url) == 1)
        let connection = try PostgresConnection(to: .url(url))
        try connection.execute("UPDATE remodel.store_creation SET model = '{}'")
        let before = try snapshot(url)

        let error = await #expect(throws: ExecutionError.self) {
          try await Self.remodel(bundle, locks: 90).migrate(.url(url))
        }

        #expect(error?.fact == .damagedMetadata("the model of version \"1\" cannot be read"))
        #expect(try snapshot(url).difference(to: before) == [])
      }
    }
  }

  @Test
  func `a later version follows the one that was begun`() async throws {
    let versions = [Self.model(entities: 12), Self.model(entities: 12, type: "integer64")]
    try await withBundle([versions[0]]) { first in
      try await withBundle(versions) { both in
        try await TestServer.withDatabase { url in
          let cutter = SessionCutter(url: url, position: 40)
          let cut = Self.remodel(first, locks: 90) { cutter.note($0) }
          await #expect(throws: ExecutionError.self) { try await cut.migrate(.url(url)) }
          #expect(try await Self.remodel(both, locks: 400).status(.url(url)).steps.count == 2)

          let report = try await Self.remodel(both, locks: 400).migrate(.url(url))

          #expect(report.steps.map(\.destination) == ["1", "2"])
          #expect(try await Self.remodel(both, locks: nil).check(.url(url)).isCurrent)
        }
      }
    }
  }

  @Test
  func `of several at once one creates the store and the others wait`() async throws {
    try await withBundle([Self.model(entities: 20)]) { bundle in
      try await TestServer.withDatabase { url in
        let outcomes = try await withThrowingTaskGroup { group -> [MigrationReport.Outcome] in
          for _ in 0..<6 {
            group.addTask { try await Self.remodel(bundle, locks: 130).migrate(.url(url)).outcome }
          }
          return try await group.reduce(into: []) { $0.append($1) }
        }

        #expect(outcomes.filter { $0 == .created }.count == 1)
        #expect(outcomes.filter { $0 == .unchanged }.count == 5)
        let history = try await Self.remodel(bundle, locks: nil).history(.url(url))
        #expect(history.map(\.outcome) == ["succeeded"])
      }
    }
  }

  @Test
  func `metadata of the first layout is read, and brought up to date when that is needed`()
    async throws
  {
    try await withBundle([Self.model(entities: 10)]) { bundle in
      try await TestServer.withDatabase { url in
        _ = try await Self.remodel(bundle, locks: nil).migrate(.url(url))
        let connection = try PostgresConnection(to: .url(url))
        try connection.execute(
          """
          DROP TABLE remodel.store_creation, remodel.job, remodel.job_chunk, remodel.job_source, \
          remodel.job_event, remodel.job_carried, remodel.job_validation, \
          remodel.object_definition, remodel.late_work, remodel.made_table, remodel.unexpressed_object CASCADE;
          UPDATE remodel.metadata SET layout_version = 1
          """
        )
        #expect(
          try await Self.remodel(bundle, locks: nil).migrate(.url(url)).outcome == .unchanged
        )
        var configuration = RemodelConfiguration(modelsPath: bundle, schema: "other")
        configuration.lockCapacity = 90

        let report = try await Remodel(configuration).migrate(.url(url))

        #expect(report.outcome == .created)
        let layout = try connection.query("SELECT layout_version FROM remodel.metadata").value
        #expect(layout == "13")
      }
    }
  }

  @Test
  func `metadata of a layout with the same relations keeps its rights when that is raised`()
    async throws
  {
    try await withBundle([Self.model(entities: 1)]) { bundle in
      try await TestServer.withDatabase { url in
        _ = try await Self.remodel(bundle, locks: nil).migrate(.url(url))
        let connection = try PostgresConnection(to: .url(url))
        try connection.execute(
          """
          UPDATE remodel.metadata SET layout_version = 6;
          GRANT SELECT ON remodel.store TO pg_monitor
          """
        )

        let report = try await Remodel(RemodelConfiguration(modelsPath: bundle, schema: "other"))
          .migrate(.url(url))

        #expect(report.outcome == .created)
        let found = try connection.query(
          """
          SELECT layout_version, has_table_privilege('pg_monitor', 'remodel.store', 'SELECT') \
          FROM remodel.metadata
          """
        )
        #expect(found.rows == [["13", "t"]])
      }
    }
  }

  @Test
  func `a step that takes too many locks is refused, and one that takes most of them warned of`()
    async throws
  {
    let versions = [Self.model(entities: 12), Self.model(entities: 12, type: "integer64")]
    try await withBundle(versions) { bundle in
      try await TestServer.withDatabase { url in
        _ = try await Self.remodel(bundle, locks: nil).migrate(.url(url), to: "1")

        let error = await #expect(throws: RemodelError.self) {
          try await Self.remodel(bundle, locks: 100).migrate(.url(url))
        }

        guard case .tooManyLocks(_, let needed, _, let setting, _) = error?.fact else {
          Issue.record("\(error as Any)")
          return
        }
        #expect(setting == needed)
        #expect(error?.diagnostics.first?.hint?.contains("max_locks_per_transaction") == true)
        #expect(try await Self.remodel(bundle, locks: nil).status(.url(url)).version?.name == "1")
        let report = try await Self.remodel(bundle, locks: needed).migrate(.url(url))
        #expect(report.warnings.contains { $0.hint?.contains("max_locks_per_transaction") == true })
      }
    }
  }

  @Test(
    .enabled(if: ProcessInfo.processInfo.environment["REMODEL_LARGE_MODEL"] != nil)
  )
  func `a model of thousands of entities is created under the server's own limit`() async throws {
    let text = ProcessInfo.processInfo.environment["REMODEL_LARGE_MODEL"]
    let count = try #require(text.flatMap { Int($0) })
    try await withBundle([Self.model(entities: count)]) { bundle in
      try await TestServer.withDatabase { url in
        let clock = ContinuousClock()
        let remodel = Self.remodel(bundle, locks: nil)
        let begin = clock.now
        let report = try await remodel.migrate(.url(url))
        let created = clock.now
        let again = try await remodel.migrate(.url(url))
        let end = clock.now

        #expect(report.outcome == .created)
        #expect(again.outcome == .unchanged)
        print(
          "\(count) entities: \(begin.duration(to: created)), again \(created.duration(to: end))"
        )
      }
    }
  }

  // MARK: - Databases

  private func snapshot(_ url: String) throws -> CatalogSnapshot {
    let connection = try PostgresConnection(to: .url(url))
    try connection.prepareSession()
    return try CatalogSnapshot(of: "public", on: connection)
  }

  private func creations(_ url: String) throws -> Int? {
    try PostgresConnection(to: .url(url)).query("SELECT count(*) FROM remodel.store_creation")
      .value.flatMap { Int($0) }
  }

  /// Runs a script without the lines that are for `psql` alone.
  private func run(_ script: String, _ url: String) throws {
    let lines = script.split(separator: "\n").filter { !$0.hasPrefix("\\") }
    let connection = try PostgresConnection(to: .url(url))
    try connection.execute(SQLFragment(deparsed: lines.joined(separator: "\n")))
  }
}
