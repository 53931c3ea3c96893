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
    try await PostgresSession.connect(to: .url(clone.url()), wait: .seconds(120)).close()
    try await withBundle([Self.book]) { bundle in
      let configuration = RemodelConfiguration(modelsPath: bundle, wait: .seconds(120))
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
          "target \"again\" means what target \"first\" means, too"
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
      let configuration = RemodelConfiguration(modelsPath: bundle, wait: .seconds(120))
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
  func `a server that goes down is waited for by all checks of it`() async throws {
    let server = try await RestartingServer()
    let urls = [try await server.makeDatabase("first"), try await server.makeDatabase("second")]
    try await withBundle([Self.book]) { bundle in
      let remodel = Remodel(RemodelConfiguration(modelsPath: bundle, wait: .seconds(120)))
      let targets = MigrationTargets(urls.map { MigrationTarget(.url($0)) }, parallel: 2)
      _ = try await remodel.migrate(targets)
      RestartingServer.shutDown(server.directory)

      let report = try await remodel.check(targets, untilCurrent: .seconds(120))

      #expect(report.results.map(\.report?.isCurrent) == [true, true])
    }
    withExtendedLifetime(server) {}
  }
}
