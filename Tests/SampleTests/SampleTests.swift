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

  @Test
  func `the mapping models of the sample are valid`() throws {
    let mappings = try Sample.remodel.validateMappings()

    #expect(mappings.names == ["1-2", "2-3-books", "2-3-users"])
    #expect(mappings.warnings.isEmpty)
  }

  @Test(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
  func `the sample migrates from version to version by its mapping models`() async throws {
    try await TestServer.withDatabase { url in
      let database = ConnectionSource.url(url)
      let first = try await Sample.remodel.migrate(database, to: "1")
      try await Sample.addRows(to: url)
      let second = try await Sample.remodel.migrate(database, to: "2")

      #expect(first.outcome == .created)
      #expect(second.steps.map(\.destination) == ["2"])
      let users = "SELECT _id, full_name, nickname FROM \"user\" ORDER BY _id"
      #expect(try await Sample.rows(users, in: url) == ["1|Jane Doe|jane", "2|John Roe|"])
      let authors = """
        SELECT b.title, a.name FROM book b JOIN author_books l ON l.books = b._id
        JOIN author a ON a._id = l.authors ORDER BY b.title
        """
      let written = [
        "Emma|Jane Austen", "Good Omens|Terry Pratchett", "Middlemarch|George Eliot",
        "Persuasion|Jane Austen",
      ]
      #expect(try await Sample.rows(authors, in: url) == written)
      #expect(try await Sample.rows("SELECT count(*) FROM author", in: url) == ["3"])

      let third = try await Sample.remodel.migrate(database)

      #expect(third.steps.map(\.destination) == ["3"])
      #expect(try await Sample.rows(authors, in: url) == written)
      #expect(
        try await Sample.rows(
          "SELECT title, price, pages, language, owner FROM book ORDER BY title",
          in: url
        ) == [
          "Emma|0.00|474|en|1", "Good Omens|11.99|288|en|1", "Middlemarch|0.00||en|2",
          "Persuasion|7.50|249|en|1",
        ]
      )
      #expect(
        try await Sample.rows(
          """
          SELECT b.title, f.url, f."user" FROM book b JOIN file f ON f._id = b.file ORDER BY b.title
          """,
          in: url
        ) == [
          "Emma|file:///books/emma.epub|1", "Persuasion|file:///books/persuasion.epub|1",
        ]
      )
      #expect(
        try await Sample.rows("SELECT full_name, display_name FROM \"user\" ORDER BY 1", in: url)
          == ["Jane Doe|jane", "John Roe|John Roe"]
      )

      // What was copied is still there as it was, and the metadata says so.
      let retained = "SELECT table_name, column_name, version FROM remodel.retained ORDER BY 1"
      #expect(
        try await Sample.rows(retained, in: url) == [
          "remodel_retained_2_book||2", "remodel_retained_2_user||2",
        ]
      )
      #expect(try await Sample.remodel.check(database).isCurrent)
      let outcomes = try await Sample.remodel.history(database).map(\.outcome)
      #expect(outcomes == ["succeeded", "succeeded", "succeeded"])
    }
  }

  @Test(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
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

  @Test(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
  func `the sample runs all steps in another schema, by the tool and by a script`()
    async throws
  {
    let copying = Remodel(
      RemodelConfiguration(
        modelsPath: Repository.path("migrations/Library.remodel"),
        intoSchema: "next",
        denials: [HazardDenial(.deletesData)]
      )
    )
    let next = Remodel(
      RemodelConfiguration(
        modelsPath: Repository.path("migrations/Library.remodel"),
        schema: "next"
      )
    )
    let queries = ["book", "author", "author_books", "file", "\"user\""].map { table in
      (
        next: "SELECT * FROM next.\(table) ORDER BY 1, 2",
        public: "SELECT * FROM \(table) ORDER BY 1, 2"
      )
    }
    for isScript in [false, true] {
      try await TestServer.withDatabase { url in
        let database = ConnectionSource.url(url)
        _ = try await Sample.remodel.migrate(database, to: "1")
        try await Sample.addRows(to: url)
        let books = try await Sample.rows("SELECT * FROM book ORDER BY 1", in: url)

        if isScript {
          let plan = try await copying.plan(database)
          try await Sample.run(plan.script, in: url)
        } else {
          let report = try await copying.migrate(database)
          #expect(report.steps.map(\.destination) == ["2", "3"])
        }

        #expect(try await next.check(database).isCurrent)
        #expect(try await Sample.remodel.status(database).version?.name == "1")
        #expect(try await Sample.rows("SELECT * FROM book ORDER BY 1", in: url) == books)
        var copied: [[String]] = []
        for query in queries { copied.append(try await Sample.rows(query.next, in: url)) }
        _ = try await Sample.remodel.migrate(database)
        for (query, rows) in zip(queries, copied) {
          #expect(rows == (try await Sample.rows(query.public, in: url)))
        }
      }
    }
  }
}
