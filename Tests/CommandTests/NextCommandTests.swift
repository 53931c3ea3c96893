import RemodelKit
import SQLSyntax
import TestSupport
import Testing

@testable import RemodelCommands

/// The call that `status` says leads on.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct NextCommandTests {
  @Test
  func `each next command of a store leads on, until there is none`() async throws {
    try await withBundle(Version.first, Version.withoutPages, Version.withAuthor) { folder in
      try await TestServer.withDatabase { url in
        let options = ["--models", folder, "--database", url]

        try await expectNext("remodel migrate", options)
        try await run("remodel migrate --to 2", options)
        try await expectNext("remodel migrate", options)
        try await run("remodel migrate", options)
        try await expectNext(nil, options)
        try await expect(0, ["revert", "--to", "2"] + options)
        try await expectNext("remodel migrate --to 3", options)
        try await run("remodel migrate --to 3", options)
        try await expectNext(nil, options)
      }
    }
  }

  @Test
  func `without a mapping, the next command drafts one`() async throws {
    try await withBundle(Version.first, Version.datePages) { folder in
      try await TestServer.withDatabase { url in
        let options = ["--models", folder, "--database", url]
        try await expect(0, ["migrate", "--to", "1"] + options)

        try await expectNext("remodel mapping new 1 2", options)
        try await expect(0, ["mapping", "new", "1", "2", "--models", folder])
      }
    }
  }

  @Test
  func `a copy job that is paused or cut off has a next command`() async throws {
    try await withCopiedBooks { folder in
      try await TestServer.withDatabase { url in
        let options = ["--models", folder, "--database", url]
        try await expect(0, ["migrate", "--to", "1"] + options)
        try await execute(
          "INSERT INTO public.book (title) SELECT 't' || i FROM generate_series(1, 100) AS i",
          at: url
        )
        _ = try await Tool.run(
          ["migrate", "--strategy", "online"] + options,
          environment: ["REMODEL_FAILPOINT": "index.before_commit:1:kill9"]
        )
        try await expectNext("remodel migrate", options)
        try await expect(0, ["job", "pause"] + options)
        try await expectNext("remodel job resume", options)
        try await run("remodel job resume", options)
        try await expectNext("remodel migrate", options)
        try await run("remodel migrate", options)
        try await expectNext(nil, options)
      }
    }
  }

  @Test
  func `after the edit of a draft, the next command takes the draft along`() async throws {
    try await withBundle(Version.first, Version.withAuthor) { folder in
      try await TestServer.withDatabase { url in
        let options = ["--models", folder, "--database", url]
        try await expect(0, ["mark", "development"] + options)
        try await run("remodel migrate --draft", options)
        try write(Version.withBlurb, to: "\(folder)/Library.remodel/2.yaml")

        try await expectNext("remodel migrate --draft", options)
        try await run("remodel migrate --draft", options)
        try await expectNext(nil, options)
      }
    }
  }

  private func expectNext(_ command: String?, _ options: [String]) async throws {
    let json = try await Tool.run(["status", "--format", "json"] + options)
    let text = try await Tool.run(["status"] + options)

    try expectSuccess(json, toBe: "status")
    #expect(text.output.contains("next ") == (command != nil))
    guard let command else {
      #expect(json["nextCommand"] == .null, "\(json)")
      return
    }
    guard case .string(let call)? = json["nextCommand"] else {
      Issue.record("no call: \(json)")
      return
    }
    #expect(text.output.contains(call))
    // It is about the same models and database, without what leads to them otherwise.
    let models = " --models \(options[1].quotedForShell)"
    #expect(call.contains(models), "\(call)")
    #expect(call.contains(" --database '") == !command.contains("mapping"), "\(call)")
    let shown = try await Tool.run(
      shell: "\"$0\" \(call.dropFirst("remodel ".count)) --help",
      environment: [:]
    )
    #expect(shown.status == 0, "\(call): \(shown)")
    let words = call.replacing(models, with: "").replacing(#/ --database '[^']*'/#, with: "")
    #expect(words == command)
  }

  private func run(_ command: String, _ options: [String]) async throws {
    try await expect(0, command.split(separator: " ").dropFirst().map(String.init) + options)
  }
}
