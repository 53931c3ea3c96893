import MigrationPlanning
import ModelMapping
import RemodelKit
import SQLSyntax
import TestSupport
import Testing

/// SQL that policies in code give.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct SQLPolicyTests {
  private struct Counting: EntityMigrationPolicy {
    let version = "1"

    func statements(
      for mapping: EntityMapping
    ) throws -> [SQLMigrationPolicy.Stage: SQLTemplate] {
      let entity = mapping.destinationEntityName ?? ""
      return [
        .endInstanceCreation: try SQLTemplate(
          parsing: "UPDATE ${destination.\(entity)} SET ${destination.\(entity).pages} = 7"
        ),
        .validate: try SQLTemplate(
          parsing:
            "SELECT 1 FROM ${destination.\(entity)} WHERE \(mapping.userInfo["fault"] ?? "false")"
        ),
      ]
    }
  }

  private static func mapping(_ policy: String, fault: String = "false") -> String {
    """
    remodelMapping: 1
    source: "1"
    destination: "2"
    entities:
      - source: Book
        destination: Book
        attributes: { pages: 0, heading: "$source.title" }
        userInfo: { fault: "\(fault)" }
        policy: \(policy)
    """
  }

  private static let inFile = mapping(
    """

          endInstanceCreation: UPDATE ${destination.Book} SET ${destination.Book.pages} = 7
          validate: SELECT 1 FROM ${destination.Book} WHERE false
    """
  )

  private func plan(_ mapping: String) async throws -> MigrationPlan {
    try await withBundle(Shelf.versions, mappings: ["1-2": mapping]) { bundle in
      try Shelf.remodel(bundle, Counting()).plan(from: "1", to: "2").plan
    }
  }

  @Test
  func `SQL of a policy is what the same SQL in the file is`() async throws {
    let registered = try await plan(Self.mapping("BookPolicy"))
    let written = try await plan(Self.inFile)

    #expect(registered.steps.flatMap(\.statements) == written.steps.flatMap(\.statements))
    #expect(registered.digest == written.digest)
    #expect(registered.steps.flatMap(\.statements).contains { $0.sql.text.contains("= 7") })
  }

  @Test
  func `SQL of a policy runs`() async throws {
    try await Shelf.withBundle(Self.mapping("BookPolicy")) { bundle, url in
      try await Shelf.fill(bundle, url, books: 20)

      _ = try await Shelf.remodel(bundle, Counting()).migrate(.url(url))

      #expect(try Shelf.value("SELECT sum(pages) FROM public.book", url) == "140")
    }
  }

  @Test
  func `a query of a policy finds faults`() async throws {
    let mapping = Self.mapping("BookPolicy", fault: "pages = 7")
    try await Shelf.withBundle(mapping) { bundle, url in
      try await Shelf.fill(bundle, url, books: 20)

      let error = await #expect(throws: ExecutionError.self) {
        try await Shelf.remodel(bundle, Counting()).migrate(.url(url))
      }

      guard case .dataChanged = error?.fact else {
        Issue.record("\(String(describing: error))")
        return
      }
    }
  }

  @Test(arguments: [
    "SELECT 1 -- x\\r; COMMIT", "COMMIT", "/* ; */ COMMIT", "SELECT 1; END",
    "SELECT $1$1; COMMIT --$1$",
    "SELECT E'\\\\\\\\'; COMMIT; --'", "DO 'BEGIN COMMIT; END'", "CALL public.ending()",
  ])
  func `SQL of a policy that would end the transaction is refused, and nothing is committed`(
    sql: String
  ) async throws {
    let mapping = Self.mapping("{ endInstanceCreation: \"\(sql)\" }")
    try await Shelf.withBundle(mapping) { bundle, url in
      try await Shelf.fill(bundle, url, books: 3)
      let connection = try PostgresConnection(to: .url(url))
      try connection.execute(
        "CREATE PROCEDURE public.ending() LANGUAGE plpgsql AS 'BEGIN COMMIT; END'"
      )
      let before = try Shelf.value("SELECT string_agg(b::text, '|') FROM public.book b", url)

      await #expect(throws: (any Error).self) {
        try await Remodel(
          RemodelConfiguration(
            modelsPath: bundle,
            lockRetryFor: .seconds(5),
            strategy: .locked
          )
        ).migrate(.url(url))
      }

      let after = try Shelf.value("SELECT string_agg(b::text, '|') FROM public.book b", url)
      #expect(after == before)
      #expect(try Shelf.value("SELECT version_name FROM remodel.store", url) == "1")
    }
  }

  @Test
  func `a stage has its SQL from one place`() async throws {
    let mapping = Self.mapping("{ class: BookPolicy, endInstanceCreation: SELECT 1 }")
    try await Shelf.withBundle(mapping) { bundle, url in
      let error = #expect(throws: InvalidMappingError.self) {
        try Shelf.remodel(bundle, Counting()).validateMappings()
      }

      #expect(
        error?.diagnostics.map(\.message) == [
          "stage \"endInstanceCreation\" of entity mapping \"BookToBook\" has SQL in the file and of "
            + "policy \"BookPolicy\""
        ]
      )
      #expect(error?.diagnostics.first?.location?.line == 9)
    }
  }

  private struct Broken: EntityMigrationPolicy {
    let version = "1"

    func statements(
      for mapping: EntityMapping
    ) throws -> [SQLMigrationPolicy.Stage: SQLTemplate] {
      [.end: try SQLTemplate(parsing: "SELECT ${nothing}")]
    }
  }

  @Test
  func `SQL that cannot be read is reported with the location of the policy`() async throws {
    try await Shelf.withBundle { bundle, url in
      let error = #expect(throws: InvalidMappingError.self) {
        try Shelf.remodel(bundle, Broken()).validateMappings()
      }

      let diagnostic = error?.diagnostics.first
      #expect(
        diagnostic?.message
          == "policy \"BookPolicy\" cannot be used for entity mapping \"BookToBook\""
      )
      #expect(diagnostic?.detail == "Placeholder \"${nothing}\" in its SQL stands for nothing.")
      #expect(diagnostic?.location?.line == 9)
    }
  }
}
