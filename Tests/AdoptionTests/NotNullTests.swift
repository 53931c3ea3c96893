import PostgresClient
import RemodelKit
import SQLSyntax
import TestSupport
import Testing

/// NOT NULL constraints that others have made or named, which the server keeps from version 18 on.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct NotNullTests {
  @Test
  func `tables and columns that were renamed become a model, and migrations continue`() async throws
  {
    try await withFolder { folder in
      try await TestServer.withDatabase { url in
        try execute(
          """
          CREATE TABLE account (id bigint PRIMARY KEY, mail text NOT NULL,
            nick text CONSTRAINT nick_there NOT NULL, born date NOT NULL, age integer NOT NULL);
          CREATE TABLE login (id bigint PRIMARY KEY, account bigint NOT NULL REFERENCES account);
          ALTER TABLE account RENAME TO users;
          ALTER TABLE users RENAME COLUMN born TO birthday;
          ALTER TABLE login RENAME COLUMN account TO user_id;
          INSERT INTO users VALUES (1, 'a@b.c', 'a', '2000-01-01', 26);
          INSERT INTO login VALUES (1, 1)
          """,
          url
        )
        let before = try inventory(url)
        let path = "\(folder)/Adopted.remodel"
        let remodel = Remodel(RemodelConfiguration(modelsPath: path))

        let report = try await remodel.adoptByWriting(.url(url))

        #expect(report.outcome == .adopted)
        #expect(report.tables == ["login", "users"])
        #expect(report.unexpressed.isEmpty, "\(report.unexpressed)")
        #expect(try await remodel.verify(.url(url), asksRows: true).isClean)
        let text = try #require(report.model?.text)
        let isNamed = try serverMajor(url) >= 18
        #expect(text.contains("users_nick_not_null: nick_there") == isNamed, "\(text)")
        #expect(text.contains("users_id_not_null: account_id_not_null") == isNamed, "\(text)")

        // A name is kept when the attribute becomes optional, and removed with the attribute.
        let second =
          text.split(separator: "\n", omittingEmptySubsequences: false)
          .filter { !$0.contains("users_mail_not_null") && !$0.contains(" mail:") }
          .map { $0.replacing("age: integer32", with: "{ age: integer32? }") }
          .joined(separator: "\n")
          .replacing("nick: string", with: "nick: string?")
          .replacing(
            "{ age: integer32? }",
            with: "years: { type: integer32, renamingIdentifier: age }"
          )
          .replacing("users_age_not_null", with: "users_years_not_null")
        try write(second, to: "\(path)/2.yaml")
        #expect(try await remodel.migrate(.url(url)).outcome == .migrated)
        #expect(try await remodel.verify(.url(url), asksRows: true).isClean)
        #expect(try await remodel.revert(.url(url)).target.name == "1")
        #expect(try await remodel.verify(.url(url), asksRows: true).isClean)
        let tables = try inventory(url).filter { before[$0.key] != nil }
        #expect(lines(tables) == lines(before))
      }
    }
  }

  private func lines(_ inventory: [String: String]) -> [String] {
    inventory.map { "\($0.key): \($0.value)" }.sorted()
  }

  private func serverMajor(_ url: String) throws -> Int {
    try PostgresConnection(to: .url(url)).serverVersion / 10_000
  }

  // MARK: - Made by hand before a migration

  private static let first = """
    remodel: 1
    entities:
      Book:
        attributes: { title: string, isbn: string?, pages: integer32?, shelf: string? }
    """

  private static let second = """
    remodel: 1
    entities:
      Volume:
        renamingIdentifier: Book
        attributes:
          heading: { type: string, renamingIdentifier: title }
          isbn: string
          length: { type: integer32, renamingIdentifier: pages }
          shelf: string
    """

  @Test(arguments: [CopyStrategy.locked, .online])
  func `an existing constraint becomes the new one`(
    strategy: CopyStrategy
  ) async throws {
    try await withBundle([Self.first, Self.second]) { bundle in
      try await TestServer.withDatabase { url in
        var configuration = RemodelConfiguration(modelsPath: bundle, strategy: strategy)
        configuration.takesTablesForLarge = strategy == .online
        let remodel = Remodel(configuration)
        _ = try await remodel.migrate(.url(url), to: "1")
        try execute(
          "INSERT INTO public.book (title, isbn, pages, shelf) VALUES ('Emma', '1', 474, 'a')",
          url
        )
        let isNamed = try serverMajor(url) >= 18
        try execute(
          isNamed
            ? """
            ALTER TABLE public.book RENAME CONSTRAINT book_title_not_null TO titled;
            ALTER TABLE public.book ADD CONSTRAINT nn NOT NULL isbn;
            ALTER TABLE public.book ADD CONSTRAINT later NOT NULL pages NOT VALID;
            ALTER TABLE public.book ADD CONSTRAINT volume_shelf_not_null NOT NULL shelf NOT VALID
            """
            : "ALTER TABLE public.book ALTER isbn SET NOT NULL, ALTER pages SET NOT NULL",
          url
        )

        let report = try await remodel.migrate(.url(url))

        #expect(report.outcome == .migrated)
        _ = try await remodel.finish(.url(url))
        let verification = try await remodel.verify(.url(url), asksRows: true)
        #expect(verification.isClean, "\(verification.drift)")
        if isNamed {
          let names = try PostgresConnection(to: .url(url)).query(
            """
            SELECT conname FROM pg_constraint WHERE contype = 'n' AND convalidated
            AND conrelid = 'public.volume'::regclass ORDER BY 1
            """
          ).compactMap { $0["conname"] }
          #expect(
            names
              == ["heading", "_id", "isbn", "length", "shelf"].map { "volume_\($0)_not_null" }
              .sorted()
          )
        }
        #expect(try await remodel.revert(.url(url)).target.name == "1")
        #expect(try await remodel.verify(.url(url)).isClean)
      }
    }
  }

  @Test(.enabled { try await TestServer.major() >= 18 })
  func `existing rows that it would refuse are reported`() async throws {
    try await withBundle([Self.first, Self.second]) { bundle in
      try await TestServer.withDatabase { url in
        let remodel = Remodel(RemodelConfiguration(modelsPath: bundle))
        _ = try await remodel.migrate(.url(url), to: "1")
        try execute(
          """
          INSERT INTO public.book (title, pages, shelf) VALUES ('Emma', 474, 'a');
          ALTER TABLE public.book ADD CONSTRAINT nn NOT NULL isbn NOT VALID
          """,
          url
        )

        let error = await #expect(throws: ExecutionError.self) {
          try await remodel.migrate(.url(url))
        }

        guard case .preconditionsViolated = error?.fact else {
          Issue.record("\(error as Any)")
          return
        }
      }
    }
  }
}
