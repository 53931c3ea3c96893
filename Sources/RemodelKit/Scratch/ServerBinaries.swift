import Subprocess

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The folder of a PostgreSQL server's programs.
package struct ServerBinaries: Sendable {
  /// The folder's path.
  package let path: String

  /// Creates the value of a folder that the user named.
  ///
  /// - Parameter path: The folder's path.
  /// - Throws: A `ScratchError` if the programs are not there.
  package init(at path: String) throws {
    guard Self.holdsServer(path) else { throw ScratchError.noServerAt(path) }
    self.path = path
  }

  private init(path: String) {
    self.path = path
  }

  /// Returns the programs of an installed server.
  ///
  /// - Returns: Those that `REMODEL_POSTGRES_BIN` names, else in PATH, else of `pg_config`, else the
  ///   newest ones where packages put them.
  /// - Throws: A `ScratchError` if there are none.
  package static func find() async throws -> ServerBinaries {
    if let path = environment["REMODEL_POSTGRES_BIN"], !path.isEmpty {
      return try ServerBinaries(at: path)
    }
    if let path = searchPath.first(where: holdsServer) { return ServerBinaries(path: path) }
    if let path = await reportedFolder(), holdsServer(path) { return ServerBinaries(path: path) }
    if let path = packageFolders.first(where: holdsServer) { return ServerBinaries(path: path) }
    throw ScratchError.noServerInstalled
  }

  /// A Boolean value that indicates whether a server is installed, as far as can be seen without
  /// running a program.
  package static var isInstalled: Bool {
    let named = environment["REMODEL_POSTGRES_BIN"].map { [$0] } ?? []
    return (named + searchPath + packageFolders).contains(where: holdsServer)
  }

  private static var environment: [String: String] { ProcessInfo.processInfo.environment }

  private static var searchPath: [String] {
    (environment["PATH"] ?? "").split(separator: ":").map(String.init)
  }

  /// The folders of Debian, Red Hat and Homebrew, the newest version first.
  private static var packageFolders: [String] {
    let parents = [
      ("/usr/lib/postgresql", ""), ("/usr", "pgsql-"), ("/opt/homebrew/opt", "postgresql@"),
      ("/usr/local/opt", "postgresql@"),
    ]
    let versioned = parents.flatMap { parent, prefix in
      ((try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? [])
        .filter { $0.hasPrefix(prefix) }
        .compactMap { name in Double(name.dropFirst(prefix.count)).map { (name, version: $0) } }
        .sorted { $0.version > $1.version }
        .map { "\(parent)/\($0.0)/bin" }
    }
    return versioned + ["/opt/homebrew/bin", "/usr/local/bin", "/usr/local/pgsql/bin"]
  }

  private static func holdsServer(_ path: String) -> Bool {
    ["initdb", "postgres"].allSatisfy {
      FileManager.default.isExecutableFile(atPath: "\(path)/\($0)")
    }
  }

  private static func reportedFolder() async -> String? {
    let result = try? await run(
      .name("pg_config"),
      arguments: ["--bindir"],
      output: .string(limit: 4_096)
    )
    guard let result, result.terminationStatus.isSuccess else { return nil }
    return result.standardOutput.split(separator: "\n").first.map(String.init)
  }
}
