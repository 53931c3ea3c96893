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

/// A plan says what SQL of the files names and the database does not have.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct WrittenNameTests {
  private func withSecond(
    _ second: String,
    mapping: String? = nil,
    _ body: (_ call: [String], _ url: String) async throws -> Void
  ) async throws {
    try await withBundle(Version.first, second) { folder in
      if let mapping { try write(mapping, to: "\(folder)/Library.remodel/1-2.mapping.yaml") }
      try await TestServer.withDatabase { url in
        let call = ["--models", folder, "--database", url]
        try await expect(0, ["migrate", "--to", "1"] + call)
        try await body(call, url)
      }
    }
  }

  private func mapping(_ rest: String) -> String {
    """
    remodelMapping: 1
    source: "1"
    destination: "2"
    entities:
      - source: Book
        destination: Book
    \(rest)
    """
  }

  private func expectRefusal(
    _ text: String,
    at place: String,
    _ call: [String],
    _ url: String
  ) async throws {
    let plan = try await expect(7, ["plan"] + call)
    let migration = try await expect(7, ["migrate"] + call)
    for outcome in [plan, migration] {
      #expect(outcome.error.contains(text), "\(outcome)")
      #expect(outcome.error.contains(place), "\(outcome)")
    }
    #expect(try await rows(of: "SELECT version_name FROM remodel.store", at: url) == [["1"]])
  }

  private static let slug = """
    remodel: 1
    entities:
      Book:
        attributes:
          title: string
          pages: integer32?
          slug: { type: string, defaultSQL: "public.slug('x')" }
    """

  @Test
  func `a default with an unknown function is reported before anything is changed`() async throws {
    try await withSecond(Self.slug) { call, url in
      try await expectRefusal(
        "function \"public.slug\" does not exist",
        at: "2.yaml:7:7: error:",
        call,
        url
      )
      try await execute(
        "CREATE FUNCTION public.slug(text) RETURNS text LANGUAGE sql AS 'SELECT ''a'''",
        at: url
      )
      try await expect(0, ["plan"] + call)
      try await expect(0, ["migrate"] + call)
    }
  }

  @Test
  func `an unqualified function is reported with the schema that has it`() async throws {
    let second = Self.slug.replacing("public.slug", with: "slug")
    try await withSecond(second) { call, url in
      try await execute(
        "CREATE FUNCTION public.slug(text) RETURNS text LANGUAGE sql AS 'SELECT ''a'''",
        at: url
      )
      try await expectRefusal("There is public.slug.", at: "2.yaml:7:7", call, url)
    }
  }

  @Test
  func `a type of the model is looked up`() async throws {
    let second = """
      remodel: 1
      entities:
        Book:
          attributes: { title: string, pages: integer32?, mood: 'sql("public.mood")?' }
      """
    try await withSecond(second) { call, url in
      try await expectRefusal("type \"public.mood\" does not exist", at: "2.yaml:4:", call, url)
      try await execute("CREATE TYPE public.mood AS ENUM ('glad')", at: url)
      try await expect(0, ["migrate"] + call)
    }
  }

  @Test(
    arguments: [
      (
        "    attributes: { title: 'SQL(\"public.nosuch(${source.Book.title})\")' }",
        "function \"public.nosuch\""
      ),
      ("before: [\"INSERT INTO audit.log SELECT 1\"]", "relation \"audit.log\""),
      (
        "after: [\"SELECT public.nosuch(title) FROM ${destination.Book}\"]",
        "function \"public.nosuch\""
      ),
      (
        "    policy: { end: \"UPDATE ${destination.Book} SET title = title::public.nosuch\" }",
        "type \"public.nosuch\""
      ),
    ]
  )
  func `SQL of a mapping model is looked through at its place`(
    rest: String,
    missing: String
  ) async throws {
    try await withSecond(Version.withAuthor, mapping: mapping(rest)) { call, url in
      try await expectRefusal("\(missing) does not exist", at: "1-2.mapping.yaml:7:", call, url)
    }
  }

  @Test
  func `what the SQL and the plan make themselves is not missed`() async throws {
    let made = mapping(
      """
          attributes: { title: 'SQL("public.made(${source.Book.title})")' }
      before:
        - CREATE TABLE public.log (a text)
        - INSERT INTO public.log SELECT 'a'
        - CREATE FUNCTION public.made(text) RETURNS text LANGUAGE sql AS 'SELECT $1'
      after:
        - INSERT INTO public.author (name) SELECT a FROM public.log
        - WITH q AS (SELECT a FROM public.log) DELETE FROM public.log USING q WHERE q.a = log.a
        - DROP TABLE public.log
      """
    )
    try await withSecond(Version.withAuthor, mapping: made) { call, url in
      try await execute("INSERT INTO public.book (title) VALUES ('Emma')", at: url)
      try await expect(0, ["plan"] + call)
      try await expect(0, ["migrate"] + call)
      #expect(try await rows(of: "SELECT name FROM public.author", at: url) == [["a"]])
    }
  }

  @Test(
    arguments: [
      ("before: [\"SELECT ${source.Nope}\"]", "Nope"),
      ("before: [\"SELECT ${nonsense}\"]", "nonsense"),
      ("after: [\"SELECT $source.title\"]", "$source"),
      ("    attributes: { title: 'SQL(\"$source.title\")' }", "$source"),
      ("    attributes: { title: 'SQL(\"${source.Book.nope}\")' }", "nope"),
      ("    attributes: { title: 'SQL(\"${map.Nope}\")' }", "map.Nope"),
      ("    attributes: { title: 'SQL(\"${what}\")' }", "what"),
    ]
  )
  func `a placeholder that stands for nothing is a fault of the file`(
    rest: String,
    named: String
  ) async throws {
    try await withSecond(Version.withAuthor, mapping: mapping(rest)) { call, _ in
      for verb in ["plan", "migrate"] {
        let outcome = try await expect(65, [verb] + call)
        #expect(outcome.error.contains("1-2.mapping.yaml:7:"), "\(outcome)")
        #expect(outcome.error.contains(named), "\(outcome)")
      }
    }
  }
}
