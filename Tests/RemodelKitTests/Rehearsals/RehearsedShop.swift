import PostgresClient
import RemodelKit
import SQLSyntax
import TestSupport

/// A shop whose goods have suppliers, in a database of its own that is at the first of two versions.
struct RehearsedShop {
  let url: String
  let remodel: Remodel

  private static let versions = ["integer32", "integer64"].map { type in
    """
    remodel: 1
    entities:
      Supplier:
        attributes: { name: string }
        relationships: { goods: { toMany: Good, inverse: supplier } }
      Good:
        attributes: { title: string, stock: "\(type)?", code: string? }
        relationships:
          supplier: { to: Supplier?, inverse: goods }
          successor: { to: Good?, inverse: predecessors }
          predecessors: { toMany: Good, inverse: successor }
        \(type == "integer64" ? "indexes: { byTitle: [title] }" : "")
    """
  }

  private static let rows: SQLFragment = """
    INSERT INTO public.supplier (name) SELECT 'supplier ' || n FROM generate_series(1, 300) AS n;
    INSERT INTO public.good (title, stock, code, supplier)
      SELECT 'good ' || n, n, 'code ' || n, 301 - n FROM generate_series(1, 300) AS n;
    UPDATE public.good SET successor = _id - 1 WHERE _id > 290;
    ANALYZE public.supplier, public.good
    """

  /// Gives a shop with rows to a function.
  static func with(
    _ statements: SQLFragment? = nil,
    maxBlock: Duration = .seconds(5),
    _ body: (RehearsedShop) async throws -> Void
  ) async throws {
    try await withBundle(versions) { bundle in
      try await TestServer.withDatabase { url in
        var configuration = RemodelConfiguration(
          modelsPath: bundle,
          lockRetryFor: .milliseconds(600),
          maxBlock: maxBlock
        )
        configuration.serverBinaries = TestServer.binaries
        let shop = RehearsedShop(url: url, remodel: Remodel(configuration))
        _ = try await shop.remodel.migrate(.url(url), to: "1")
        try shop.execute(rows)
        if let statements { try shop.execute(statements) }
        try await body(shop)
      }
    }
  }

  /// Rehearses the way to the second version.
  func rehearse(_ rehearsal: Rehearsal) async throws -> RehearsalReport? {
    try await remodel.plan(.url(url), rehearsing: rehearsal).rehearsal
  }

  func execute(_ statements: SQLFragment) throws {
    try PostgresConnection(to: .url(url)).execute(statements)
  }

  func rows(_ query: SQLFragment) throws -> [[String?]] {
    try PostgresConnection(to: .url(url)).query(query).rows
  }

  /// All that a migration could change: the catalog, the rows with the transactions that wrote them,
  /// the sequences, the metadata, the locks.
  ///
  /// Autovacuum takes locks of its own at any time.
  func state() throws -> [[String?]] {
    let connection = try PostgresConnection(to: .url(url))
    try connection.prepareSession()
    let catalog = try CatalogSnapshot(of: "public", on: connection)
    let queries: [SQLFragment] = [
      "SELECT oid::text, relfilenode::text FROM pg_class WHERE oid > 16383 ORDER BY oid",
      "SELECT xmin::text, ctid::text, g::text FROM public.good AS g ORDER BY _id",
      "SELECT xmin::text, ctid::text, s::text FROM public.supplier AS s ORDER BY _id",
      "SELECT sequencename, last_value::text FROM pg_sequences ORDER BY schemaname, 1",
      "SELECT h::text FROM remodel.history_event AS h ORDER BY id",
      "SELECT s::text FROM remodel.store AS s",
      """
      SELECT count(*)::text FROM pg_locks l JOIN pg_stat_activity a USING (pid) \
      WHERE pid <> pg_backend_pid() AND a.backend_type = 'client backend' \
      AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
      """,
    ]
    return catalog.lines.sorted { $0.key < $1.key }.map { [$0.key, $0.value] }
      + (try queries.flatMap { try connection.query($0).rows })
  }
}

extension RehearsalReport {
  /// The statements of all steps.
  var statements: [RehearsedStatement] { steps.flatMap(\.statements) }

  /// What was measured and is not as it was said.
  var differences: [String] {
    statements.flatMap { statement in
      (statement.comparison?.differences ?? []).map {
        "\(statement.statement.sql): \($0.sentence)"
      }
    }
  }
}
