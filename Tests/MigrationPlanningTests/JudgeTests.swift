import Diagnostics
import PostgresClient
import SQLSyntax
import TestSupport
import Testing

@testable import MigrationPlanning

/// Consecutive versions of real models before a judge who knows nothing of us.
@Suite(
  .tags(.server),
  .enabled(if: TestServer.isAvailable),
  .enabled(if: SchemaJudge.appointed != nil, "REMODEL_JUDGE names no judge"),
  .timeLimit(.minutes(60))
)
struct JudgeTests {
  @Test
  func `the judge sees what differs`() async throws {
    let judge = try #require(SchemaJudge.appointed)

    try await TestServer.withTwoDatabases { first, second in
      let connection = try PostgresConnection(to: .url(first))
      let other = try PostgresConnection(to: .url(second))
      try connection.execute("CREATE TABLE public.book (_id bigint, title text)")
      try other.execute("CREATE TABLE public.book (title text, _id bigint)")
      #expect(try await judge.difference(between: first, and: second).isEmpty)

      for statement: SQLFragment in [
        "ALTER TABLE public.book ALTER title SET DEFAULT 'a'",
        "ALTER TABLE public.book ALTER title DROP DEFAULT, ALTER _id SET NOT NULL",
        "ALTER TABLE public.book ALTER _id DROP NOT NULL, ADD UNIQUE (_id)",
        "ALTER TABLE public.book DROP CONSTRAINT book__id_key; CREATE INDEX ON public.book (title)",
      ] {
        try connection.execute(statement)
        #expect(try await !judge.difference(between: first, and: second).isEmpty)
      }
    }
  }

  @Test(.enabled(if: Corpora.isAvailable, "there are no real models on this machine"))
  func `consecutive versions of real models differ in nothing from new databases`() async throws {
    let judge = try #require(SchemaJudge.appointed)
    let pairs = try VersionPair.all().sample()

    let judged = try await TestServer.withTwoDatabases { first, second in
      let connection = try PostgresConnection(to: .url(first))
      try connection.prepareSession()
      let other = try PostgresConnection(to: .url(second))
      try other.prepareSession()
      var judged = 0
      for pair in pairs {
        do {
          let (version, retained) = try pair.migrate(connection)
          try SchemaJudge.drop(retained, in: "s", connection)
          try other.execute("DROP SCHEMA IF EXISTS s CASCADE; CREATE SCHEMA s")
          let planner = MigrationPlanner(serverMajor: other.serverVersion / 10_000)
          for statement in try planner.step(creating: version).statements {
            try other.execute(statement.sql)
          }
        } catch let error where error is any DiagnosticError && !(error is PostgresError) {
          // What is refused is no case.
          continue
        }
        let difference = try await judge.difference(between: first, and: second)
        #expect(difference.isEmpty, "\(pair.name):\n\(difference)")
        judged += 1
      }
      return judged
    }

    print("judged \(judged) of \(pairs.count) pairs")
    #expect(judged > 0)
  }
}
