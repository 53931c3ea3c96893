import ArgumentParser
import RemodelKit
import Testing

@testable import RemodelCommands

/// What the calls after a plan repeat of the call that has made it.
@Suite
struct PlanCallTests {
  private func call(_ arguments: [String], _ environment: [String: String]) throws -> PlanCall {
    let options = try Command<PlanVerb>.parse(arguments).values(CommandEnvironment(environment))
    return try #require(try options.planCall(MigrateVerb.self, among: [.text, .json]))
  }

  @Test
  func `what variables say about the plan is repeated, but not where logs and metrics are`() throws
  {
    let call = try call(
      ["--max-block", "1s"],
      [
        "REMODEL_STRATEGY": "filled", "REMODEL_REMOVALS": "drop", "REMODEL_DENY": "deletes-data",
        "REMODEL_MAX_BLOCK": "9s", "REMODEL_LOCK_TIMEOUT": "300ms", "REMODEL_JOBS": "2",
        "REMODEL_LOG_FORMAT": "json", "REMODEL_METRICS_FILE": "m.prom",
      ]
    )

    let words = call.planOptions + call.options
    for pair in [
      ["--strategy", "filled"], ["--removals", "drop"], ["--deny", "deletes-data"],
      ["--max-block", "1s"], ["--lock-timeout", "300ms"], ["--jobs", "2"],
    ] {
      let index = try #require(words.firstIndex(of: pair[0]), "\(words)")
      #expect(words[index + 1] == pair[1])
    }
    #expect(!words.contains("9s"))
    #expect(!words.contains("--log-format"))
    #expect(!words.contains("--metrics-file"))
  }
}
