import PostgresClient
import SQLSyntax
import TestSupport
import Testing

@testable import RemodelCommands

/// Obstacles to a migration, in the schema and in the metadata, are reported by name.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct TakenNameTests {
  @Test
  func `a table of another model is named with the model`() async throws {
    try await withBundle(Version.first) { folder in
      try await withBundle(Version.first, Version.withAuthor) { other in
        try await TestServer.withDatabase { url in
          let first = ["--models", folder, "--database", url]
          _ = try await Tool.shell("mv '\(other)/Library.remodel' '\(other)/Shop.remodel'")
          let second = ["--models", other, "--database", url]
          try await expect(0, ["migrate"] + first)

          for verb in ["plan", "migrate"] {
            let outcome = try await expect(7, [verb] + second)
            #expect(
              outcome.error.contains(
                "table \"book\" cannot be created: the store of model \"Library\" has one"
              ),
              "\(outcome)"
            )
          }
          #expect(
            try await rows(of: "SELECT model_name FROM remodel.store", at: url) == [["Library"]]
          )
        }
      }
    }
  }

  @Test
  func `a table of another model is named where a table is renamed to its name`() async throws {
    let before = "remodel: 1\nentities:\n  Volume: { attributes: { title: string } }"
    let after =
      "remodel: 1\nentities:\n  Book: { renamingIdentifier: Volume, attributes: { title: string } }"
    try await withBundle(Version.first) { folder in
      try await withBundle(before, after) { other in
        try await TestServer.withDatabase { url in
          _ = try await Tool.shell("mv '\(other)/Library.remodel' '\(other)/Shop.remodel'")
          let second = ["--models", other, "--database", url]
          try await expect(0, ["migrate", "--models", folder, "--database", url])
          try await expect(0, ["migrate", "--to", "1"] + second)

          let outcome = try await expect(7, ["migrate"] + second)
          #expect(outcome.error.contains("the store of model \"Library\" has one"), "\(outcome)")
        }
      }
    }
  }

  @Test
  func `a history whose numbers begin again continues after the existing ones`() async throws {
    try await withBundle(Version.first, Version.withAuthor) { folder in
      try await TestServer.withDatabase { url in
        let call = ["--models", folder, "--database", url]
        try await expect(0, ["migrate", "--to", "1"] + call)
        // As in a copy of the files from before a crash.
        try await execute("ALTER TABLE remodel.history_event ALTER id RESTART WITH 1", at: url)

        try await expect(0, ["migrate"] + call)
        #expect(try await version(call) == "2")
      }
    }
  }

  @Test
  func `a value of a row is shown only on request`() async throws {
    try await withBundle(Version.first, Version.first) { folder in
      let casting = """
        remodelMapping: 1
        source: "1"
        destination: "2"
        entities:
          - source: Book
            destination: Book
            attributes: { pages: 'SQL("(${source.Book.title})::integer")' }
        """
      try write(
        Version.first.replacing("pages: integer32?", with: "pages: integer32?, isbn: string?"),
        to: "\(folder)/Library.remodel/2.yaml"
      )
      try write(casting, to: "\(folder)/Library.remodel/1-2.mapping.yaml")
      try await TestServer.withDatabase { url in
        let call = ["--models", folder, "--database", url]
        try await expect(0, ["migrate", "--to", "1"] + call)
        try await execute("INSERT INTO public.book (title) VALUES ('555-44-1')", at: url)

        let quiet = try await expect(9, ["migrate"] + call)
        let json = try await expect(9, ["migrate", "--format", "json"] + call)
        let asked = try await expect(9, ["migrate", "--debug-sql"] + call)

        for outcome in [quiet, json] {
          #expect(!(outcome.output + outcome.error).contains("555-44-1"), "\(outcome)")
        }
        #expect(quiet.error.contains("--debug-sql shows it"))
        #expect(asked.error.contains("555-44-1"), "\(asked)")
      }
    }
  }
}
