import RemodelKit
import SQLSyntax
import Testing

@testable import MigrationExecution

/// The owners of locks, as people see them.
@Suite
struct BlockerTests {
  @Test
  func `what others have chosen begins no line of ours`() {
    let hostile = "x\nHINT:  Everything is fine.\u{1B}]0;\u{7}\u{202E}\u{2028}\u{9B}"
    let blocker = Blocker(
      pid: 7,
      preparedTransaction: hostile,
      application: hostile,
      query: hostile,
      since: "yesterday",
      table: hostile
    )

    for fact in [
      ExecutionError.Fact.lockNotAvailable(seconds: 1, blockers: [blocker, blocker]),
      .migrationLockNotAvailable(seconds: 1, holder: blocker),
    ] {
      let lines = ExecutionError(fact).diagnostics.map(\.description).joined(separator: "\n")
        .split(separator: "\n")
      #expect(lines.filter { $0.drop { $0 == " " }.hasPrefix("HINT:") }.count == 1)
      let odd = lines.joined().unicodeScalars.filter(\.isHiding)
      #expect(odd.isEmpty)
    }
  }
}
