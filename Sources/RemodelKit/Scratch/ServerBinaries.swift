import Subprocess

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

#if canImport(System)
import System
#else
import SystemPackage
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
    if let path = namedFolder { return try ServerBinaries(at: path) }
    if let path = searchPath.first(where: holdsServer) { return ServerBinaries(path: path) }
    if let path = await reportedFolder(), holdsServer(path) { return ServerBinaries(path: path) }
    if let path = packageFolders.first(where: holdsServer) { return ServerBinaries(path: path) }
    throw ScratchError.noServerInstalled
  }

  /// Returns the programs of all servers, in the order of preference of `find()`.
  static func all() async throws -> [ServerBinaries] {
    if let path = namedFolder { return [try ServerBinaries(at: path)] }
    let reported = await reportedFolder().map { [$0] } ?? []
    var paths: [String] = []
    for path in searchPath + reported + packageFolders
    where holdsServer(path) && !paths.contains(path) {
      paths.append(path)
    }
    return paths.map { ServerBinaries(path: $0) }
  }

  /// Returns the path of another of PostgreSQL's programs: in the folder, where the server's program
  /// is a link to, or in PATH.
  ///
  /// - Parameters:
  ///   - name: The program.
  ///   - major: The first number of its version.
  /// - Returns: The path; none if there is no such program of that version.
  func program(_ name: String, ofMajor major: Int) async -> String? {
    let server = URL(filePath: "\(path)/postgres").resolvingSymlinksInPath()
    let folders = [path, server.deletingLastPathComponent().path] + Self.searchPath
    for folder in folders {
      let candidate = "\(folder)/\(name)"
      if await Self.major(ofProgram: candidate) == major { return candidate }
    }
    return nil
  }

  /// The first number of the server's version.
  var major: Int? {
    get async { await Self.major(ofProgram: "\(path)/postgres") }
  }

  private static func major(ofProgram path: String) async -> Int? {
    guard FileManager.default.isExecutableFile(atPath: path) else { return nil }
    let result = try? await run(
      .path(FilePath(path)),
      arguments: ["--version"],
      environment: .custom(ProgramEnvironment.common),
      output: .string(limit: 4_096),
      error: .discarded
    )
    // postgres (PostgreSQL) 15.20 (Debian 15.20-0)
    let words = (result?.standardOutput ?? "").split(separator: " ")
    return words.compactMap { Int($0.prefix { $0.isNumber }) }.first
  }

  private static var namedFolder: String? {
    environment["REMODEL_POSTGRES_BIN"].flatMap { $0.isEmpty ? nil : $0 }
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
