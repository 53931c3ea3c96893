internal import PostgresClient
import RemodelKit
import RemodelTesting
package import SQLSyntax
package import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The server of the project's own tests.
///
/// `REMODEL_TEST_POSTGRES_BIN` names the folder of another server's programs.
/// `REMODEL_TESTS_REQUIRE_SERVER=1` makes the tests fail without a server, instead of skipping
/// them.
package enum TestServer {
  /// A Boolean value that indicates whether tests that need a server are to run.
  package static var isAvailable: Bool {
    let environment = ProcessInfo.processInfo.environment
    return environment["REMODEL_TESTS_REQUIRE_SERVER"] == "1" || binaries != nil
      || ServerBinaries.isInstalled
  }

  /// The folder of the server's programs, if the environment names one.
  package static var binaries: String? {
    let path = ProcessInfo.processInfo.environment["REMODEL_TEST_POSTGRES_BIN"]
    return path.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Returns whether the server can encrypt connections, which some packages leave out.
  package static func hasTLS() async throws -> Bool {
    try await setting("ssl_library")?.isEmpty == false
  }

  /// Returns whether the server is of the version that pages show the outputs of.
  package static func isOfPages() async throws -> Bool { try await major() == 15 }

  /// Returns the server's major version.
  package static func major() async throws -> Int {
    (try await setting("server_version_num").flatMap(Int.init) ?? 0) / 10_000
  }

  private static func setting(_ name: SQLIdentifier) async throws -> String? {
    try await withDatabase { url in
      try PostgresConnection(to: .url(url)).query("SHOW \(name)").value
    }
  }

  private static let server = ThrowawayPostgreSQL(binaries: binaries)

  /// Calls a function with the URLs of two empty databases, and drops the databases afterwards.
  ///
  /// - Parameter body: The function.
  /// - Returns: The function's result.
  /// - Throws: An error of starting the server, or the function's error.
  package static func withTwoDatabases<Result>(
    _ body: (_ first: String, _ second: String) async throws -> Result
  ) async throws -> Result {
    try await withDatabase { url in
      try await withDatabase(beside: url) { try await body(url, $0) }
    }
  }

  /// Calls a function with the URL of one more empty database, and drops it afterwards.
  ///
  /// A test that waited for its turn with a database would keep others waiting.
  ///
  /// - Parameters:
  ///   - url: The database that the test has.
  ///   - suffix: What the name of the database has besides.
  ///   - body: The function.
  /// - Returns: The function's result.
  /// - Throws: The function's error, or the server's.
  package static func withDatabase<Result>(
    beside url: String,
    _ suffix: String = "2",
    _ body: (_ other: String) async throws -> Result
  ) async throws -> Result {
    let name = try PostgresConnection(to: .url(url)).databaseName
    let other = SQLIdentifier("\(name)_\(suffix)")
    // The function may end all sessions of the database.
    func execute(_ statement: SQLFragment) throws {
      try PostgresConnection(to: .url(url)).execute(statement)
    }
    try execute("CREATE DATABASE \(other) TEMPLATE template0")
    let result: Result
    do {
      result = try await body(url.replacing("/\(name)?", with: "/\(other.name)?"))
    } catch {
      try? execute("DROP DATABASE \(other) WITH (FORCE)")
      throw error
    }
    try execute("DROP DATABASE \(other) WITH (FORCE)")
    return result
  }

  /// Calls a function with the URL of an empty database, and drops the database afterwards.
  ///
  /// - Parameter body: The function.
  /// - Returns: The function's result.
  /// - Throws: An error of starting the server, or the function's error.
  package static func withDatabase<Result>(
    _ body: (_ url: String) async throws -> Result
  ) async throws -> Result {
    try await server.withDatabase(body)
  }

  /// Calls a function with the URL of a copy of a database, and drops the copy afterwards.
  ///
  /// - Parameters:
  ///   - template: A database of ``makeTemplate(_:)``.
  ///   - body: The function.
  /// - Returns: The function's result.
  /// - Throws: The function's error.
  package static func withDatabase<Result>(
    copying template: SQLIdentifier,
    _ body: (_ url: String) async throws -> Result
  ) async throws -> Result {
    try await server.withDatabase(copying: template, body)
  }

  /// Creates a template database, which stays until the server ends.
  ///
  /// - Parameter body: Fills the database.
  /// - Returns: The name of the database.
  /// - Throws: An error of starting the server, or the function's error.
  package static func makeTemplate(
    _ body: (_ url: String) async throws -> Void
  ) async throws -> SQLIdentifier {
    let database = try await server.createDatabase()
    try await body(database.url)
    return database.name
  }
}

extension Tag {
  /// A test that needs a PostgreSQL server.
  @Tag
  package static var server: Self
}
