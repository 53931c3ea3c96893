internal import FoundationEssentials
internal import PostgresClient
internal import SQLSyntax
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
    // Not psql, which would run the commands that a name or a comment could hide in a script.
    writer = try await program("pg_restore")
    folder = binaries.path
  }

  /// Copies everything except rows.
  ///
  /// - Parameters:
  ///   - snapshot: The snapshot to read.
  ///   - lockTimeout: The time to wait for a lock.
  ///   - database: The copy, which has the objects that only a superuser can create.
  ///   - target: The variables for the programs to connect to its server, as a role other than a
  ///     superuser, since creating objects may run any functions.
  /// - Returns: The objects that could not be created.
  /// - Throws: The reason why the schema could not be read or written.
  func run(
    snapshot: String,
    lockTimeout: Duration,
    to database: SQLIdentifier,
    _ target: [String: String?]
  ) async throws -> [RestoreFailure] {
    let role = source.assumedRole.map { ["--role=\($0.name)"] } ?? []
    let dump = try await Subprocess.run(
      .path(FilePath(reader)),
      arguments: Arguments(
        [
          "--schema-only", "--format=custom", "--compress=0", "--no-tablespaces",
          "--no-subscriptions", "--no-security-labels",
          "--no-password", "--snapshot=\(snapshot)",
          "--lock-wait-timeout=\(max(1, lockTimeout.inMilliseconds))",
        ] + role
      ),
      environment: .custom(ProgramEnvironment.connecting(source.environment)),
      output: .bytes(limit: Self.textLimit),
      error: .string(limit: 1 << 20)
    )
    guard dump.terminationStatus.isSuccess else {
      throw RehearsalError(.notDumped(log: Self.lastLines(of: dump.standardError)))
    }
    let load = try await Subprocess.run(
      .path(FilePath(writer)),
      arguments: ["--verbose", "--no-password", "--dbname=\(database.name)"],
      environment: .custom(ProgramEnvironment.connecting(target)),
      input: .array(dump.standardOutput),
      output: .discarded,
      error: .string(limit: Self.textLimit)
    )
    let failures = RestoreFailure.all(in: load.standardError)
    guard load.terminationStatus.isSuccess || !failures.isEmpty else {
      throw RehearsalError(.notRestored(log: Self.lastLines(of: load.standardError)))
    }
    return failures
  }

  private static func lastLines(of text: String) -> String {
    text.split(separator: "\n").suffix(5).joined(separator: "\n")
  }
}
