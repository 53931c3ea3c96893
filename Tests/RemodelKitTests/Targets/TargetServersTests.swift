import PostgresClient
import RemodelKit
import Synchronization
import TestSupport
import Testing

/// Many stores on several servers, whatever these have in common.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct TargetServersTests {
  private static let book = """
    remodel: 1
    entities:
      Book: { attributes: { title: string } }
    """

  @Test
  func `a copy of a server is another server`() async throws {
    let first = try await RestartingServer()
    let database = try await first.makeDatabase("shop")
    let clone = try await RestartingServer(cloneOf: first.directory)
    try await PostgresSession.connect(to: .url(clone.url()), wait: .seconds(600)).close()
    try await withBundle([Self.book]) { bundle in
      let configuration = RemodelConfiguration(modelsPath: bundle, wait: .seconds(600))
      let remodel = Remodel(configuration)
      let targets = MigrationTargets([
        MigrationTarget(.url(database), name: "first"),
        MigrationTarget(.url(clone.url(of: "shop")), name: "clone"),
        MigrationTarget(.url(database + "&application_name=other"), name: "again"),
      ])

      let report = try await remodel.migrate(targets)

      #expect(report.results.map(\.target.name) == ["first", "clone"])
      #expect(report.results.map(\.report?.outcome) == [.created, .created])
      #expect(
        report.warnings.map(\.message) == [
          "target \"again\" names the same store as target \"first\""
        ]
      )
    }
    withExtendedLifetime((first, clone)) {}
  }

  @Test
  func `each standby is looked at`() async throws {
    let primary = try await RestartingServer()
    let database = try await primary.makeDatabase("shop")
    try await withBundle([Self.book]) { bundle in
      let configuration = RemodelConfiguration(modelsPath: bundle, wait: .seconds(600))
      let remodel = Remodel(configuration)
      _ = try await remodel.migrate(.url(database))
      let standbys = [
        try await RestartingServer(standbyOf: primary.directory),
        try await RestartingServer(standbyOf: primary.directory),
      ]
      let urls = [database] + standbys.map { $0.url(of: "shop") }

      let report = try await remodel.check(MigrationTargets(urls.map { MigrationTarget(.url($0)) }))

      #expect(report.results.map(\.report?.isCurrent) == [true, true, true])
      #expect(report.warnings.isEmpty)
      withExtendedLifetime(standbys) {}
    }
    withExtendedLifetime(primary) {}
  }

  @Test
  func `a store is not kept waiting by those after it`() async throws {
    let server = try await RestartingServer()
    let first = try await server.makeDatabase("first")
    let second = server.url(of: "second")
    try await withBundle([Self.book]) { bundle in
      let targets = MigrationTargets([
        MigrationTarget(.url(first), name: "first"),
        MigrationTarget(.url(second), name: "second"),
      ])
      let remodel = Remodel(RemodelConfiguration(modelsPath: bundle))

      let report = try await remodel.migrate(targets) { event in
        guard case .ended(let target, nil) = event, target.name == "first" else { return }
        _ = try? PostgresConnection(to: .url(first)).execute("CREATE DATABASE second")
      }

      #expect(report.results.map(\.report?.outcome) == [.created, .created])
    }
    withExtendedLifetime(server) {}
  }

  @Test
  func `all checks wait for a server that shuts down`() async throws {
    let server = try await RestartingServer()
    let urls = [try await server.makeDatabase("first"), try await server.makeDatabase("second")]
    try await withBundle([Self.book]) { bundle in
      let remodel = Remodel(RemodelConfiguration(modelsPath: bundle, wait: .seconds(600)))
      let targets = MigrationTargets(urls.map { MigrationTarget(.url($0)) }, parallel: 2)
      _ = try await remodel.migrate(targets)
      RestartingServer.shutDown(server.directory)

      let report = try await remodel.check(targets, untilCurrent: .seconds(600))

      #expect(report.results.map(\.report?.isCurrent) == [true, true])
    }
    withExtendedLifetime(server) {}
  }

  @Test
  func `plans of many stores wait for a server that restarts between them`() async throws {
    let server = try await RestartingServer()
    let database = try await server.makeDatabase("shop")
    let directory = server.directory
    try PostgresConnection(to: .url(database)).execute(
      "DO $$ BEGIN FOR i IN 1..6 LOOP EXECUTE 'CREATE SCHEMA tenant_' || i; END LOOP; END $$"
    )
    try await withBundle([Self.book]) { bundle in
      let remodel = Remodel(RemodelConfiguration(modelsPath: bundle, wait: .seconds(600)))
      let targets = MigrationTargets(
        [MigrationTarget(.url(database))],
        eachSchema: [SchemaPattern("tenant_*")]
      )
      let isDown = Mutex(false)

      let plans = try await remodel.plan(targets) { event in
        guard case .ended = event,
          isDown.withLock({ isDown in
            defer { isDown = true }
            return !isDown
          })
        else { return }
        RestartingServer.shutDown(directory, .immediate)
      }

      #expect(plans.stores.results.map { $0.error == nil } == Array(repeating: true, count: 6))
      #expect(plans.plans.map(\.targets.count) == [6])
    }
    withExtendedLifetime(server) {}
  }

  @Test
  func `a look that waits when the server restarts is had again`() async throws {
    let server = try await RestartingServer()
    let database = try await server.makeDatabase("shop")
    let directory = server.directory
    try await withBundle([Self.book]) { bundle in
      _ = try await Remodel(RemodelConfiguration(modelsPath: bundle)).migrate(.url(database))
      let holder = try await PostgresSession.connect(to: .url(database))
      try await holder.run { try $0.execute("BEGIN; LOCK TABLE public.book") }
      let remodel = Remodel(RemodelConfiguration(modelsPath: bundle, wait: .seconds(600))) {
        event in
        // It has begun to wait for the lock, which ends with the server.
        if case .retrying = event { RestartingServer.shutDown(directory, .immediate) }
      }

      let report = try await remodel.verify(.url(database), asksRows: true)

      #expect(report.isClean)
      await holder.close()
    }
    withExtendedLifetime(server) {}
  }

  @Test
  func `stores are worked on before the last database is searched`() async throws {
    let server = try await RestartingServer()
    let first = try await server.makeDatabase("first")
    let second = server.url(of: "second")
    let third = server.url(of: "third")
    try PostgresConnection(to: .url(first)).execute(
      "CREATE SCHEMA tenant_1; CREATE SCHEMA tenant_2"
    )
    try await withBundle([Self.book]) { bundle in
      let targets = MigrationTargets(
        [first, third, second].map { MigrationTarget(.url($0)) },
        eachSchema: [SchemaPattern("tenant_*")]
      )
      let events = Mutex<[String]>([])

      let report = try await Remodel(RemodelConfiguration(modelsPath: bundle)).migrate(targets) {
        event in
        switch event {
        case .found(let count): events.withLock { $0.append("\(count)") }
        case .ended(let target, let error):
          let schema = target.schema?.name ?? "none"
          events.withLock { $0.append(error == nil ? schema : "lost") }
          guard schema == "tenant_2" else { return }
          _ = try? PostgresConnection(to: .url(first)).execute(
            "CREATE DATABASE second TEMPLATE first"
          )
        case .repeated, .happened: break
        }
      }

      #expect(
        events.withLock { $0 } == [
          "3", "4", "tenant_1", "tenant_2", "lost", "5", "tenant_1", "tenant_2",
        ]
      )
      #expect(report.results.map { $0.error == nil } == [true, true, false, true, true])
    }
    withExtendedLifetime(server) {}
  }
}
