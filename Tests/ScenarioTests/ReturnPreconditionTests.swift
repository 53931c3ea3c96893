import Diagnostics
import RemodelKit
import SQLSyntax
import TestSupport
import Testing

/// The preconditions of a revert are checked before anything runs.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct ReturnPreconditionTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let name: String
    let versions: [String]
    let rows: String
    /// What users do to the second version.
    let write: String
    let requirement: String
    var testDescription: String { name }
  }

  static let cases: [Case] = {
    func models(_ owner: String, _ later: String) -> [String] {
      [owner, later].map { entity in
        "remodel: 1\nentities:\n  T: { attributes: { t: string? } }\n  \(entity)\n"
      }
    }
    return [
      Case(
        name: "reference of a root",
        versions: models(
          "A: { relationships: { other: { to: T } } }",
          "A: { attributes: { x: string? } }"
        ),
        rows: """
          INSERT INTO public.t (_id) VALUES (1), (2);
          INSERT INTO public.a (other) VALUES (1), (2)
          """,
        write: "DELETE FROM public.t WHERE _id = 2",
        requirement: "relationship \"other\" of entity \"A\""
      ),
      Case(
        name: "reference of a subentity",
        versions: models(
          "A: { attributes: { x: string? } }\n  B: { parent: A, relationships: { other: { to: T } } }",
          "A: { attributes: { x: string? } }\n  B: { parent: A }"
        ),
        rows: """
          INSERT INTO public.t (_id) VALUES (1), (2);
          INSERT INTO public.a (_entity, b_other) VALUES ('A', NULL), ('B', 1), ('B', 2)
          """,
        write: "DELETE FROM public.t WHERE _id = 2",
        requirement: "relationship \"other\" of entity \"B\""
      ),
      Case(
        name: "reference of rows that come back",
        versions: models(
          "A: { attributes: { x: string? } }\n  B: { parent: A, relationships: { other: { to: T } } }",
          "A: { attributes: { x: string? } }"
        ),
        rows: """
          INSERT INTO public.t (_id) VALUES (1), (2);
          INSERT INTO public.a (_entity, b_other) VALUES ('A', NULL), ('B', 1), ('B', 2)
          """,
        write: "DELETE FROM public.t WHERE _id = 2",
        requirement: "relationship \"other\" of entity \"B\""
      ),
      Case(
        name: "reference of a table that comes back",
        versions: models("A: { relationships: { other: { to: T } } }", ""),
        rows: """
          INSERT INTO public.t (_id) VALUES (1), (2);
          INSERT INTO public.a (other) VALUES (1), (2)
          """,
        write: "DELETE FROM public.t WHERE _id = 2",
        requirement: "relationship \"other\" of entity \"A\""
      ),
    ]
  }()

  @Test(arguments: cases)
  func `required links to rows that users deleted are named before anything is run`(
    _ example: Case
  ) async throws {
    try await withBundle(example.versions) { bundle in
      try await TestServer.withDatabase { url in
        let remodel = Remodel(RemodelConfiguration(modelsPath: bundle))
        _ = try await remodel.migrate(.url(url), to: "1")
        let connection = try PostgresConnection(to: .url(url))
        try connection.prepareSession()
        try connection.execute(SQLFragment(deparsed: example.rows))
        _ = try await remodel.migrate(.url(url), to: "2")
        try connection.execute(SQLFragment(deparsed: example.write))
        let before = try CatalogSnapshot(of: "public", on: connection)

        let findings = try await remodel.planRevert(.url(url)).findings.filter(\.isViolated)

        #expect(findings.count == 1)
        #expect(findings.first?.precondition.requirement.hasPrefix(example.requirement) == true)
        let error = try #require(
          await #expect(throws: ExecutionError.self) {
            _ = try await remodel.revert(.url(url))
          }
        )
        guard case .preconditionsViolated = error.fact else {
          Issue.record("\(error)")
          return
        }
        #expect(try CatalogSnapshot(of: "public", on: connection).difference(to: before) == [])
      }
    }
  }
}
