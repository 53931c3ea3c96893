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

/// The jobs of the page on continuous integration: their commands are run in a repository with a change.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct RecipeTests {
  @Test
  func `a change is annotated`() async throws {
    let recipe = try Recipe.named(".github/workflows/models.yaml")
    try await Repository.withChange(Self.change) { folder, url in
      var output = ""
      for script in recipe.scripts {
        let outcome = try await folder.run(
          script,
          [
            "GITHUB_ACTIONS": "true", "GITHUB_WORKSPACE": folder.path,
            "GITHUB_STEP_SUMMARY": "\(folder.path)/summary.md",
          ]
        )
        #expect(outcome.status == 0, "\(script): \(outcome.output)")
        output += outcome.output
      }

      let place = "::notice file=migrations/Shop.remodel/2.yaml,line=1"
      #expect(output.contains(place), "\(output)")
      let plan = try folder.text("summary.md")
      #expect(plan.contains("version \"1\" → version \"2\""))
      #expect(plan.contains("ADD COLUMN \"note\""))
      #expect(recipe.scripts.contains { $0.contains("model validate --strict") })
    }
  }

  @Test
  func `a change is checked, planned for and commented on`() async throws {
    let recipe = try Recipe.named(".gitlab-ci.yml")
    try await Repository.withChange(Self.change) { folder, url in
      for script in recipe.scripts {
        let outcome = try await folder.run(script)
        #expect(outcome.status == 0, "\(script): \(outcome.output)")
      }

      let plan = try folder.text("plan.md")
      #expect(plan.contains("version \"1\" → version \"2\""))
      #expect(plan.contains("ADD COLUMN \"note\""))
      #expect(try folder.text("called").contains("curl "))
      #expect(try folder.text("comment") == plan)
      #expect(recipe.scripts.contains { $0.contains("model validate --strict") })
    }
  }

  @Test(arguments: [
    ".github/workflows/models.yaml", ".gitlab-ci.yml", ".pre-commit-config.yaml", "Makefile",
  ])
  func `a faulty model is refused`(file: String) async throws {
    let recipe = try Recipe.named(file)
    try await Repository.withChange(
      "remodel: 1\nentities: { Book: { attributes: { a: strin } } }\n"
    ) {
      folder,
      _ in
      let check = try #require(recipe.scripts.first { $0.contains("model validate") })
      let outcome = try await folder.run(check)

      #expect(outcome.status == 65, "\(outcome.output)")
      #expect(outcome.output.contains("migrations/Shop.remodel/2.yaml:2:"))
    }
  }

  @Test(arguments: [".github/workflows/drift.yaml", ".gitlab-ci.yml"])
  func `drift fails the job at night`(file: String) async throws {
    let recipe = try Recipe.named(file)
    let verify = try #require(recipe.scripts.first { $0.contains("remodel verify") })
    try await Repository.withChange(Self.change) { folder, url in
      #expect(try await folder.run("remodel migrate").status == 0)
      #expect(try await folder.run(verify).status == 0)
      _ = try await Sample.psql(url, "--command", "ALTER TABLE book ADD COLUMN other int")

      let drift = try await folder.run(verify)

      #expect(drift.status == 2)
      #expect(drift.output.contains("other"), "\(drift.output)")
    }
  }

  @Test
  func `the hooks and the rules of the makefile work`() async throws {
    let scripts = try [".pre-commit-config.yaml", "Makefile"].flatMap {
      try Recipe.named($0).scripts
    }

    #expect(scripts.count > 5)
    try await Repository.withChange(Self.change) { folder, _ in
      for script in scripts {
        let outcome = try await folder.run(script)
        #expect(outcome.status == 0, "\(script): \(outcome.output)")
      }
    }
  }

  @Test
  func `every block of the page is a recipe that is run`() throws {
    let blocks = try DocumentationPage.named(Recipe.page).blocks.filter {
      $0.language != "dockerfile"
    }

    #expect(blocks.count == 5)
    for block in blocks { #expect(!Recipe(block).scripts.isEmpty, "\(block.start)") }
  }

  private static let change = """
    remodel: 1
    entities:
      Book:
        attributes: { title: string, note: string? }

    """
}

/// A file of the page, with the commands in it.
private struct Recipe {
  static let page = "\(DocumentationPage.catalogue)/ContinuousIntegration.md"

  /// The scripts, each of which is run by one shell.
  private(set) var scripts: [String] = []

