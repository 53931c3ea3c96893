import CatalogComparison
import RemodelKit
import SQLSyntax
import TestSupport
import Testing

/// What people do to a database behind the tool's back is found, and nothing else is.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct DriftTests {
  @Test(arguments: RandomCases.one(in: 3, of: DriftSample.all))
  func `a drift is reported until it is undone`(sample: DriftSample) async throws {
    try await withMigratedDatabase { remodel, url in
      try execute(sample.sql, url)
      let drifted = try await remodel.verify(.url(url))
      try execute(sample.undo, url)
      let after = try await remodel.verify(.url(url))

      #expect(Set(drifted.drift.map(\.summary)) == sample.finds)
      #expect(drifted.drift.count == sample.finds.count)
      #expect(drifted.drift.allSatisfy { !$0.hint.isEmpty && $0.expected != $0.actual })
      #expect(!drifted.isClean)
      #expect(after.drift.map(\.summary) == [])
    }
  }

  @Test
  func `what nobody has changed is no drift`() async throws {
    try await withMigratedDatabase { remodel, url in
      let report = try await remodel.verify(.url(url))

      #expect(report.drift.map(\.summary) == [])
      #expect(report.isClean)
    }
  }

  @Test(.sampled(oneIn: 3))
  func `what a drift says to run puts it back`() async throws {
    try await withMigratedDatabase { remodel, url in
      for sample in DriftSample.all {
        try execute(sample.sql, url)
        let drifts = try await remodel.verify(.url(url)).drift
        let remedies = drifts.flatMap(\.remedy)
        // What has no way back in the catalog is undone as the sample says.
        if drifts.contains(where: { $0.remedy.isEmpty }) {
          try execute(sample.undo, url)
        } else {
          // Some can only be run after others.
          var rest = remedies.map(\.text)
          for _ in 0..<3 { rest = rest.filter { (try? execute($0, url)) == nil } }
          #expect(rest == [], "\(sample.name)")
        }

        let left = try await remodel.verify(.url(url)).drift
        #expect(left.map(\.summary) == [], "\(sample.name): \(remedies)")
        try execute(
          "DROP FUNCTION IF EXISTS public.nothing(); DROP SCHEMA IF EXISTS elsewhere",
          url
        )
      }
    }
  }

  @Test
  func `what is not of the store is listed and no drift`() async throws {
    try await withMigratedDatabase { remodel, url in
      try execute(
        """
        CREATE VIEW public.titles AS SELECT title FROM public.publication;
        CREATE SCHEMA reports; CREATE VIEW reports.names AS SELECT name FROM public.author;
        CREATE TABLE public.others (number integer PRIMARY KEY, tag bigint REFERENCES public.tag);
        CREATE TYPE public.mood AS ENUM ('good'); CREATE SEQUENCE public.free;
        CREATE FUNCTION public.one() RETURNS integer LANGUAGE sql AS 'SELECT 1';
        ALTER TABLE public.publication ALTER title SET STATISTICS 500;
        ALTER INDEX public.publication_pages_idx SET (fillfactor = 70);
        ALTER TABLE public.publication SET (fillfactor = 70);
        COMMENT ON COLUMN public.publication.title IS 'WITH (a comment)';
        GRANT SELECT ON public.publication TO PUBLIC;
        """,
        url
      )

      let report = try await remodel.verify(.url(url))

      #expect(report.drift.map(\.summary) == [])
      #expect(report.isClean)
      let others = report.bystanders.map { "\($0.kind) \($0.identity) \($0.usesStore)" }
      #expect(
        others == [
          "function public.one() false", "sequence public.free false", "table public.others false",
          "type public.mood false", "view public.titles true", "view reports.names true",
        ]
      )
    }
  }

  @Test
  func `a store of another owner is no drift`() async throws {
    try await withMigratedDatabase { remodel, url in
      try execute(
        """
        DO $$ BEGIN IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'drift_owner') THEN
          CREATE ROLE drift_owner; END IF; END $$;
        ALTER TABLE public.tag OWNER TO drift_owner
        """,
        url
      )

      let report = try await remodel.verify(.url(url))

      #expect(report.drift.isEmpty)
      #expect(report.ownerChanges.map(\.table) == ["tag"])
      #expect(report.ownerChanges.map(\.owner) == ["drift_owner"])
    }
  }

  @Test
  func `a store without recorded definitions is compared with its model`() async throws {
    // Only the recorded text shows this.
    let hidden: Set<String> = [
      "default changed", "enumeration widened", "index of another method", "index of other rows",
      "body of a function changed", "function with other rights", "row security switched on",
      "replica identity changed", "table inherits", "increment of a sequence changed",
      "sequence goes round",
    ]
    try await withMigratedDatabase { remodel, url in
      try execute("DELETE FROM remodel.object_definition", url)
      for sample in DriftSample.all where !sample.undo.contains("object_definition") {
        try execute(sample.sql, url)
        let report = try await remodel.verify(.url(url))
        try execute(sample.undo, url)

        #expect(report.recordedMajor == nil && report.unrecordedCount > 0)
        #expect(report.drift.isEmpty == hidden.contains(sample.name), "\(sample.name)")
      }
      #expect(try await remodel.verify(.url(url)).drift.map(\.summary) == [])
    }
  }

  @Test
  func `what had drifted when a version was recorded is drift all the same`() async throws {
    try await withBundle(DriftSample.versions) { bundle in
      try await TestServer.withDatabase { url in
        let remodel = Remodel(RemodelConfiguration(modelsPath: bundle))
        _ = try await remodel.migrate(.url(url), to: "1")
        try execute(
          """
          ALTER TABLE public.tag ALTER name DROP NOT NULL;
          DROP INDEX public.publication_pages_idx;
          CREATE INDEX mine ON public.tag (name);
          ALTER TABLE public.author DROP CONSTRAINT author_name_key
          """,
          url
        )
        _ = try await remodel.migrate(.url(url))

        let drifts = try await remodel.verify(.url(url)).drift.map(\.summary)
        try execute(
          """
          ALTER TABLE public.tag ALTER name SET NOT NULL;
          CREATE INDEX publication_pages_idx ON public.publication (pages);
          DROP INDEX public.mine;
          ALTER TABLE public.author ADD CONSTRAINT author_name_key UNIQUE (name)
          """,
          url
        )

        #expect(drifts.count == 4, "\(drifts)")
        #expect(try await remodel.verify(.url(url)).drift.map(\.summary) == [])
      }
    }
  }

  private func withMigratedDatabase(
    _ body: (Remodel, String) async throws -> Void
  ) async throws {
    try await withBundle(DriftSample.versions) { bundle in
      let template = try await Self.migrated.value
      try await TestServer.withDatabase(copying: template) { url in
        try await body(Remodel(RemodelConfiguration(modelsPath: bundle)), url)
      }
    }
  }

  /// A database that was brought to the second version, for copies.
  private static let migrated = Task {
    try await withBundle(DriftSample.versions) { bundle in
      try await TestServer.makeTemplate { url in
        let remodel = Remodel(RemodelConfiguration(modelsPath: bundle))
        _ = try await remodel.migrate(.url(url), to: "1")
        _ = try await remodel.migrate(.url(url))
      }
    }
  }

  private func execute(_ text: String, _ url: String) throws {
    let connection = try PostgresConnection(to: .url(url))
    try connection.execute(SQLFragment(written: text))
  }
}

extension Drift {
  /// The drift in a line.
  fileprivate var summary: String {
    "\(change.rawValue) \(object)" + (element.map { " (\($0))" } ?? "")
  }
}
