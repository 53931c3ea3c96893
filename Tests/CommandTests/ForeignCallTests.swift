import ArgumentParser
import SQLSyntax
import TestSupport
import Testing

@testable import RemodelCommands

/// Calls that are typed out of habit.
@Suite(.timeLimit(.minutes(30)))
struct ForeignCallTests {
  @Test(arguments: [
    ("up", "remodel migrate."), ("upgrade head", "remodel migrate."),
    ("migrate deploy", "remodel migrate."), ("db:migrate", "remodel migrate."),
    ("db push", "remodel migrate."), ("start", "remodel migrate."),
    ("down", "remodel revert."), ("downgrade -1", "remodel revert."),
    ("rollback", "remodel revert."), ("db:rollback", "remodel revert."),
    ("new add_users", "remodel model new"), ("generate", "remodel model new"),
    ("makemigrations", "remodel model new"), ("migrate dev", "remodel model new"),
    ("revision", "remodel model new"), ("diff", "remodel model diff"),
    ("pull", "remodel adopt --write"), ("db pull", "remodel adopt --write"),
    ("baseline", "remodel adopt --write"), ("stamp head", "remodel adopt --write"),
    ("reset", "--scratch"), ("clean", "--scratch"), ("migrate reset", "--scratch"),
    ("info", "remodel status"), ("showmigrations", "remodel status"),
    ("complete", "remodel finish"), ("repair", "remodel status"),
    ("schema apply", "remodel migrate"),
    ("validate", "remodel model validate"), ("hash", "remodel model hash"),
    ("infer", "remodel mapping infer"), ("pause", "remodel job pause"),
    ("migrate 3", "remodel migrate --to 3."), ("plan 2", "remodel plan --to 2."),
    ("migrate --dry-run", "remodel plan"), ("migrate --yes", "no verb asks a question"),
    ("migrate -y", "no verb asks a question"), ("revert --force", "no verb asks a question"),
    ("migrate --url postgresql:///x", "--database"), ("status --host x", "PGHOST"),
    ("migrate --target 3", "--to"), ("plan --dir migrations", "--models"),
    ("migrate --fake", "remodel adopt"), ("plan --json", "--format json"),
    ("plan --verbose", "--log-level debug"), ("migrate --concurrently", "--strategy online"),
    ("helo", "--help"), ("model list --json", "--format json"),
  ])
  func `a call of habit is answered with the right one`(
    call: String,
    advice: String
  ) async throws {
    let outcome = try await Tool.run(call.split(separator: " ").map(String.init))

    #expect(outcome.status == 64)
    #expect(outcome.error.contains("HINT:  "))
    #expect(outcome.error.contains(advice), "\(outcome.error)")
    #expect(!outcome.error.contains("Did you mean '--"), "\(outcome.error)")
  }

  @Test
  func `an advice names verbs and options that there are`() async throws {
    let advice = (ForeignCall.verbs.map(\.advice) + ForeignCall.options.map(\.advice))
      .joined(separator: "\n")
    let help = try CommandHelp.read(RemodelCommand._dumpHelp())
    let verbs = Set(help.verbs.map(\.verb))
    let options = Set(
      help.verbs.flatMap { $0.arguments ?? [] }.flatMap { $0.names ?? [] }.map { "--\($0.name)" }
    )

    let calls = advice.matches(of: /remodel ((?:model |mapping |job )?[a-z]+)/)
      .map { String($0.output.1) }
    let named = advice.matches(of: /--[a-z-]+/).map { String($0.output) }
    #expect(calls.count > 20)
    #expect(calls.filter { !verbs.contains($0) } == [])
    #expect(named.filter { !options.contains($0) } == [])
  }

  @Test
  func `no call of habit is a verb`() {
    let verbs = RemodelCommand.configuration.subcommands.map { $0.configuration.commandName ?? "" }
    let calls = ForeignCall.verbs.flatMap { $0.calls.split(separator: "|").map(String.init) }

    #expect(Set(calls).count == calls.count)
    #expect(calls.filter(verbs.contains) == [])
  }

  @Test(arguments: ["help bogus", "help model bogus", "help migrate bogus", "help up"])
  func `help about nothing is an error`(call: String) async throws {
    let outcome = try await Tool.run(call.split(separator: " ").map(String.init))

    #expect(outcome.status == 64)
    #expect(outcome.output.isEmpty)
    #expect(outcome.error.contains("unexpected argument"), "\(outcome.error)")
    if call == "help up" { #expect(outcome.error.contains("remodel migrate.")) }
  }

  @Test
  func `without a model, the hint names the ways to one`() async throws {
    try await withFolder { folder in
      for models in [[], ["--models", "."]] {
        let outcome = try await Tool.run(["plan", "--scratch"] + models, in: folder)

        #expect(outcome.status == 64)
        #expect(outcome.error.contains("remodel init"), "\(outcome.error)")
        #expect(outcome.error.contains("remodel adopt --write"))
      }
    }
  }

  @Test(.tags(.server), .enabled(if: TestServer.isAvailable))
  func `with tables of others, the hint names the way to take them over`() async throws {
    try await withBundle(Version.first) { folder in
      try await TestServer.withDatabase { url in
        try await execute("CREATE TABLE public.other (a int)", at: url)

        let outcome = try await Tool.run("migrate", "--models", folder, "--database", url)

        #expect(outcome.status == 4)
        #expect(outcome.error.contains("remodel adopt"), "\(outcome.error)")
      }
    }
  }
}