  static func named(_ file: String) throws -> Recipe {
    let blocks = try DocumentationPage.named(page).blocks
    let block = blocks.first { $0.file == file || $0.language == "make" && file == "Makefile" }
    return Recipe(try #require(block))
  }

  init(_ block: DocumentationPage.Block) {
    if block.language == "make" {
      scripts = block.lines.filter { $0.hasPrefix("\t") }.map { String($0.dropFirst()) }
      return
    }
    for (index, line) in block.lines.enumerated() {
      let rest = block.lines[(index + 1)...]
      if let match = line.firstMatch(of: /^( *)(- )?(?:run|entry): (.*)$/) {
        let indentation = match.output.1.count + (match.output.2?.count ?? 0)
        scripts.append(
          match.output.3 == "|" ? Self.text(rest, under: indentation) : String(match.output.3)
        )
      } else if let match = line.firstMatch(of: /^( *)script:$/) {
        scripts.append(Self.items(rest, under: match.output.1.count))
      }
    }
  }

  /// Returns the lines that are further to the right than a key.
  private static func text(_ lines: ArraySlice<String>, under indentation: Int) -> String {
    lines.prefix { $0.prefix { $0 == " " }.count > indentation }
      .map { String($0.drop { $0 == " " }) }.joined(separator: "\n")
  }

  /// Returns the commands of a list, which one shell runs.
  private static func items(_ lines: ArraySlice<String>, under indentation: Int) -> String {
    lines.prefix { $0.prefix { $0 == " " }.count > indentation }
      .map { line in
        let line = line.drop { $0 == " " }
        return line.hasPrefix("- ") ? String(line.dropFirst(2)) : String(line)
      }
      .filter { $0 != "|" }.joined(separator: "\n")
  }
}

/// A repository whose branch has a change of the model.
private struct WorkingCopy {
  let path: String
  let url: String
  let base: String

  /// Runs a script as a job does.
  func run(
    _ script: String,
    _ variables: [String: String] = [:]
  ) async throws -> (status: Int32?, output: String) {
    let all = environment.merging(variables) { $1 }
    return try await Repository.bash("set -e\n" + script, in: path, all)
  }

  func text(_ name: String) throws -> String {
    try String(contentsOfFile: "\(path)/\(name)", encoding: .utf8)
  }

  /// What the services set for their jobs.
  private var environment: [String: String] {
    [
      "DATABASE_URL": url, "BASE": "main", "COMMENT_TOKEN": "secret",
      "CI_MERGE_REQUEST_DIFF_BASE_SHA": base, "CI_PROJECT_ID": "1", "CI_MERGE_REQUEST_IID": "7",
      "CI_API_V4_URL": "https://gitlab.example.com/api/v4", "HOME": path,
    ]
  }
}

extension Repository {
  /// Gives a repository to a function: version 1 is in its main branch, and version 2 is added to it.
  fileprivate static func withChange(
    _ change: String,
    _ body: (_ folder: WorkingCopy, _ url: String) async throws -> Void
  ) async throws {
    let path = FileManager.default.temporaryDirectory
      .appending(path: "remodel-recipe-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(
      atPath: "\(path)/migrations/Shop.remodel",
      withIntermediateDirectories: true
    )
    defer { try? FileManager.default.removeItem(atPath: path) }
    try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: path)
    try Data("remodel: 1\nentities: { Book: { attributes: { title: string } } }\n".utf8)
      .write(to: URL(filePath: "\(path)/migrations/Shop.remodel/1.yaml"))
    let commit = "git -c user.name=Ada -c user.email=ada@example.com commit --quiet --all --message"
    let made = try await bash(
      """
      set -e
      git init --quiet --initial-branch main
      git add migrations
      \(commit) first
      git rev-parse HEAD
      git checkout --quiet -b change
      """,
      in: path,
      ["HOME": path]
    )
    try #require(made.status == 0, "\(made.output)")
    try Data(change.utf8).write(to: URL(filePath: "\(path)/migrations/Shop.remodel/2.yaml"))
    try await TestServer.withDatabase { url in
      let base = made.output.split(separator: "\n").last.map(String.init) ?? ""
      try await body(WorkingCopy(path: path, url: url, base: base), url)
    }
  }

  /// Runs a script, for which the programs that write comments only note what they are to write.
  fileprivate static func bash(
    _ script: String,
    in folder: String,
    _ variables: [String: String]
  ) async throws -> (status: Int32?, output: String) {
    var changes: [Environment.Key: String?] = [:]
    for name in ProcessInfo.processInfo.environment.keys
    where name.hasPrefix("REMODEL_") || name.hasPrefix("PG") || name.hasPrefix("GIT_") {
      changes[.init(stringLiteral: name)] = .some(nil)
    }
    if let binaries = TestServer.binaries { changes["REMODEL_POSTGRES_BIN"] = binaries }
    for (name, value) in variables { changes[.init(stringLiteral: name)] = value }
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    changes["PATH"] = "\(Tool.folder):\(path)"
    let stubs = """
      note() { echo "$@" >> called; for word; do case $word in *plan.md) cat plan.md > comment;; esac; done; }
      curl() { note curl "$@"; }
      """
    let result = try await Subprocess.run(
      .name("bash"),
      arguments: ["-c", "exec 2>&1\n\(stubs)\n\(script)"],
      environment: .inherit.updating(changes),
      workingDirectory: FilePath(folder),
      output: .string(limit: 1 << 20),
      error: .discarded
    )
    guard case .exited(let status) = result.terminationStatus else {
      return (nil, result.standardOutput)
    }
    return (status, result.standardOutput)
  }
}
