import RemodelKit
import TestSupport
import Testing

@Suite
struct SampleTests {
  @Test
  func `the sample has three valid versions`() throws {
    let versions = try Sample.remodel.versions()

    #expect(versions.map(\.name) == ["1", "2", "3"])
    #expect(try Sample.remodel.validate().isEmpty)
  }

  @Test(arguments: [("1", "2"), ("2", "3"), ("1", "3")])
  func `every step of the sample is inferable`(source: String, target: String) throws {
    let report = try Sample.remodel.inferMapping(from: source, to: target)

    #expect(report.step.warnings.isEmpty)
  }

  @Test(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(2)))
  func `the rows of the sample are kept from version to version`() async throws {
    try await TestServer.withDatabase { url in
      let database = ConnectionSource.url(url)
      let users = "SELECT _id, full_name, nickname FROM \"user\" ORDER BY _id"
      let books = "SELECT title, author_name, price, pages, owner FROM book ORDER BY title"
      let kept = ["1|Jane Doe|jane", "2|John Roe|"]

      let first = try await Sample.remodel.migrate(database, to: "1")
      try await Sample.addRows(to: url)
      let second = try await Sample.remodel.migrate(database, to: "2")

      #expect(first.outcome == .created)
      #expect(second.steps.map(\.destination) == ["2"])
      #expect(try await Sample.rows(users, in: url) == kept)
      #expect(
        try await Sample.rows(books, in: url) == [
          "Emma|Jane Austen||474|1", "Good Omens|Terry Pratchett|11.99|288|1",
          "Middlemarch|George Eliot|||2", "Persuasion|Jane Austen|7.50|249|1",
        ]
      )

      let third = try await Sample.remodel.migrate(database)

      #expect(third.steps.map(\.destination) == ["3"])
      #expect(
        try await Sample.rows(books, in: url) == [
          "Emma|Jane Austen|0.00|474|1", "Good Omens|Terry Pratchett|11.99|288|1",
          "Middlemarch|George Eliot|0.00||2", "Persuasion|Jane Austen|7.50|249|1",
        ]
      )
      #expect(
        try await Sample.rows("SELECT DISTINCT language, file IS NULL FROM book", in: url) == [
          "en|t"
        ]
      )

      // What version 3 no longer has is still there, and the metadata says so.
      #expect(try await Sample.rows(users, in: url) == kept)
      let retained = "SELECT table_name, column_name, version FROM remodel.retained"
      #expect(try await Sample.rows(retained, in: url) == ["user|nickname|2"])
      #expect(try await Sample.remodel.check(database).isCurrent)
      let outcomes = try await Sample.remodel.history(database).map(\.outcome)
      #expect(outcomes == ["succeeded", "succeeded", "succeeded"])
    }
  }

  @Test(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(2)))
  func `the plan of the sample as a script leads to the same version`() async throws {
    try await TestServer.withDatabase { url in
      let database = ConnectionSource.url(url)
      _ = try await Sample.remodel.migrate(database, to: "1")
      try await Sample.addRows(to: url)

      let plan = try await Sample.remodel.plan(database)
      try await Sample.run(plan.script, in: url)

      #expect(try await Sample.remodel.check(database).isCurrent)
      #expect(try await Sample.rows("SELECT count(*) FROM book", in: url) == ["4"])
    }
  }
}
