import RemodelKit
import TestSupport
import Testing

/// Scenarios on a real server, through the front door.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct LiveScenarioTests {
  @Test(arguments: RandomCases.one(in: 3, of: Scenario.planned))
  func `a migrated database equals a fresh one and keeps its rows`(
    scenario: Scenario
  ) async throws {
    try await scenario.withBundle { bundle in
      let remodel = Remodel(RemodelConfiguration(modelsPath: bundle))
      let migrated: CatalogSnapshot? = try await scenario.withDatabase { url in
        do {
          let report = try await remodel.migrate(.url(url))
          #expect(report.outcome == .migrated)
        } catch let error as ExecutionError {
          // What the rows do not allow leaves everything as it was.
          let text = error.diagnostics.map { $0.description + "\n" }.joined(separator: "\n")
          scenario.expect(text, in: "violation.txt")
          #expect(try await remodel.status(.url(url)).version?.name == "1")
          return nil
        }
        scenario.expect(try scenario.rows(url), in: "rows.txt")
        #expect(try await remodel.migrate(.url(url)).outcome == .unchanged)
        try await expectNoDrift(url, remodel)
        return try await scenario.snapshot(url, remodel)
      }
      if let migrated { try await scenario.expectFresh(migrated) }
    }
  }

  @Test(
    arguments: RandomCases.one(in: 12, of: Scenario.planned.filter(\.isMapped)),
    [CopyStrategy.gated, .online]
  )
  func `a copy in many transactions has the same result`(
    scenario: Scenario,
    strategy: CopyStrategy
  ) async throws {
    try await scenario.withBundle { bundle in
      let remodel = Remodel(RemodelConfiguration(modelsPath: bundle, strategy: strategy))
      let migrated: CatalogSnapshot? = try await scenario.withDatabase { url in
        do {
          #expect(try await remodel.migrate(.url(url)).outcome == .migrated)
        } catch let error as RemodelError {
          if case .notInParts = error.fact {
            #expect(strategy == .gated)
            return nil
          }
          guard case .notOnline = error.fact else { throw error }
          #expect(strategy == .online)
          return nil
        } catch let error as ExecutionError {
          let text = error.diagnostics.map { $0.description + "\n" }.joined(separator: "\n")
          scenario.expect(text, in: "violation.txt")
          #expect(try await remodel.status(.url(url)).version?.name == "1")
          return nil
        }
        scenario.expect(try scenario.rows(url), in: "rows.txt")
        #expect(try await remodel.migrate(.url(url)).outcome == .unchanged)
        try await expectNoDrift(url, remodel)
        return try await scenario.snapshot(url, remodel)
      }
      if let migrated { try await scenario.expectFresh(migrated) }
    }
  }

  @Test
  func `pairs follow links that come and go while they are copied`() async throws {
    let scenario = try #require(Scenario.planned.first { $0.name == "map-pairs" })
    try await scenario.withBundle { bundle in
      try await TestServer.withDatabase { url in
        var settings = CopySettings()
        let hasWritten = Flag()
        settings.failpoints = Failpoints { name, _ in
          // The first chance after the rows are copied.
          guard name == "index.statement", hasWritten.set() else { return }
          let connection = try PostgresConnection(to: .url(url))
          try connection.execute(
            """
            DELETE FROM public.course_students WHERE students = 1;
            UPDATE public.course_students SET students = 1 WHERE students = 2 AND courses = 2;
            INSERT INTO public.student (name) VALUES ('Cy');
            INSERT INTO public.course_students (students, courses) VALUES (3, 2)
            """
          )
        }
        let remodel = Remodel(
          RemodelConfiguration(modelsPath: bundle, strategy: .online, copySettings: settings)
        )
        _ = try await remodel.migrate(.url(url), to: "1")
        try await scenario.fill(url)

        _ = try await remodel.migrate(.url(url))

        #expect(hasWritten.isSet)
        let connection = try PostgresConnection(to: .url(url))
        let labels = try connection.query("SELECT label FROM public.enrolment ORDER BY 1")
        #expect(labels.compactMap { $0["label"] } == ["Latin: Ann", "Latin: Cy", "Logic: Bob"])
      }
    }
  }

  @Test(arguments: RandomCases.one(in: 12, of: Scenario.planned))
  func `the script has the same result as the migration`(scenario: Scenario) async throws {
    try await scenario.withBundle { bundle in
      let remodel = Remodel(RemodelConfiguration(modelsPath: bundle))
      let migrated: CatalogSnapshot? = try await TestServer.withDatabase { url in
        try FunctionWatch.begin(url)
        let creation = try await Psql.run(remodel.plan(.url(url), to: "1").script, url)
        #expect(creation.isSuccess, "\(creation.errors)")
        try await scenario.fill(url)
        let plan = try await remodel.plan(.url(url))
        guard !plan.findings.contains(where: \.isViolated) else {
          let refusal = try await Psql.run(plan.script, url)
          #expect(!refusal.isSuccess && refusal.errors.contains("the rows do not allow it"))
          return nil
        }
        let outcome = try await Psql.run(plan.script, url)
        #expect(outcome.isSuccess, "\(outcome.errors)")

        #expect(try await remodel.migrate(.url(url)).outcome == .unchanged)
        scenario.expect(try scenario.rows(url), in: "rows.txt")
        let history = try await remodel.history(.url(url))
        #expect(history.map(\.outcome) == ["succeeded", "succeeded"])
        try await expectNoDrift(url, remodel)
        return try await scenario.snapshot(url, remodel)
      }
      if let migrated { try await scenario.expectFresh(migrated) }
    }
  }

  @Test(arguments: Scenario.all.filter { $0.isRefused && $0.objects != nil })
  func `what users have made is refused by name before anything runs`(
    scenario: Scenario
  ) async throws {
    try await scenario.withBundle { bundle in
      var text = ""
      for removals in [RemovalPolicy.retain, .drop] {
        let remodel = Remodel(RemodelConfiguration(modelsPath: bundle, removals: removals))
        try await TestServer.withDatabase { url in
          _ = try await remodel.migrate(.url(url), to: "1")
          let outcome = try await Psql.run(scenario.objects ?? "", url)
          #expect(outcome.isSuccess, "\(outcome.errors)")
          text += "--removals \(removals.rawValue)\n"
          do {
            _ = try await remodel.migrate(.url(url))
            text += "migrates\n"
          } catch let error as PlanningError {
            text += error.diagnostics.map { $0.description + "\n" }.joined(separator: "\n")
            #expect(error.diagnostics.allSatisfy { $0.hint != nil })
            let history = try await remodel.history(.url(url))
            #expect(history.map(\.target) == ["1"])
          }
        }
      }
      scenario.expect(text, in: "refusal.txt")
    }
  }
}

