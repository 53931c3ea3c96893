import PostgresClient
import SQLSyntax
import TestSupport
import Testing

@testable import MigrationExecution

/// The objects that others may own among those that statements about a table reach.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct StoreOwnershipTests {
  /// The objects of a database: statements, `@` for the untrusted role.
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let statements: String
    var remakesDependents = false
    var remakesReferences = false
    /// The obstacles, as the server describes them.
    var found: String?
  }

  private static let domain = """
    CREATE FUNCTION theirs.f(integer) RETURNS boolean LANGUAGE plpgsql AS 'BEGIN RETURN true; END';
    CREATE DOMAIN theirs.number AS integer CHECK (theirs.f(VALUE));
    ALTER FUNCTION theirs.f OWNER TO @; ALTER DOMAIN theirs.number OWNER TO @;
    """

  private static let cases = [
    Case(testDescription: "nothing", statements: ""),
    Case(
      testDescription: "a relation that a function reads",
      statements: """
        CREATE VIEW theirs.v AS SELECT 1 AS one; ALTER VIEW theirs.v OWNER TO @;
        CREATE FUNCTION public.f() RETURNS integer BEGIN ATOMIC SELECT one FROM theirs.v; END;
        ALTER TABLE book ALTER pages SET DEFAULT public.f()
        """,
      found: "view theirs.v"
    ),
    Case(
      testDescription: "a type within a composite type",
      statements: """
        \(domain) CREATE TYPE public.size AS (width theirs.number); ALTER TABLE book ADD size public.size
        """,
      found: "function theirs.f(integer)"
    ),
    Case(
      testDescription: "a literal of a view that is made again",
      statements: """
        \(domain) CREATE VIEW theirs.v AS SELECT pages, '{1}'::theirs.number[] AS n FROM book
        """,
      remakesDependents: true,
      found: "function theirs.f(integer)"
    ),
    Case(
      testDescription: "a default of a view over a view that is made again",
      statements: """
        \(domain) CREATE VIEW theirs.v AS SELECT pages FROM book; CREATE VIEW theirs.w AS TABLE theirs.v;
        ALTER VIEW theirs.w ALTER pages SET DEFAULT array_length('{1}'::theirs.number[], 1)
        """,
      remakesDependents: true,
      found: "function theirs.f(integer)"
    ),
    Case(
      testDescription: "a default of a function that is made again",
      statements: """
        \(domain) CREATE FUNCTION theirs.g(b book, n theirs.number[] DEFAULT '{1}') RETURNS integer
        LANGUAGE sql AS 'SELECT 1'
        """,
      remakesDependents: true,
      found: "function theirs.f(integer)"
    ),
    Case(
      testDescription: "a policy of another table that is made again",
      statements: """
        \(domain) CREATE TABLE public.page (number integer);
        CREATE POLICY p ON public.page USING (EXISTS (SELECT FROM book WHERE pages > 0
        AND '{1}'::theirs.number[] IS NOT NULL))
        """,
      remakesDependents: true,
      found: "function theirs.f(integer)"
    ),
    Case(
      testDescription: "a check of another table that is made again",
      statements: """
        CREATE FUNCTION public.g() RETURNS integer BEGIN ATOMIC SELECT max(pages) FROM book; END;
        CREATE TABLE theirs.t (id integer, CHECK (public.g() IS NOT NULL));
        ALTER TABLE theirs.t OWNER TO @
        """,
      remakesDependents: true,
      found: "table theirs.t"
    ),
    Case(
      testDescription: "a foreign key to a table that refers to one whose keys are made again",
      statements: """
        CREATE TABLE public.loan (id integer PRIMARY KEY REFERENCES book);
        CREATE TABLE theirs.fine (loan integer REFERENCES public.loan);
        ALTER TABLE theirs.fine OWNER TO @
        """,
      remakesReferences: true
    ),
    Case(
      testDescription: "a view that stays",
      statements: "\(domain) CREATE VIEW theirs.v AS SELECT pages, '{1}'::theirs.number[] FROM book"
    ),
    Case(
      testDescription:
        "a literal of a view of another table than those whose dependents are made again",
      statements: """
        \(domain) CREATE VIEW theirs.v AS SELECT _id, '{1}'::theirs.number[] AS n FROM author
        """,
      remakesDependents: true
    ),
    Case(
      testDescription: "an enumeration in a view that is made again",
      statements: """
        CREATE TYPE theirs.kind AS ENUM ('a'); ALTER TYPE theirs.kind OWNER TO @;
        CREATE VIEW theirs.v AS SELECT pages, '{a}'::theirs.kind[] AS k FROM book;
        ALTER VIEW theirs.v OWNER TO @
        """,
      remakesDependents: true
    ),
    Case(
      testDescription: "a foreign key without actions",
      statements: """
        CREATE TABLE theirs.loan (book integer REFERENCES book); ALTER TABLE theirs.loan OWNER TO @
        """
    ),
    Case(
      testDescription: "a foreign key that is made again",
      statements: """
        CREATE TABLE theirs.loan (book integer REFERENCES book); ALTER TABLE theirs.loan OWNER TO @
        """,
      remakesReferences: true,
      found: "table theirs.loan"
    ),
  ]

  @Test(arguments: cases)
  func `the owners of all objects that a statement reaches are checked`(tried: Case) async throws {
    try await withRole("other") { other, url, _ in
      let connection = try PostgresConnection.session(to: .url(url))
      let statements = tried.statements.replacing("@", with: "\"\(other.name)\"")
      try connection.execute("SET search_path = public")
      try connection.execute("CREATE TABLE book (_id integer PRIMARY KEY, pages integer)")
      try connection.execute("CREATE TABLE author (_id integer PRIMARY KEY)")
      try connection.execute("CREATE SCHEMA theirs")
      if !statements.isEmpty { try connection.execute(SQLFragment(deparsed: statements)) }
      try connection.execute("SET search_path = pg_catalog, pg_temp")
      let book = QualifiedName(schema: "public", name: "book")
      var ownership = StoreOwnership(
        of: [book, QualifiedName(schema: "public", name: "author")],
        in: StoreIdentity(schema: "public", modelName: "Book", metadataSchema: "remodel"),
        isWriting: true
      )
      if tried.remakesDependents { ownership.remadeOn = [book] }
      ownership.remakesReferences = tried.remakesReferences
      #expect(try objects(ownership, connection).first?.object == tried.found)
    }
  }

  /// The obstacles, in an error.
  private func objects(
    _ ownership: StoreOwnership,
    _ connection: borrowing PostgresConnection
  ) throws -> [ForeignObject] {
    do {
      try ownership.check(connection)
      return []
    } catch let error as ExecutionError {
      guard case .foreignObjects(_, let objects) = error.fact else { throw error }
      return objects
    }
  }
}
