internal import PostgresClient
internal import SQLSyntax

/// A coordinator of Citus with workers, for one test or for all that share a single node.
package actor CitusCluster {
  /// A coordinator without workers, which all tests share, each with a database of its own.
  package static let singleNode = CitusCluster(workers: 0)

  private let workerCount: Int
  private var starting: Task<[RestartingServer.Address], any Error>?
  private var servers: [RestartingServer] = []
  private var databases = 0

  /// Creates a cluster, which starts when it is needed.
  package init(workers: Int) { workerCount = workers }

  /// Returns whether the tests' server has the extension.
  package static func isInstalled() async throws -> Bool {
    guard TestServer.isAvailable else { return false }
    return try await TestServer.withDatabase { url in
      try PostgresConnection(to: .url(url)).query(
        "SELECT 1 FROM pg_available_extensions WHERE name = 'citus'"
      ).value != nil
    }
  }

  /// Calls a function with the URLs of an empty database: on the coordinator, then on each worker.
  ///
  /// - Parameter body: The function.
  /// - Returns: The function's result.
  /// - Throws: The server's error, or the function's.
  package nonisolated func withDatabase<Result>(
    _ body: (_ urls: [String]) async throws -> Result
  ) async throws -> Result {
    let urls = try await makeDatabase()
    return try await body(urls)
  }

  private func makeDatabase() async throws -> [String] {
    let task = starting ?? Task { try await start() }
    starting = task
    let addresses = try await task.value
    databases += 1
    let name = SQLIdentifier("citus_\(databases)")
    for address in addresses {
      let session = try await PostgresSession.connect(to: .url(address.url(of: "postgres")))
      try await session.run { try $0.execute("CREATE DATABASE \(name) TEMPLATE template0") }
      await session.close()
    }
    let urls = addresses.map { $0.url(of: name.name) }
    for (url, address) in zip(urls, addresses).reversed() {
      let session = try PostgresConnection(to: .url(url))
      try session.execute("CREATE EXTENSION citus")
      guard address == addresses.first else { continue }
      try session.query("SELECT citus_set_coordinator_host('127.0.0.1', \(address.port))")
      if addresses.count == 1 {
        try session.query(
          "SELECT citus_set_node_property('127.0.0.1', \(address.port), 'shouldhaveshards', true)"
        )
      }
      for worker in addresses.dropFirst() {
        try session.query("SELECT citus_add_node('127.0.0.1', \(worker.port))")
      }
    }
    return urls
  }

  private func start() async throws -> [RestartingServer.Address] {
    for _ in 0...workerCount {
      servers.append(
        try await RestartingServer(
          isOnNetwork: true,
          settings: "-c shared_preload_libraries=citus -c max_worker_processes=32 "
            + "-c max_prepared_transactions=60 -c citus.shard_count=4 "
            + "-c citus.node_conninfo=sslmode=prefer"
        )
      )
    }
    for server in servers {
      await (try PostgresSession.connect(to: .url(server.url()), wait: .seconds(600))).close()
    }
    return servers.map(\.address)
  }
}
