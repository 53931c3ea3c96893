import RemodelKit
import SQLSyntax
import TestSupport
import Testing

/// Rows that break what no constraint says are counted, and named by their keys.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct RowRuleTests {
  private static let model = """
    remodel: 1
    entities:
      Work:
        abstract: true
        attributes: { title: string }
        relationships:
          shelf: { to: Shelf?, inverse: works }
          readers: { toMany: Reader, inverse: works }
      Book: { parent: Work }
      Map: { parent: Work }
      Shelf:
        attributes:
          size: { type: integer64, derivation: "works.@count" }
          weight: { type: double?, derivation: "works.@count * 0.1" }
          touched: { type: timestamp?, derivation: "now()" }
        relationships:
          works: { toMany: Work, inverse: shelf, ordered: true }
          best: { to: Book? }
      Reader:
        attributes: { name: string }
        relationships:
          works: { toMany: Work, inverse: readers, optional: false, minimum: 1, maximum: 2 }
          friends: { toMany: Reader, inverse: friends, maximum: 1 }
      Lens:
        relationships: { camera: { to: Camera, inverse: lens } }
      Camera:
        relationships: { lens: { to: Lens, inverse: camera } }
    """

  private func withRows(
    _ sql: String,
    _ body: (Remodel, String) async throws -> Void
  ) async throws {
    try await withBundle([Self.model]) { bundle in
      try await TestServer.withDatabase { url in
        let remodel = Remodel(RemodelConfiguration(modelsPath: bundle))
        _ = try await remodel.migrate(.url(url))
        let connection = try PostgresConnection(to: .url(url))
        try connection.execute(SQLFragment(written: Self.rows + sql))
        try await body(remodel, url)
      }
    }
  }

  private static let rows = """
    INSERT INTO public.shelf DEFAULT VALUES; INSERT INTO public.shelf DEFAULT VALUES;
    INSERT INTO public.work (_entity, title, shelf, _works_position)
      VALUES ('Book', 'a', 1, 1), ('Map', 'b', 1, 2), ('Book', 'c', 2, 1), ('Book', 'd', NULL, NULL);
    UPDATE public.shelf SET best = 1 WHERE _id = 1;
    INSERT INTO public.reader (name) VALUES ('Ann'), ('Bob');
    INSERT INTO public.reader_works (readers, works) VALUES (1, 1), (2, 1), (2, 2);

    """

  private func broken(_ remodel: Remodel, _ url: String) async throws -> [String] {
    let report = try await remodel.verify(.url(url), asksRows: true)
    let findings = try #require(report.findings)
    #expect(findings.allSatisfy { $0.count != nil })
    #expect(report.isClean == findings.allSatisfy { !$0.isViolated })
    return findings.filter(\.isViolated).map {
      "\($0.precondition.requirement): \($0.count ?? 0) (\($0.sampleKeys ?? ""))"
    }
  }

  @Test
  func `rows as they should be`() async throws {
    try await withRows("") { remodel, url in
      #expect(try await broken(remodel, url) == [])
      let report = try await remodel.verify(.url(url))
      #expect(report.findings == nil && report.isClean)
    }
  }

  @Test(arguments: [
    (
      "UPDATE public.shelf SET best = 2 WHERE _id = 2",
      "relationship Shelf.best leads to rows of Book only: 1 (2)"
    ),
    (
      "DELETE FROM public.reader_works WHERE readers = 1",
      "relationship Reader.works has at least 1: 1 (1)"
    ),
    (
      "INSERT INTO public.reader_works (readers, works) VALUES (2, 3)",
      "relationship Reader.works has at most 2: 1 (2)"
    ),
    (
      "UPDATE public.work SET _works_position = 1 WHERE _id = 2",
      "no two rows have the same place in relationship Shelf.works: 1 (1)"
    ),
  ])
  func `rows that break a rule`(sql: String, expected: String) async throws {
    try await withRows(sql) { remodel, url in
      let found = try await broken(remodel, url)

      #expect(found == [expected])
    }
  }

  @Test
  func `values that a trigger would not have left`() async throws {
    try await withRows(
      """
      ALTER TABLE public.shelf DISABLE TRIGGER USER;
      UPDATE public.shelf SET size = 7, weight = 0.5 WHERE _id = 2;
      UPDATE public.shelf SET weight = weight + 1e-9, touched = NULL WHERE _id = 1;
      ALTER TABLE public.shelf ENABLE TRIGGER USER
      """
    ) { remodel, url in
      let broken = try await broken(remodel, url)

      #expect(broken.map { $0.suffix(5) } == [": 1 (2)".suffix(5), ": 1 (2)".suffix(5)])
      #expect(broken.allSatisfy { $0.contains("derived attribute Shelf.") })
    }
  }

  @Test
  func `a row of an entity that has none`() async throws {
    try await withRows(
      """
      ALTER TABLE public.work DROP CONSTRAINT work__entity_check;
      INSERT INTO public.work (_entity, title) VALUES ('Work', 'x')
      """
    ) { remodel, url in
      let report = try await remodel.verify(.url(url), asksRows: true)

      let finding = report.findings?.first { $0.precondition.entityName == "Work" && $0.isViolated }
      #expect(
        finding?.precondition.requirement == "every row of entity Work is of a concrete entity"
      )
      #expect(finding?.sampleKeys == "5")
      #expect(report.drift.map(\.object.name) == ["work__entity_check"])
    }
  }

  @Test
  func `a required relationship whose key is at the other end`() async throws {
    try await withRows("") { remodel, url in
      let connection = try PostgresConnection(to: .url(url))
      try connection.execute(
        """
        DO $$ DECLARE a text; b text; BEGIN
          SELECT conrelid::regclass, confrelid::regclass INTO STRICT a, b FROM pg_constraint
            WHERE contype = 'f' AND conname IN ('lens_camera_fkey', 'camera_lens_fkey');
          EXECUTE format('INSERT INTO %s DEFAULT VALUES', b);
        END $$
        """
      )

      let broken = try await broken(remodel, url)

      #expect(broken.count == 1)
      #expect(broken.allSatisfy { $0.hasSuffix("has at least 1: 1 (1)") })
    }
  }

  @Test
  func `rows that a role may not read are not checked`() async throws {
    try await withRows("") { remodel, url in
      try await withRole("row_reader", at: url) { role, login in
        let connection = try PostgresConnection(to: .url(url))
        try connection.execute("GRANT SELECT ON public.work TO \(role)")

        let report = try await remodel.verify(.url(login), asksRows: true)

        let findings = try #require(report.findings)
        #expect(findings.contains { $0.count == nil } && findings.contains { $0.count == 0 })
        #expect(report.isClean)
      }
    }
  }
}
