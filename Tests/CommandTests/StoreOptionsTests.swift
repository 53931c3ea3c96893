import ArgumentParser
import PostgresClient
import RemodelKit
import SQLSyntax
import Subprocess
import Testing

@testable import RemodelCommands

/// The options of the store in the calls that a call prints.
@Suite
struct StoreOptionsTests {
  private func options<V: Verb>(
    _ verb: V.Type,
    _ arguments: [String],
    _ environment: [String: String] = [:]
  ) throws -> StoreOptions {
    StoreOptions(try Command<V>.parse(arguments).values(CommandEnvironment(environment)))
  }

  @Test
  func `a call has the options of the store, those of variables included`() throws {
    let options = try options(
      StatusVerb.self,
      ["--database", "postgresql://me@db/shop", "--schema", "it's", "--wait", "1s"],
      [
        "REMODEL_MODELS": "a:b c", "REMODEL_METADATA_SCHEMA": "-m", "REMODEL_SCHEMA": "other",
        "DATABASE_URL": "postgresql://other",
      ]
    )

    #expect(
      options.completing(CommandCall("migrate", options: ["--to", "2"]))?.text == """
        remodel migrate --database 'postgresql://me@db/shop' --schema 'it'\\''s' \
        --metadata-schema=-m --models a --models 'b c' --to 2
        """
    )
    #expect(
      options.completing(CommandCall("mapping new", "1", "a  b"))?.text
        == "remodel mapping new --models a --models 'b c' 1 'a  b'"
    )
    let own = CommandCall("migrate", options: ["--schema", "x"])
    #expect(options.completing(own)?.options.contains("it's") == false)
    // An operand is no option.
    #expect(
      options.completing(CommandCall("job cancel", "--schema"))?.options.contains("it's") == true
    )
    #expect(options.completing(CommandCall("job"))?.text == "remodel job")
    #expect(StoreOptions().completing(CommandCall("finish"))?.text == "remodel finish")
  }

  @Test(arguments: [
    "postgresql://me:Sekret_7@db:5433/shop?sslmode=require",
    "postgresql://me@db/shop?password=Sekret_7", "postgresql://me@db/shop?passw%6Frd=Sekret%5F7",
    "host=db user=me password=Sekret_7 dbname='a shop'",
    "host=db user=me password='Sekret_7 \\' x' dbname=shop sslpassword=Sekret_7",
  ])
  func `a URL is repeated without its secrets`(url: String) throws {
    let text = try #require(ConnectionSource.url(url).textWithoutSecrets)
    let call = try options(StatusVerb.self, ["--database", url]).completing(CommandCall("finish"))?
      .text

    #expect(!text.contains("ekret"), "\(text)")
    #expect(ConnectionSource.url(text).place == ConnectionSource.url(url).place)
    #expect(ConnectionSource.url(text).textWithoutSecrets == text)
    #expect(call == "remodel finish --database \(text.quotedForShell)")
  }

  @Test
  func `one store of many is named, and no call is completed for many`() throws {
    let schemas = try options(
      StatusVerb.self,
      ["--database", "postgresql://db/shop", "--each-schema", "t_*"],
      ["REMODEL_SCHEMA": "other"]
    )
    let target = MigrationTarget(.url("postgresql://me:pw@db/x"), schema: "t_1")

    #expect(schemas.completing(CommandCall("finish")) == nil)
    #expect(
      schemas.of(target).completing(CommandCall("finish"))?.text
        == "remodel finish --database 'postgresql://db/shop' --schema t_1"
    )
    let text = try #require(target.database.textWithoutSecrets)
    let databases = try options(MigrateVerb.self, ["--targets", "file"])
    #expect(databases.of("t_1").completing(CommandCall("finish")) == nil)
    #expect(
      databases.of(target).completing(CommandCall("finish"))?.text
        == "remodel finish --schema t_1 --database \(text.quotedForShell)"
    )
  }

  @Test
  func `advice is completed, wherever the error is thrown`() throws {
    let options = try options(StatusVerb.self, ["--schema", "s", "--models", "m"])
    var diagnostic = Diagnostic(
      "copy job 1 is paused",
      advice: """
        Use \(CommandCall("job resume", "1")) and run again, or \(CommandCall("job cancel", "1")).
        """
    )
    diagnostic.detailSentences = "It waits for \(CommandCall("finish"))."

    let completed = StoreOptions.$current.withValue(options) { diagnostic.completed }

    #expect(completed.detail == "It waits for \"remodel finish --schema s --models m\".")
    #expect(
      completed.hint == """
        Use "remodel job resume --schema s --models m 1" and run again, or \
        "remodel job cancel --schema s --models m 1".
        """
    )
    #expect(diagnostic.completed.description == diagnostic.description)
    let many = try self.options(StatusVerb.self, ["--each-schema", "t_*"])
    #expect(
      StoreOptions.$current.withValue(many) { diagnostic.completed.hint }
        == "Use job resume 1 for this store and run again, or job cancel 1 for this store."
    )
  }

  @Test
  func `where a call cannot name the store, all forms have words for it`() throws {
    let many = try options(StatusVerb.self, ["--each-schema", "t_*"])
    let cleanup = CommandCall("cleanup")
    let note = WorkflowCommand(kind: .notice, title: "", lines: [])
    let (markup, commands) = StoreOptions.$current.withValue(many) {
      (
        Markup(cleanup, completed: StoreOptions.current.completing(cleanup)),
        Array(repeating: note, count: WorkflowCommand.shownCount + 1).text(in: Workspace(.process))
      )
    }

    #expect(markup.text == "cleanup for this store")
    #expect(commands.contains("plan for this store shows them all"))
    #expect(!commands.contains("remodel"))
    #expect(
      Markup(cleanup, completed: many.of("t_1").completing(cleanup)).text
        == "<code>remodel cleanup --schema t_1</code>"
    )
  }

  private static let names = [
    "a: remodel migrate; x", "\"remodel migrate", "my;id", "it's", "'; touch x; '", "$(touch x)",
    "`x`",
    "a --schema b", "--schema", "--", "-x", "a=b", "\\", "\\'", "\"", "*", "~", "!!", "a  b", "#",
    "$'\\n'", "\u{E000}remodel migrate\u{E001}", "a\n: remodel finish\n", "\u{202E}'; x", "日本",
  ]

  @Test(arguments: names)
  func `no name gets out of its word in a call that is printed`(name: String) async throws {
    let folder = Self.names[(Self.names.firstIndex(of: name) ?? 0) / 2]
    let options = try options(
      StatusVerb.self,
      ["--database", "postgresql://db/shop", "--each-schema", "t_*", "--models=\(folder)"]
    )
    .of(SQLIdentifier(name))
    let ofStore =
      ["--database", "postgresql://db/shop"] + PlanCall.words("--models", folder)
      + PlanCall.words("--schema", name)
    func operands(_ words: String...) -> [String] {
      (words.contains { $0.hasPrefix("-") } ? ["--"] : []) + words
    }
    let job = ExecutionError(.jobUnfinished(id: name, .paused)).diagnostics[0]
    let output = PlanCall.words("--output", "\(name)-\(folder).mapping.yaml")
    let new = CommandCall("mapping new", options: output, name, folder)
    let mapping = Diagnostic("no mapping", advice: "\(name): write one with \(new).")
    let printed = StoreOptions.$current.withValue(options) { (job.completed, mapping.completed) }

    let expected = [
      ["remodel", "job", "resume"] + ofStore + operands(name),
      ["remodel", "job", "cancel"] + ofStore + operands(name),
    ]
    let parts = try #require(
      printed.0.hint?.dropPrefix("Use \"")?.dropSuffix("\".")
    ).split(separator: "\" and run again, or \"").map(String.init)
    #expect(try await words(parts) == expected.flatMap(\.self))
    let call = try #require(
      printed.1.hint?.dropPrefix("\(name): write one with \"")?.dropSuffix("\".")
    )
    #expect(
      try await words([call]) == ["remodel", "mapping", "new"]
        + PlanCall.words("--models", folder)
        + output + operands(name, folder)
    )
  }

  /// Returns the words that a shell reads in calls.
  private func words(_ calls: [String]) async throws -> [String] {
    // Only some shells read `$'…'`.
    let shell = calls.contains { $0.contains("$'") } ? "bash" : "sh"
    let result = try await Subprocess.run(
      .name(shell),
      arguments: ["-c", "printf '%s\\0' \(calls.joined(separator: " "))"],
      environment: .inherit.updating(["LC_ALL": "C.UTF-8"]),
      output: .bytes(limit: 100_000),
      error: .discarded
    )
    return result.standardOutput.split(separator: 0, omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }.dropLast()
  }
}

extension String {
  fileprivate func dropPrefix(_ prefix: String) -> String? {
    hasPrefix(prefix) ? String(dropFirst(prefix.count)) : nil
  }

  fileprivate func dropSuffix(_ suffix: String) -> String? {
    hasSuffix(suffix) ? String(dropLast(suffix.count)) : nil
  }
}
