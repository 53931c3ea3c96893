internal import FoundationEssentials
package import MigrationPlanning
package import PostgresClient
package import SQLSyntax
internal import Subprocess

#if canImport(System)
internal import System
#else
internal import SystemPackage
#endif

/// A program of others that compares the schemas of two databases, for a second opinion.
///
/// `REMODEL_JUDGE` names it, with its first arguments if it needs some, such as `migra --unsafe`. It
/// is called with the URLs of two databases and writes how they differ to standard output.
package struct SchemaJudge: Sendable {
  private let program: String
  private let arguments: [String]

  /// The judge, if the environment names one.
  package static let appointed: SchemaJudge? = {
    let words = (ProcessInfo.processInfo.environment["REMODEL_JUDGE"] ?? "").split(separator: " ")
    guard let program = words.first else { return nil }
    return SchemaJudge(program: String(program), arguments: words.dropFirst().map(String.init))
  }()

  /// Returns how two databases differ; nothing if they do not.
  ///
  /// - Parameters:
  ///   - first: The URL of one database.
  ///   - second: The URL of the other.
  /// - Returns: The judge's words.
  /// - Throws: That the judge could not be started.
  package func difference(between first: String, and second: String) async throws -> String {
    let verdict = try await Subprocess.run(
      program.contains("/") ? .path(FilePath(program)) : .name(program),
      arguments: Arguments(arguments + [first, second]),
      output: .string(limit: 1 << 22),
      error: .string(limit: 1 << 22)
    )
    let words = verdict.standardOutput
    if verdict.terminationStatus.isSuccess || !words.isEmpty { return words }
    return "\(program) ended with \(verdict.terminationStatus): \(verdict.standardError)"
  }

  /// Drops retained objects, which a judge cannot distinguish from those of a version.
  ///
  /// - Parameters:
  ///   - retained: The retained objects.
  ///   - schema: Their schema.
  ///   - connection: The connection.
  /// - Throws: The server's error, for example that another object depends on one.
  package static func drop(
    _ retained: [RetainedObject],
    in schema: SQLIdentifier,
    _ connection: borrowing PostgresConnection
  ) throws(PostgresError) {
    for object in retained {
      let table = QualifiedName(schema: schema, name: object.table)
      if let column = object.column {
        try connection.execute("ALTER TABLE \(table) DROP COLUMN \(column)")
      } else {
        try connection.execute("DROP TABLE \(table)")
      }
    }
  }
}
