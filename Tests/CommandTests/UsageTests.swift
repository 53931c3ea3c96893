import TestSupport
import Testing

@testable import RemodelCommands

@Suite(.timeLimit(.minutes(30)))
struct UsageTests {
  @Test
  func `no verb is a call for help`() async throws {
    let outcome = try await Tool.run()

    #expect(outcome.status == 0)
    #expect(outcome.error.isEmpty)
    expectGolden(outcome.output, named: "help.txt")
  }

  @Test(arguments: [
    "init", "migrate", "plan", "status", "check", "history", "finish", "cleanup", "interface",
    "retire", "job", "job list", "job show", "job pause", "job resume", "job cancel", "model",
    "model list", "model show",
    "model hash", "model validate", "model diff", "model convert", "model diagram",
    "model export", "model merge", "model new", "model schema", "mark", "mark development",
    "mapping", "mapping infer", "mapping new", "mapping preview", "mapping show",
    "mapping validate", "mapping convert",
  ])
  func `every verb has help`(verb: String) async throws {
    let words = verb.split(separator: " ").map(String.init)

    let outcome = try await Tool.run(words + ["--help"])
    let same = try await Tool.run(["help"] + words)

    #expect(outcome.status == 0)
    #expect(same.output == outcome.output)
    expectGolden(
      outcome.output,
      named: "help-\(words.joined(separator: "-")).txt"
    )
  }

  @Test
  func `the version is reported`() async throws {
    let outcome = try await Tool.run("--version")

    #expect(outcome.status == 0)
    #expect(outcome.output.contains("."))
  }

  @Test(arguments: [
    ["migrat"], ["verify"], ["migrate", "--foo"], ["migrate", "extra"], ["migrate"],
    ["migrate", "--database"], ["migrate", "--database", ""],
    ["migrate", "--database", "postgresql://h:port/d"], ["migrate", "--database", "nonsense"],
    ["migrate", "--scratch", "--database", "postgresql:///x"],
    ["migrate", "--scratch", "--models", "/nowhere"], ["migrate", "--scratch", "--models", ""],
    ["migrate", "--scratch", "--lock-timeout", "5"], ["migrate", "--scratch", "--wait", "-1s"],
    ["migrate", "--scratch", "--lock-timeout", "0s"],
    ["migrate", "--scratch", "--removals", "keep"], ["migrate", "--scratch", "--deny", "danger"],
    ["migrate", "--scratch", "--format", "yaml"], ["migrate", "--scratch", "--format", "sql"],
    ["migrate", "--scratch", "--log-level", "loud"], ["migrate", "--scratch", "--log-format", "x"],
    ["migrate", "--scratch", "--schema", ""], ["status", "--scratch", "--to", "1"],
    ["check", "--scratch", "--until-current", "soon"],
    ["plan", "--from", "1", "--scratch"], ["model", "diff"], ["model", "nothing"],
    ["mapping", "infer"], ["model", "list", "--models", "/nowhere"],
  ])
  func `a faulty call ends with 64`(arguments: [String]) async throws {
    let text = try await Tool.run(arguments)
    let json = try await Tool.run(
      arguments.contains("--format") ? arguments : arguments + ["--format", "json"]
    )

    #expect(text.status == 64)
    #expect(text.output.isEmpty)
    #expect(text.error.contains("ERROR:  "))
    #expect(!text.error.contains("Fatal"))
    #expect(json.status == 64)
    if !arguments.contains("--format"), arguments.last != "--database" {
      #expect(json["code"] == 64)
      #expect(json.error.isEmpty)
    }
  }

  @Test(arguments: [("check", "check"), ("check", "status"), ("check", "statsu")])
  func `an error about a word too many has a suggestion`(verb: String, word: String) async throws {
    let outcome = try await Tool.run(verb, word)

    #expect(outcome.status == 64)
    #expect(outcome.error.contains("unexpected argument '\(word)'"))
    #expect(
      outcome.error.contains(
        word == "statsu" ? "Did you mean 'status'?" : "A call begins with one verb."
      ),
      "\(outcome)"
    )
    #expect(!outcome.error.contains("Did you mean '\(word)'?"))
  }

  @Test(arguments: [
    ("REMODEL_LOCK_TIMEOUT", "fast"), ("REMODEL_LOCK_RETRY_FOR", "1"), ("REMODEL_WAIT", "x"),
    ("REMODEL_WAIT_FOR_TURN", "10"), ("REMODEL_REMOVALS", "keep"), ("REMODEL_DENY", "danger"),
    ("REMODEL_LOG_LEVEL", "loud"), ("REMODEL_LOG_FORMAT", "xml"), ("REMODEL_MODELS", "/nowhere"),
  ])
  func `a faulty variable is named`(name: String, value: String) async throws {
    let outcome = try await Tool.run("migrate", "--scratch", environment: [name: value])

    #expect(outcome.status == 64)
    #expect(outcome.error.contains(name) || outcome.error.contains(value))
  }

  @Test
  func `an empty variable is as good as none`() async throws {
    try await withBundle(Version.first) { folder in
      let outcome = try await Tool.run(
        "model",
        "list",
        "--models",
        folder,
        environment: ["REMODEL_LOG_LEVEL": "", "REMODEL_CONFIGURATION": "", "REMODEL_MODELS": ""]
      )

      #expect(outcome.status == 0)
    }
  }

  @Test
  func `a password is in no message`() async throws {
    for url in [
      "postgresql://user:secret@localhost:1/d", "postgresql://user:sec@ret@localhost/d",
      "host=127.0.0.1 port=1 password=secret", "postgresql://user:secret@localhost:x/d",
    ] {
      try await withBundle(Version.first) { folder in
        let outcome = try await Tool.run(
          "migrate",
          "--database",
          url,
          "--models",
          folder,
          "--debug-sql",
          "--log-level",
          "trace"
        )

        #expect(outcome.status == 6 || outcome.status == 64)
        #expect(!(outcome.output + outcome.error).contains("sec"))
      }
    }
  }

  @Test
  func `a closed pipe is no error`() async throws {
    try await withBundle(Version.first) { folder in
      let outcome = try await Tool.shell(
        "{ \"$TOOL\" model show --models '\(folder)'; echo $? >&2; } | true"
      )

      #expect(outcome.error == "0\n")
    }
  }
}
