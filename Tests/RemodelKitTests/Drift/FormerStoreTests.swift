import MigrationPlanning
import ModelLoading
import PostgresClient
import RemodelKit
import SQLSyntax
import TestSupport
import Testing

@testable import MigrationExecution

/// A store whose constants were written with casts is the same to a tool that writes them without.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct FormerStoreTests {
  private static let first = """
    remodel: 1
    entities:
      Item:
        attributes:
          quantity: { type: integer32, validation: { minimum: 1, maximum: 9, enforced: true } }
          price: { type: "numeric(12,2)", default: 0 }
          rate: { type: double, default: 0.1, validation: { minimum: -0.5, enforced: true } }
          note: { type: string, default: x }
          since: { type: timestamp, default: 0 }
          days: { type: "integer32[]", default: "{1}" }
        indexes:
          noted: { elements: [note], where: "note == 'x'" }
    """

  /// The definitions that casts of quoted text give.
  private static let casts: SQLFragment = """
    ALTER TABLE public.item ALTER price SET DEFAULT '0'::numeric(12,2),
      ALTER rate SET DEFAULT '0.1'::double precision, ALTER note SET DEFAULT 'x'::text,
      ALTER since SET DEFAULT '2001-01-01 00:00:00+00'::timestamp with time zone,
      ALTER days SET DEFAULT '{1}'::integer[],
      DROP CONSTRAINT item_quantity_check, DROP CONSTRAINT item_rate_check;
    ALTER TABLE public.item
      ADD CONSTRAINT item_quantity_check CHECK ((quantity >= '1'::numeric AND quantity <= '9'::numeric)),
      ADD CONSTRAINT item_rate_check CHECK (rate >= '-0.5'::double precision);
    DROP INDEX public.item_note_idx;
    CREATE INDEX item_note_idx ON public.item (note) WHERE (note = 'x'::text)
    """

  private static let definitions: SQLFragment = """
    SELECT string_agg(text, ';' ORDER BY text) AS all FROM (
      SELECT conname || pg_get_constraintdef(oid) AS text FROM pg_constraint
        WHERE conrelid = 'public.item'::regclass
      UNION ALL SELECT pg_get_indexdef(indexrelid) FROM pg_index
        WHERE indrelid = 'public.item'::regclass
      UNION ALL SELECT adnum || pg_get_expr(adbin, adrelid) FROM pg_attrdef
        WHERE adrelid = 'public.item'::regclass) AS found
    """

  @Test
  func `it has no drift and nothing to migrate, and goes on from there`() async throws {
    let second = Self.first.replacing("note: {", with: "size: integer32?\n      note: {")
    try await withBundle([Self.first, second]) { bundle in
      try await TestServer.withDatabase { url in
        let remodel = Remodel(RemodelConfiguration(modelsPath: bundle))
        _ = try await remodel.migrate(.url(url), to: "1")
        let model = try ModelLoader.load(bundle + "/1.yaml").model
        let connection = try PostgresConnection(to: .url(url))
        let fresh = try connection.query(Self.definitions).first?["all"] ?? ""
        try connection.execute(Self.casts)
        let record = try connection.query("SELECT model_name FROM remodel.store").first
        let store = StoreIdentity(
          schema: "public",
          modelName: try #require(record?["model_name"]),
          metadataSchema: "remodel"
        )
        let statements = MetadataStatements(store)
          .recordingDefinitions(of: try ModelProjection(model, schema: "public"))
        for statement in statements { try connection.execute(statement) }
        let former = try connection.query(Self.definitions).first?["all"] ?? ""
        #expect(former != fresh)

        #expect(try await remodel.verify(.url(url)).drift.map(\.expected) == [])
        #expect(try await remodel.plan(.url(url), to: "1").plan.steps.isEmpty)
        _ = try await remodel.migrate(.url(url), to: "1")
        #expect(try connection.query(Self.definitions).first?["all"] == former)

        _ = try await remodel.migrate(.url(url))
        #expect(try connection.query(Self.definitions).first?["all"] == former)
        #expect(try await remodel.verify(.url(url)).drift.map(\.expected) == [])
      }
    }
  }
}
