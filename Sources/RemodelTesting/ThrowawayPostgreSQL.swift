import PostgresClient
import RemodelKit
package import SQLSyntax

/// A PostgreSQL server for tests, which starts on first use and ends with the process.
///
/// Its sessions are superusers. It listens on a private socket only, and leaves no files behind. It
/// looks for its programs in the folder that the environment variable `REMODEL_POSTGRES_BIN` names,
/// in `PATH`, and in the folders of common packages.
public actor ThrowawayPostgreSQL {
  /// The server that all tests of a process share, each with a database of its own.
  public static let shared = ThrowawayPostgreSQL()

  /// A Boolean value that indicates whether a server is installed: for tests that are skipped where
  /// there is none.
  public static var isInstalled: Bool { ServerBinaries.isInstalled }

  // Far below the server's limit of connections, as a test may well open several.
  private static let maximumDatabases = 12

  private let binaries: String?
  private var starting: Task<PostgresSession, any Error>?
  private var server: ScratchServer?
  private var databases = 0
  private var waiting: [CheckedContinuation<Void, Never>] = []

  /// Creates a server, which starts when it is needed.
  ///
  /// - Parameter binaries: The folder of `initdb` and `postgres`; searched if it is `nil`.
  public init(binaries: String? = nil) {
    self.binaries = binaries
  }

  /// Calls a function with a new empty database, and drops it afterwards.
  ///
  /// - Parameter body: The function; it gets the URL for a superuser.
  /// - Returns: The function's result.
  /// - Throws: An error of starting the server, or the function's error.
  public nonisolated func withDatabase<Result>(
    _ body: (_ url: String) async throws -> Result
  ) async throws -> Result {
    try await withDatabase(copying: nil, body)
  }

  /// Calls a function with a copy of another database, and drops the copy afterwards.
  ///
  /// - Parameters:
  ///   - template: The database to copy, without connections; an empty one if it is `nil`.
  ///   - body: The function; it gets the URL for a superuser.
  /// - Returns: The function's result.
  /// - Throws: An error of starting the server, or the function's error.
  package nonisolated func withDatabase<Result>(
    copying template: SQLIdentifier?,
    _ body: (_ url: String) async throws -> Result
  ) async throws -> Result {
    await enter()
    do {
      let database = try await createDatabase(copying: template)
      let result: Result
      do {
        result = try await body(database.url)
      } catch {
        try? await dropDatabase(database.name)
        throw error
      }
      try await dropDatabase(database.name)
      await leave()
      return result
    } catch {
      await leave()
      throw error
    }
  }

  /// Creates a database that stays until the server ends.
  ///
  /// - Parameter template: The database to copy, without connections; an empty one if it is `nil`.
  /// - Returns: Its name and its URL.
  /// - Throws: An error of starting the server.
  package func createDatabase(
    copying template: SQLIdentifier? = nil
  ) async throws -> (name: SQLIdentifier, url: String) {
    let session = try await session()
    let number = UInt64.random(in: .min ... .max)
    let name = SQLIdentifier("test_\(String(number, radix: 36))")
    let template = template ?? "template0"
    try await session.run {
      // Half the work of the other strategy, which writes all to the log.
      try $0.execute("CREATE DATABASE \(name) TEMPLATE \(template) STRATEGY file_copy")
    }
    let directory = server?.directory ?? ""
    return (name, "postgresql:///\(name)?host=\(directory)&port=5432&user=postgres")
  }

  private func dropDatabase(_ name: SQLIdentifier) async throws {
    try await session().run { try $0.execute("DROP DATABASE IF EXISTS \(name) WITH (FORCE)") }
  }

  /// The connection that creates and drops databases.
  private func session() async throws -> PostgresSession {
    let task = starting ?? Task { try await connect() }
    starting = task
    return try await task.value
  }

  private func connect() async throws -> PostgresSession {
    let server = try await ScratchServer.start(binaries: binaries)
    self.server = server
    return try await PostgresSession.connect(to: .url(server.url))
  }

  private func enter() async {
    if databases < Self.maximumDatabases {
      databases += 1
    } else {
      await withCheckedContinuation { waiting.append($0) }
    }
  }

  private func leave() {
    if waiting.isEmpty {
      databases -= 1
    } else {
      waiting.removeFirst().resume()
    }
  }
}
