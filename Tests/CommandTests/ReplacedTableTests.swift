import SQLSyntax
import TestSupport
import Testing

@testable import RemodelCommands

/// A revert of a copy without a mapping model: in place, or to the replaced tables.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct ReplacedTableTests {
  private static let first = """
    remodel: 1
    entities:
      Person: { attributes: { name: string, nick: string? } }
    """
  private static let second = first.replacing(
    "nick: string?",
    with: "nick: { type: string, default: x }"
  )

  /// Gives a database whose table has been copied while others could write.
  private func withCopy(
    _ body: (_ call: [String], _ url: String) async throws -> Void
  ) async throws {
    try await withBundle(Self.first, Self.second) { folder in
      try await TestServer.withDatabase { url in
        let call = ["--models", folder, "--database", url]
        let variables = ["REMODEL_LARGE_TABLES": "1"]
        _ = try await Tool.run(["migrate", "--to", "1"] + call)
        try await execute(
          "INSERT INTO public.person (name, nick) VALUES ('a', 'n'), ('b', NULL)",
          at: url
        )
        let copied = try await Tool.run(
          ["migrate", "--strategy", "online"] + call,
          environment: variables
        )
        #expect(copied.status == 0, "\(copied)")
        #expect(
          try await rows(of: "SELECT table_name FROM remodel.retained", at: url)
            == [["remodel_retained_1_person"]]
        )
        try await body(call, url)
      }
    }
  }

  @Test
  func `without writes the values of before are there again`() async throws {
    try await withCopy { call, url in
      let reverted = try await Tool.run(["revert"] + call)

      #expect(reverted.status == 0, "\(reverted)")
      #expect(
        try await rows(of: "SELECT name, nick FROM public.person ORDER BY 1", at: url)
          == [["a", "n"], ["b", nil]]
      )
    }
  }

  @Test
  func
    `after a write, the retained objects are reported with the reasons why they cannot be put back`()
    async throws
  {
    try await withCopy { call, url in
      try await execute("INSERT INTO public.person (name) VALUES ('c')", at: url)

      let refused = try await Tool.run(["revert"] + call)
      let accepted = try await Tool.run(["revert", "--allow", "deletes-data"] + call)

      #expect(refused.status == 7, "\(refused)")
      #expect(
        refused.error.contains(
          """
          table "person": the migration has changed its values; the former ones are retained in \
          table "remodel_retained_1_person", which cannot be put back: 1 row written since the \
          migration
          """
        ),
        "\(refused)"
      )
      #expect(
        refused.error.contains("To revert in place, with all rows and values as they are now")
      )
      #expect(accepted.status == 0, "\(accepted)")
      #expect(
        try await rows(of: "SELECT name, nick FROM public.person ORDER BY 1", at: url)
          == [["a", "n"], ["b", "x"], ["c", "x"]]
      )
    }
  }
}
