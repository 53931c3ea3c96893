import RemodelKit
import Subprocess

#if canImport(System)
import System
#else
import SystemPackage
#endif

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The files of this repository that a page names.
enum Repository {
  /// The folder of the package.
  static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// Returns the path of a file.
  static func path(_ name: String) -> String { root.appending(path: name).path }

  /// Returns the text of a file.
  static func text(_ name: String) throws -> String {
    try String(contentsOf: root.appending(path: name), encoding: .utf8)
  }
}

/// The worked sample in `migrations`.
enum Sample {
  static let remodel = Remodel(
    RemodelConfiguration(modelsPath: Repository.path("migrations/Library.remodel"))
  )

  /// Fills the tables of version 1 as `try.sh` does.
  static func addRows(to url: String) async throws {
    _ = try await psql(url, "--file", Repository.path("migrations/rows.sql"))
  }

  /// Returns what a query gives, a line for each row, with `|` between the values.
  static func rows(_ query: String, in url: String) async throws -> [String] {
    try await psql(url, "--tuples-only", "--no-align", "--command", query)
      .split(separator: "\n").map(String.init)
  }

  /// Runs a script as `psql --file` does.
  static func run(_ script: String, in url: String) async throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "plan-\(UUID()).sql")
    try Data(script.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    _ = try await psql(url, "--file", file.path)
  }

  static func psql(_ url: String, _ arguments: String...) async throws -> String {
    try await psql(url, arguments)
  }

  static func psql(_ url: String, _ arguments: [String]) async throws -> String {
    try await printed(
      by: .name("psql"),
      ["--no-psqlrc", "--quiet", "--set", "ON_ERROR_STOP=1", "--dbname", url] + arguments
    )
  }
}

/// The built executable.
enum Tool {
  /// The folder that it is in: that of the tests.
  static let folder: String = {
    let bundle = CommandLine.arguments.first { $0.contains(".xctest") } ?? CommandLine.arguments[0]
    let folders = bundle.split(separator: "/", omittingEmptySubsequences: false)
    let end = folders.firstIndex { $0.hasSuffix(".xctest") } ?? folders.endIndex - 1
    return folders[..<end].joined(separator: "/")
  }()

  /// Returns what the executable writes to standard output.
  static func run(
    _ arguments: [String],
    database url: String? = nil,
    variables: [String: String] = [:]
  ) async throws -> String {
    try await printed(
      by: .path(FilePath(folder + "/remodel")),
      arguments,
      environment: .inherit.updating([
        "DATABASE_URL": url, "REMODEL_DATABASE_URL": nil,
        "REMODEL_MODELS": Repository.path("migrations"),
      ]).updating(
        Dictionary(uniqueKeysWithValues: variables.map { (.init(stringLiteral: $0), $1) })
      )
    )
  }
}

/// Returns what a program writes to standard output, or throws what it complains about.
private func printed(
  by program: Executable,
  _ arguments: [String],
  environment: Environment = .inherit
) async throws -> String {
  let result = try await Subprocess.run(
    program,
    arguments: Arguments(arguments),
    environment: environment,
    output: .string(limit: 1 << 20),
    error: .string(limit: 65_536)
  )
  guard result.terminationStatus.isSuccess else {
    throw ProgramError(text: result.standardError)
  }
  return result.standardOutput
}

/// What a program had to complain about.
struct ProgramError: Error {
  let text: String
}
