internal import FoundationEssentials
internal import PostgresClient
import Subprocess

#if canImport(System)
import System
#else
import SystemPackage
#endif

/// Brings the schema of a database to a throwaway server, by PostgreSQL's own programs.
struct SchemaTransfer {
  private let source: DatabaseProperties
  private let reader: String
  private let writer: String
  /// The folder of the server's programs.
  let folder: String

  /// The most that the text of a schema may have.
  private static let textLimit = 256 << 20

  /// Finds the programs.
  init(of source: DatabaseProperties, _ binaries: ServerBinaries) async throws {
    func program(_ name: String) async throws -> String {
      let path = await binaries.program(name, ofMajor: source.serverMajor)
      guard let path else {
        throw RehearsalError(.noProgram(name, folder: binaries.path, major: source.serverMajor))
      }
      return path
    }
    self.source = source
    reader = try await program("pg_dump")
    writer = try await program("psql")
    folder = binaries.path
  }

  /// Copies all but rows.
  ///
  /// - Parameters:
  ///   - snapshot: The snapshot that is read.
  ///   - lockTimeout: For how long a lock may be waited for.
  ///   - directory: The folder of the socket of the server that it is copied to.
  ///   - database: The database there.
  ///   - user: A superuser there.
  /// - Returns: What could not be made there, as the server says.
  /// - Throws: Why the schema could not be read.
  func run(
    snapshot: String,
    lockTimeout: Duration,
    to directory: String,
    _ database: String,
    as user: String
  ) async throws -> [String] {
    let role = source.assumedRole.map { ["--role=\($0.name)"] } ?? []
    let dump = try await Subprocess.run(
      .path(FilePath(reader)),
      arguments: Arguments(
        [
          "--schema-only", "--no-tablespaces", "--no-subscriptions", "--no-security-labels",
          "--no-password", "--snapshot=\(snapshot)",
          "--lock-wait-timeout=\(max(1, lockTimeout.inMilliseconds))",
        ] + role
      ),
      environment: .custom(ProgramEnvironment.connecting(source.environment)),
      output: .string(limit: Self.textLimit),
      error: .string(limit: 1 << 20)
    )
    guard dump.terminationStatus.isSuccess else {
      throw RehearsalError(.notDumped(log: Self.lastLines(of: dump.standardError)))
    }
    let load = try await Subprocess.run(
      .path(FilePath(writer)),
      arguments: ["--no-psqlrc", "--quiet", "--no-password", "--output=/dev/null", "--file=-"],
      environment: .custom(
        ProgramEnvironment.connecting([
          "PGHOST": directory, "PGPORT": "5432", "PGUSER": user, "PGDATABASE": database,
          "PGPASSFILE": "/dev/null",
        ])
      ),
      input: .string(dump.standardOutput),
      output: .discarded,
      error: .string(limit: 1 << 20)
    )
    return load.standardError.split(separator: "\n").map(String.init)
      .filter { line in
        line.contains("ERROR:") && !Self.superusersProperty.contains { line.contains($0) }
      }
  }

  /// What only superusers may own, of whom the copy has none; it is there all the same.
  private static let superusersProperty = [
    "permission denied to change owner of event trigger",
    "permission denied to change owner of foreign-data wrapper",
  ]

  private static func lastLines(of text: String) -> String {
    text.split(separator: "\n").suffix(5).joined(separator: "\n")
  }
}
