import SQLSyntax
import TestSupport
import Testing

@testable import RemodelCommands

/// What the role lacks for other verbs than `migrate` is said with what gives it.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct LookingRightsTests {
  /// A call of a role that may do nothing, on a database of somebody else's.
  struct Call: CustomTestStringConvertible {
    let words: [String]
    /// What the database is at.
    let version: String
    var isAdopted = true
    /// What it ends with when the role may do it.
    var status: Int32 = 0

    var testDescription: String { words.joined(separator: " ") }
  }

  @Test(
    arguments: [
      Call(words: ["revert"], version: "2"),
      Call(words: ["revert", "--dry-run"], version: "2"),
      Call(words: ["migrate", "--into-schema", "beside"], version: "1"),
      Call(words: ["plan", "--rehearse", "--live", "--max-block", "30s"], version: "1"),
      Call(words: ["adopt", "--to", "1"], version: "1", isAdopted: false),
    ]
  )
  func `all that is missing is granted by the hint`(call: Call) async throws {
    // Whether anything would be lost on the way back is a question to the table.
    let second = Version.first.replacing(", pages: integer32?", with: "")
    try await withBundle(Version.first, second) { folder in
      try await withRole("looking_role") { role, url, login in
        let models = ["--models", folder, "--format", "json", "--database"]
        for version in ["1", "2"] where version <= call.version {
          let made = try await Tool.run(
            ["migrate", "--to", version, "--removals", "drop"] + models + [url]
          )
          #expect(made.status == 0, "\(made)")
        }
        if !call.isAdopted { try await execute("DROP SCHEMA remodel CASCADE", at: url) }

        let refused = try await Tool.run(call.words + models + [login])

        #expect(refused.status == 7, "\(refused)")
        guard case .string(let hint)? = refused["hint"] else {
          Issue.record("no hint: \(refused)")
          return
        }
        #expect(hint.contains(role.quoted) && !hint.contains("…"))
        try await execute(SQLFragment(deparsed: hint), at: url)
        let granted = try await Tool.run(call.words + models + [login])
        #expect(granted.status == call.status, "\(granted)")
      }
    }
  }
}
