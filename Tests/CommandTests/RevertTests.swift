import PostgresClient
import SQLSyntax
import TestSupport
import Testing

@testable import RemodelCommands

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Migrations are reverted with the rows and values written since, or not at all.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct RevertTests {
  private static let shelved = """
    remodel: 1
    entities:
      Book:
        attributes: { title: string, pages: integer32?, isbn: string? }
        relationships: { shelf: { to: Shelf?, inverse: books } }
      Shelf:
        attributes: { room: string }
        relationships: { books: { toMany: Book, inverse: shelf } }
    """

  private static let authored = """
    remodel: 1
    entities:
      Book:
        attributes:
          name: { type: string, renamingIdentifier: title }
          pages: integer64?
          language: { type: string, default: en }
      Author:
        attributes: { name: string }
    """

  private static let priced = """
    remodel: 1
    entities:
      Book:
        attributes: { name: string, pages: integer64?, language: { type: string, default: en }, price: "numeric(8,2)?" }
      Author:
        attributes: { name: string }
    """

  @Test
  func `what a migration dropped is there again, and what was written meanwhile as well`()
    async throws
  {
    try await withBundle(Self.shelved, Self.authored) { folder in
      try await TestServer.withTwoDatabases { url, fresh in
        let call = ["--models", folder, "--database", url]
        try await expect(0, ["migrate", "--to", "1"] + call)
        try await execute(
          """
          INSERT INTO public.shelf (room) VALUES ('north'), ('south');
          INSERT INTO public.book (title, pages, isbn, shelf) VALUES
            ('Emma', 474, 'a', 1), ('Persuasion', 249, 'b', 2), ('Middlemarch', 880, 'c', 2)
          """,
          at: url
        )
        try await expect(0, ["migrate"] + call)
        try await execute(
          """
          UPDATE public.book SET name = 'Emma II', pages = 500 WHERE name = 'Emma';
          DELETE FROM public.book WHERE name = 'Persuasion';
          INSERT INTO public.book (name, language) VALUES ('Sanditon', 'de');
          INSERT INTO public.author (name) VALUES ('Jane Austen');
          DELETE FROM public.shelf WHERE room = 'south'
          """,
          at: url
        )

        let shown = try await expect(0, ["revert", "--dry-run", "--format", "json"] + call)
        try expect(shown, toBe: "plan")
        #expect(try await version(call) == "2")
        _ = try await expect(64, ["revert", "--format", "sql"] + call)
        let reverted = try await expect(0, ["revert", "--format", "json"] + call)

        try expect(reverted, toBe: "migrate")
        #expect(reverted["outcome"] == "reverted")
        #expect(try await version(call) == "1")
        try await expect(0, ["verify"] + call)
        #expect(
          try await rows(
            of: "SELECT title, pages, isbn, shelf FROM public.book ORDER BY _id",
            at: url
          ) == [
            ["Emma II", "500", "a", "1"], ["Middlemarch", "880", "c", nil],
            ["Sanditon", nil, nil, nil],
          ]
        )
        // The new release started late does not undo it.
        try await expect(4, ["migrate"] + call)
        try await expect(0, ["migrate", "--to", "2"] + call)
        #expect(
          try await rows(of: "SELECT name, language FROM public.book ORDER BY _id", at: url) == [
            ["Emma II", "en"], ["Middlemarch", "en"], ["Sanditon", "de"],
          ]
        )
        #expect(try await rows(of: "SELECT name FROM public.author", at: url) == [["Jane Austen"]])

        try await expect(0, ["revert"] + call)
        try await expect(0, ["cleanup", "--yes"] + call)
        try await expect(0, ["migrate", "--to", "1", "--models", folder, "--database", fresh])
        try expectSameCatalog(url, fresh)
      }
    }
  }

  @Test
  func `several migrations are reverted one after the other, or to a named version`()
    async throws
  {
    try await withBundle(Self.shelved, Self.authored, Self.priced) { folder in
      try await TestServer.withDatabase { url in
        let call = ["--models", folder, "--database", url]
        try await expect(0, ["migrate", "--to", "1"] + call)
        try await expect(0, ["migrate", "--to", "2"] + call)
        try await expect(0, ["migrate"] + call)
        try await expect(64, ["revert", "--to", "9"] + call)
        try await expect(0, ["revert"] + call)
        #expect(try await version(call) == "2")
        try await expect(0, ["revert"] + call)
        #expect(try await version(call) == "1")
        let ended = try await expect(7, ["revert"] + call)
        #expect(ended.error.contains("there is no migration to revert"), "\(ended)")

        try await expect(0, ["migrate", "--to", "3"] + call)
        try await expect(0, ["revert", "--to", "1"] + call)
        #expect(try await version(call) == "1")
        let kinds = try await rows(
          of: "SELECT kind, from_version, to_version FROM remodel.history ORDER BY id",
          at: url
        )
        #expect(kinds.filter { $0[0] == "revert" }.count == 4, "\(kinds)")
      }
    }
  }

  @Test
  func `a revert after a cleanup reports the losses, and accepts them only when allowed`()
    async throws
  {
    try await withBundle(Self.shelved, Self.authored) { folder in
      try await TestServer.withDatabase { url in
        let call = ["--models", folder, "--database", url]
        try await expect(0, ["migrate", "--to", "1"] + call)
        try await execute("INSERT INTO public.book (title, isbn) VALUES ('Emma', 'a')", at: url)
        try await expect(0, ["migrate"] + call)
        try await expect(0, ["cleanup", "--yes"] + call)

        let shown = try await expect(7, ["revert", "--dry-run"] + call)
        let refused = try await expect(7, ["revert"] + call)
        #expect(shown.error.contains("column \"isbn\" of table \"book\""), "\(shown)")
        #expect(
          refused.error.contains(
            "property \"isbn\" of entity \"Book\" (column \"isbn\" of table \"book\"): "
              + "its values are lost, for 1 row"
          ),
          "\(refused)"
        )
        #expect(
          refused.error.contains("entity \"Shelf\" (table \"shelf\"): its rows are lost"),
          "\(refused)"
        )
        #expect(try await version(call) == "2")
        try await expect(0, ["revert", "--allow", "deletes-data"] + call)
        #expect(try await version(call) == "1")
        try await expect(0, ["verify"] + call)
      }
    }
  }

  @Test
  func `files of versions are not needed to go back`() async throws {
    try await withBundle(Self.shelved, Self.authored) { folder in
      try await TestServer.withDatabase { url in
        let call = ["--models", folder, "--database", url]
        try await expect(0, ["migrate", "--to", "1"] + call)
        try await expect(0, ["migrate"] + call)
        try FileManager.default.removeItem(atPath: "\(folder)/Library.remodel/1.yaml")
        try await expect(0, ["revert"] + call)
        #expect(try await rows(of: "SELECT count(*) FROM public.shelf", at: url) == [["0"]])
      }
    }
  }

  @Test
  func `one of several at once takes one migration back`() async throws {
    try await withBundle(Self.shelved, Self.authored, Self.priced) { folder in
      try await TestServer.withDatabase { url in
        let call = ["--models", folder, "--database", url]
        for version in ["1", "2", "3"] { try await expect(0, ["migrate", "--to", version] + call) }
        let statuses = try await withThrowingTaskGroup(of: Int32?.self) { group in
          for _ in 0..<3 {
            group.addTask { try await Tool.run(["revert", "--to", "2"] + call).status }
          }
          return try await group.reduce(into: [Int32?]()) { $0.append($1) }
        }
        #expect(statuses == [0, 0, 0])
        #expect(try await version(call) == "2")
      }
    }
  }

  private func expectSameCatalog(_ url: String, _ other: String) throws {
    func snapshot(_ url: String) throws -> CatalogSnapshot {
      let connection = try PostgresConnection(to: .url(url))
      try connection.prepareSession()
      return try CatalogSnapshot(of: "public", on: connection)
    }
    #expect(try snapshot(url).difference(to: snapshot(other)) == [])
  }
}
