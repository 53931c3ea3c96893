import PostgresClient
import SQLSyntax
import TestSupport
import Testing

@testable import RemodelCommands

/// An executable of one's own, with a policy in code.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct PolicyExampleTests {
  private static let versions = ["string?", "integer32?"].map { type in
    """
    remodel: 1
    entities:
      Preface: { attributes: { text: string?, pages: \(type) } }
    """
  }

  private static let mapping = """
    remodelMapping: 1
    source: "1"
    destination: "2"
    entities:
      - source: Preface
        destination: Preface
        policy: RomanPages
    """

  private func withPrefaces(
    _ rows: Int,
    _ body: (_ variables: [String: String], _ url: String) async throws -> Void
  ) async throws {
    try await withBundle(Self.versions, mappings: ["1-2": Self.mapping]) { bundle in
      try await TestServer.withDatabase { url in
        let variables = [
          "REMODEL_DATABASE_URL": url, "REMODEL_MODELS": bundle, "EXAMPLE": Self.example,
        ]
        let creation = try await Tool.shell("\"$EXAMPLE\" migrate --to 1", variables)
        #expect(creation.status == 0, "\(creation)")
        try PostgresConnection(to: .url(url)).execute(
          """
          INSERT INTO public.preface (text, pages)
            SELECT repeat('x', 1900), trim(to_char(i % 399 + 1, 'RN'))
            FROM generate_series(1, \(SQLLiteral.integer(Int64(rows)))) AS i
          """
        )
        try await body(variables, url)
      }
    }
  }

  private static let example = String(Tool.path.dropLast("remodel".count)) + "PolicyExample"

  @Test
  func `an executable with the policy does what remodel alone cannot`() async throws {
    try await withPrefaces(100) { variables, url in
      let alone = try await Tool.shell("\"$TOOL\" migrate", variables)
      let validation = try await Tool.shell("\"$EXAMPLE\" mapping validate", variables)
      let shown = try await Tool.shell("\"$EXAMPLE\" mapping show 1 2", variables)
      let script = try await Tool.shell("\"$EXAMPLE\" plan --format sql", variables)
      let plan = try await Tool.shell("\"$EXAMPLE\" plan", variables)
      let online = try await Tool.shell("\"$EXAMPLE\" migrate --strategy online", variables)
      let migration = try await Tool.shell("\"$EXAMPLE\" migrate", variables)

      #expect(alone.status == 65)
      #expect(alone.error.contains("no policy of that name is registered"))
      #expect(validation.status == 0, "\(validation)")
      #expect(shown.output.contains("* policy RomanPages"))
      #expect(shown.output.contains("= made by the policy"))
      #expect(script.status == 7)
      #expect(script.error.contains("cannot be written as a script"))
      #expect(plan.status == 0)
      #expect(plan.output.contains("through policy \"RomanPages\", version \"1\", in batches"))
      #expect(online.status == 7)
      #expect(
        online.error.contains("Rows of entity mapping \"PrefaceToPreface\" pass through policy")
      )
      #expect(migration.status == 0, "\(migration)")
      let sum = try PostgresConnection(to: .url(url)).query("SELECT sum(pages) FROM public.preface")
      #expect(sum.value == "5150")
    }
  }

  @Test
  func `a row that the policy cannot read ends with 9`() async throws {
    try await withPrefaces(100) { variables, url in
      try PostgresConnection(to: .url(url)).execute(
        "UPDATE public.preface SET pages = 'many' WHERE _id = 42"
      )
      let migration = try await Tool.shell("\"$EXAMPLE\" migrate", variables)

      #expect(migration.status == 9)
      #expect(
        migration.error.contains(
          "policy \"RomanPages\" of entity mapping \"PrefaceToPreface\" failed at the row with key 42"
        )
      )
    }
  }

  #if os(Linux)
  @Test(arguments: RandomCases.one(in: 2, of: ["locked", "gated"]))
  func `many rows need no more memory than a few`(strategy: String) async throws {
    let few = try await peak(rows: 1000, strategy)
    let many = try await peak(rows: 55_000, strategy)

    // The rows are 100 MB.
    #expect(many - few < 30_000)
  }

  /// Returns the most memory that a migration has, in kB.
  private func peak(rows: Int, _ strategy: String) async throws -> Int {
    var peak = 0
    try await withPrefaces(rows) { variables, url in
      let outcome = try await Tool.shell(
        """
        "$EXAMPLE" migrate --strategy \(strategy) > /dev/null & pid=$!
        while line=$(grep VmHWM /proc/$pid/status 2> /dev/null); do peak=$line; sleep 0.05; done
        wait $pid && echo "$peak"
        """,
        variables
      )
      peak = outcome.output.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }.first ?? 0
      #expect(outcome.status == 0, "\(outcome)")
      #expect(peak > 0)
      let count = try PostgresConnection(to: .url(url)).query(
        "SELECT count(pages) FROM public.preface"
      )
      #expect(count.value == String(rows))
    }
    print("\(strategy), \(rows) rows: \(peak) kB")
    return peak
  }
  #endif
}
