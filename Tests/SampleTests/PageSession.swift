import Subprocess
import TestSupport
import Testing

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

/// A page that is carried out in a folder and a database of its own.
struct PageSession {
  let page: DocumentationPage
  let url: String
  let folder: String

  /// What lines of shell begin with that a test cannot run: it has no docker, no cluster and no right to install.
  static let unrunnable: Set<String> = [
    "docker", "kubectl", "git", "swift", "install", "export", "migrations/try.sh", "Tests/run.sh",
  ]

  /// Carries the page out in a new folder, and returns it with what its commands have printed.
  static func recorded(
    _ page: DocumentationPage,
    _ url: String
  ) async throws -> [String] {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "remodel-page-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    // A throwaway server that runs as another user has to find the files.
    try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder)
    return try await PageSession(page: page, url: url, folder: folder).recorded()
  }

  private func recorded() async throws -> [String] {
    var lines = page.lines
    var printed: [(block: DocumentationPage.Block, lines: [String])] = []
    for block in page.blocks {
      switch block.language {
      case "console": printed.append((block, try await printedLines(of: block)))
      case "sh": try await runScript(block)
      case "sql": if try !write(block) { try await runQuery(block) }
      case "yaml": _ = try write(block)
      case "swift", "json", "text", "dockerfile", "make", "postgresql": break
      default:
        Issue.record("\(page.path):\(block.start): a block has no language that a test knows")
      }
    }
    for (block, new) in printed.reversed() {
      lines.replaceSubrange(block.start..<block.start + block.lines.count, with: new)
    }
    return lines
  }

  // MARK: - Blocks

  /// Writes the file that a block shows; false if it shows none.
  private func write(_ block: DocumentationPage.Block) throws -> Bool {
    guard let file = block.file else { return false }
    let path = URL(filePath: folder).appending(path: file)
    try FileManager.default.createDirectory(
      at: path.deletingLastPathComponent(),
      withIntermediateDirectories: true
    )
    try Data(block.text.utf8).write(to: path)
    return true
  }

  /// Runs the commands of a block, and returns them with their output.
  private func printedLines(of block: DocumentationPage.Block) async throws -> [String] {
    var lines: [String] = []
    for command in commands(of: block) {
      let (status, output) = try await bash(String(command.dropFirst(2)))
      #expect(status == 0, "\(page.path):\(block.start): \(command): \(output)")
      var printed = output.split(separator: "\n", omittingEmptySubsequences: false).map(trimmed)
      while printed.last == "" { printed.removeLast() }
      lines.append(command)
      lines += printed
    }
    // Parts that are never the same stay as written.
    return lines.map(PageOutput.normalized) == block.lines.map(PageOutput.normalized)
      ? block.lines : lines
  }

  private func commands(of block: DocumentationPage.Block) -> [String] {
    block.lines.filter { $0.hasPrefix("$ ") }
  }

  private func runScript(_ block: DocumentationPage.Block) async throws {
    let commands = block.lines.filter { !$0.isEmpty && !$0.hasPrefix("#") && !$0.hasPrefix(" ") }
    let words = Set(commands.compactMap { $0.split(separator: " ").first.map(String.init) })
    guard words.isDisjoint(with: Self.unrunnable) else {
      #expect(
        words.isSubset(of: Self.unrunnable),
        "\(page.path):\(block.start): a block is either run or not"
      )
      return
    }
    let (status, output) = try await bash("set -euo pipefail\n" + block.text)
    #expect(status == 0, "\(page.path):\(block.start): \(output)")
  }

  /// Runs a query, and takes back what it did: roles are those of all tests.
  private func runQuery(_ block: DocumentationPage.Block) async throws {
    let file = URL(filePath: folder).appending(path: ".query.sql")
    try Data("BEGIN;\n\(block.text);\nROLLBACK;\n".utf8).write(to: file)
    let (status, output) = try await bash(
      "psql \"$DATABASE_URL\" --quiet --set ON_ERROR_STOP=1 --file .query.sql"
    )
    #expect(status == 0, "\(page.path):\(block.start): \(output)")
  }

  // MARK: - Programs

  private func bash(_ command: String) async throws -> (status: Int32?, output: String) {
    let result = try await Subprocess.run(
      .name("bash"),
      arguments: ["-c", "exec 2>&1\n" + command],
      environment: environment,
      workingDirectory: FilePath(folder),
      output: .string(limit: 1 << 20),
      error: .discarded
    )
    let output = (result.standardOutput).replacing(url, with: "postgresql://localhost/shop")
      .replacing(folder, with: "/home/ada/shop")
    guard case .exited(let status) = result.terminationStatus else { return (nil, output) }
    return (status, output)
  }

  private var environment: Environment {
    let variables = ProcessInfo.processInfo.environment
    var changes: [Environment.Key: String?] = [:]
    for name in variables.keys where name.hasPrefix("REMODEL_") || name.hasPrefix("PG") {
      changes[.init(stringLiteral: name)] = .some(nil)
    }
    let binaries = TestServer.binaries ?? variables["REMODEL_POSTGRES_BIN"]
    changes["REMODEL_POSTGRES_BIN"] = .some(binaries)
    changes["DATABASE_URL"] = url
    changes["REPOSITORY"] = Repository.root.path
    changes["PATH"] = "\(Tool.folder):\(variables["PATH"] ?? "/usr/bin:/bin")"
    changes["PAGER"] = "cat"
    changes["PSQLRC"] = "/dev/null"
    changes["LC_ALL"] = "C.UTF-8"
    return .inherit.updating(changes)
  }

  private func trimmed(_ line: Substring) -> String {
    String(line.reversed().drop { $0 == " " }.reversed())
  }
}
