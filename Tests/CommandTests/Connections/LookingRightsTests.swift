import SQLSyntax
import TestSupport
import Testing

@testable import RemodelCommands

/// What the role lacks for other verbs than `migrate` is said with what gives it.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct LookingRightsTests {
  /// A call of a role without rights, on a database of another role.
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
    // Finding the losses of a revert reads the table.
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

  @Test
  func `all that is missing to make a model of tables is granted by the hint`() async throws {
    try await withBundle(Version.first) { folder in
      try await withRole("adopting_role") { role, url, login in
        try await execute("CREATE TABLE public.shelf (id bigint PRIMARY KEY, room text)", at: url)
        let call = ["adopt", "--write", "--models", "\(folder)/New.remodel", "--format", "json"]

        let refused = try await Tool.run(call + ["--database", login])

        #expect(refused.status == 7, "\(refused)")
        guard case .string(let hint)? = refused["hint"] else {
          Issue.record("no hint: \(refused)")
          return
        }
        #expect(hint.contains("GRANT CREATE ON DATABASE"))
        #expect(hint.contains("GRANT UPDATE ON TABLE \"public\".\"shelf\" TO \(role.quoted);"))
        try await execute(SQLFragment(deparsed: hint), at: url)
        let granted = try await Tool.run(call + ["--database", login])
        #expect(granted.status == 0, "\(granted)")
      }
    }
  }

  @Test
  func `what links are put back to has to be read`() async throws {
    let tagged = """
      remodel: 1
      entities:
        Book:
          attributes: { title: string }
          relationships: { tags: { toMany: Tag, inverse: books } }
        Tag:
          attributes: { name: string }
          relationships: { books: { toMany: Book, inverse: tags } }
      """
    let untagged = """
      remodel: 1
      entities:
        Book: { attributes: { title: string } }
        Tag: { attributes: { name: string } }
      """
    try await withBundle(tagged, untagged) { folder in
      try await withRole("linking_role") { role, url, login in
        let database = SQLIdentifier(
          try await rows(of: "SELECT current_database()", at: url)[0][0] ?? ""
        )
        try await execute(
          """
          GRANT CREATE ON DATABASE \(database) TO \(role); GRANT CREATE ON SCHEMA public TO \(role)
          """,
          at: url
        )
        let options = ["--models", folder, "--format", "json", "--database", login]
        for version in ["1", "2"] {
          let made = try await Tool.run(["migrate", "--to", version] + options)
          #expect(made.status == 0, "\(made)")
        }
        try await execute("ALTER TABLE public.tag OWNER TO postgres", at: url)

        let refused = try await Tool.run(["revert"] + options)

        #expect(refused.status == 7, "\(refused)")
        guard case .string(let hint)? = refused["hint"] else {
          Issue.record("no hint: \(refused)")
          return
        }
        #expect(
          hint.contains("GRANT SELECT, REFERENCES, UPDATE ON TABLE \"public\".\"tag\" TO"),
          "\(hint)"
        )
        try await execute(SQLFragment(deparsed: hint), at: url)
        let granted = try await Tool.run(["revert"] + options)
        #expect(granted.status == 0, "\(granted)")
      }
    }
  }
}