/// Expects that a database is as it was recorded.
func expectNoDrift(_ url: String, _ remodel: Remodel) async throws {
  let report = try await remodel.verify(.url(url), asksRows: true)
  #expect(report.drift.map(\.object.description) == [])
  #expect(report.unrecordedCount == 0 && report.pending.isEmpty && report.job == nil)
  // What one relationship may have at most or at least, rows of tests need not keep.
  let broken = report.findings?.filter(\.isViolated).map(\.precondition.requirement) ?? []
  #expect(broken.allSatisfy { $0.contains(" has at ") })
}

extension Scenario {
  func fill(_ url: String) async throws {
    guard let rows else { return }
    let outcome = try await Psql.run(rows, url)
    #expect(outcome.isSuccess, "\(outcome.errors)")
  }

  /// The catalog without retained objects.
  func snapshot(_ url: String, _ remodel: Remodel) async throws -> CatalogSnapshot {
    let retained = try await remodel.status(.url(url)).retained
    let connection = try PostgresConnection(to: .url(url))
    try connection.prepareSession()
    return try CatalogSnapshot(
      of: "public",
      on: connection,
      leavingOut: CatalogSnapshot.Exclusions(retained)
    )
  }

  /// The rows of all tables of the version after, without retained ones.
  func finalRows(_ url: String) throws -> [String] {
    let connection = try PostgresConnection(to: .url(url))
    try connection.prepareSession()
    let schema = try version("after").projection.schema
    return try schema.sortedTables.flatMap { table -> [String] in
      let columns = table.columns.map { "\($0.name)" as SQLFragment }.joined(separator: ", ")
      let rows = try connection.query(
        """
        SELECT to_jsonb(r)::text AS row FROM (SELECT \(columns) FROM \(schema.qualified(table.name))) r
        ORDER BY 1
        """
      )
      return [table.name.name] + rows.compactMap { $0["row"] }
    }
  }

  /// All rows of all tables as text, columns in the order of their names.
  func rows(
    _ url: String,
    in schema: SQLIdentifier = "public",
    leavingOut excluded: Set<String> = []
  ) throws -> String {
    let connection = try PostgresConnection(to: .url(url))
    try connection.prepareSession()
    let tables = try connection.query(
      """
      SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname = \(SQLLiteral.text(schema.name)) AND c.relkind = 'r'
      ORDER BY c.relname COLLATE "C"
      """
    )
    var text = ""
    for table in tables.compactMap({ $0["relname"] }) where !excluded.contains(table) {
      let name = QualifiedName(schema: schema, name: SQLIdentifier(table))
      let rows = try connection.query("SELECT to_jsonb(t)::text AS row FROM \(name) t ORDER BY 1")
      text += "\(table)\n" + rows.compactMap { $0["row"] }.map { "  \($0)\n" }.joined()
    }
    return text
  }
}
