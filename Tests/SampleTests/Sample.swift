import RemodelKit
import Subprocess

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The files of this repository that a reader is told to use.
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

  private static func psql(_ url: String, _ arguments: String...) async throws -> String {
    let result = try await Subprocess.run(
      .name("psql"),
      arguments: Arguments(
        ["--no-psqlrc", "--quiet", "--set", "ON_ERROR_STOP=1", "--dbname", url] + arguments
      ),
      output: .string(limit: 65_536),
      error: .string(limit: 65_536)
    )
    guard result.terminationStatus.isSuccess else { throw PsqlError(text: result.standardError) }
    return result.standardOutput
  }
}

/// What psql had to complain about.
struct PsqlError: Error {
  let text: String
}
