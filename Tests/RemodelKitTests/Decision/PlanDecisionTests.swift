import MigrationPlanning
import ModelMapping
import ObjectModel
import SQLSyntax
import TestSupport
import Testing

@testable import RemodelKit

/// What is told of a plan to decide on it, for random plans.
@Suite(.timeLimit(.minutes(30)))
struct PlanDecisionTests {
  /// Plans over random versions.
  private func reports(_ removals: RemovalPolicy, seed: UInt64) throws -> PlanReport? {
    var generator = ModelGenerator(seed: seed)
    var refused = 0
    var version = try planned(generator.model(), "1")
    let first = version
    var steps: [MigrationStep] = []
    var retained: [RetainedObject] = []
    for number in 2...3 {
      guard
        let next = generator.inferredEdit(of: version.projection.model, refused: &refused)
      else { break }
      let destination = try planned(next.model, "\(number)")
      let step = try MigrationPlanner(removals: removals)
        .step(from: version, to: destination, by: next.mapping, retained: retained)
      retained = step.retainedAfterwards(retained)
      steps.append(step)
      version = destination
    }
    guard !steps.isEmpty else { return nil }
    let size = TableSize(rows: 500_000, bytes: 50_000_000)
    let names = first.projection.schema.tables.keys.map(\.name)
    let sizes = TableSizes(Dictionary(uniqueKeysWithValues: names.map { ($0, size) }))
    let place = MigrationPlan.Place(schema: "s", metadataSchema: "remodel", modelName: "Sample")
    return PlanReport(
      plan: MigrationPlan(steps: steps, in: place),
      source: VersionReference(name: "1", checksum: first.hashes.checksum),
      target: VersionReference(name: version.name, checksum: version.hashes.checksum),
      findings: [],
      refusal: nil,
      settings: PlanSettings(),
      origin: nil,
      sizes: sizes,
      forecast: PlanForecast(of: steps, sizes: sizes),
      activity: nil,
      writeScript: { "" },
      warnings: []
    )
  }

  private func planned(_ model: ManagedObjectModel, _ name: String) throws -> PlannedVersion {
    try PlannedVersion(
      name: name,
      hashes: model.versionHashes(),
      projection: ModelProjection(model, schema: "s")
    )
  }

  @Test(arguments: [RemovalPolicy.retain, .drop])
  func `each fact of a random plan leads to a statement that causes it`(
    removals: RemovalPolicy
  ) throws {
    var count = (losses: 0, breakages: 0, checks: 0, linked: 0)
    for seed in RandomCases.firstSeed..<RandomCases.firstSeed
      + UInt64(RandomCases.count(orElse: 60))
    {
      guard let report = try reports(removals, seed: seed) else { continue }
      let decision = report.decision
      let steps = report.plan.steps
      let references =
        decision.waits.compactMap(\.cause) + decision.losses.map(\.statement)
        + decision.breakages.map(\.statement) + decision.rowChecks.flatMap(\.statements)
      for reference in references {
        #expect(steps.indices.contains(reference.step), "seed \(seed)")
        #expect(
          steps[reference.step].allStatements.indices.contains(reference.statement),
          "seed \(seed)"
        )
      }

      // Whatever deletes data is told of, by name.
      let deleting = places(in: report) { $0.hazards.contains(.deletesData) }
      #expect(Set(decision.losses.map(\.statement)) == deleting, "seed \(seed)")
      if removals == .retain { #expect(decision.losses.isEmpty, "seed \(seed)") }
      for loss in decision.losses {
        let data = try #require(loss.data)
        #expect(!data.entityNames.isEmpty, "seed \(seed): \(data)")
        if case .counted = loss.count { Issue.record("seed \(seed): nothing was counted") }
      }

      let breakages = steps.flatMap(\.allStatements).flatMap(\.breakages)
      #expect(decision.breakages.map(\.change) == breakages, "seed \(seed)")
      for breakage in decision.breakages {
        let text = breakage.failing.sql.text
        #expect(
          text.contains(breakage.change.table.quoted) || text.contains("nextval"),
          "seed \(seed): \(breakage)"
        )
      }

      let conditions = steps.flatMap(\.preconditions)
      #expect(decision.rowChecks.map(\.condition) == conditions, "seed \(seed)")
      for check in decision.rowChecks {
        #expect(check.state == .notChecked)
        let query = try #require(check.query?.text, "seed \(seed): \(check.condition.query)")
        #expect(query.hasSuffix(" ORDER BY \"_id\""))
      }
      count.losses += decision.losses.count
      count.breakages += breakages.count
      count.checks += conditions.count
      count.linked += decision.rowChecks.count { !$0.statements.isEmpty }
    }
    #expect(count.breakages > 50, "\(count)")
    #expect(removals == .retain || count.losses > 10, "\(count)")
    #expect(count.checks == 0 || count.linked * 10 >= count.checks * 9, "\(count)")
  }

  private func places(
    in report: PlanReport,
    where isMeant: (StatementForecast) -> Bool
  ) -> Set<StatementReference> {
    var places: Set<StatementReference> = []
    for (step, forecast) in report.forecast.steps.enumerated() {
      for (statement, expected) in forecast.statements.enumerated() where isMeant(expected) {
        places.insert(StatementReference(step: step, statement: statement))
      }
    }
    return places
  }

  // MARK: - Single plans

  private func decision(
    _ source: String,
    _ destination: String,
    removals: RemovalPolicy = .retain
  ) async throws -> PlanDecision {
    let head = "remodel: 1\nentities:\n"
    return try await withBundle([head + source, head + destination]) { bundle in
      try Remodel(RemodelConfiguration(modelsPath: bundle, removals: removals))
        .plan(from: "1").decision
    }
  }

  @Test
  func `a dropped attribute is lost by its name, and a retained one is not`() async throws {
    let source = "  Book: { attributes: { title: string, isbn: string? } }"
    let destination = "  Book: { attributes: { title: string } }"

    let dropped = try await decision(source, destination, removals: .drop)
    let retained = try await decision(source, destination)

    let data = try #require(dropped.losses.first?.data)
    #expect(data.kind == .values)
    #expect(data.entityNames == ["Book"])
    #expect(data.propertyName == "isbn")
    #expect(dropped.losses.map(\.count) == [.notKnown])
    #expect(dropped.wayBack.revert == .restoresSome)
    #expect(dropped.wayBack.missing == dropped.losses)
    #expect(retained.losses.isEmpty)
    #expect(retained.wayBack.revert == .restoresAll)
    #expect(retained.wayBack.retained.map(\.object.column) == ["isbn"])
  }

  @Test
  func `a dropped entity is lost with its rows, and a relationship with its links`() async throws {
    let decision = try await decision(
      """
        Book:
          attributes: { title: string }
          relationships: { tags: { toMany: Tag, inverse: books } }
        Tag:
          attributes: { name: string }
          relationships: { books: { toMany: Book, inverse: tags } }
      """,
      "  Book: { attributes: { title: string } }",
      removals: .drop
    )

    let data = decision.losses.compactMap(\.data)
    #expect(data.contains { $0.kind == .rows && $0.entityNames == ["Tag"] })
    #expect(data.contains { $0.kind == .links && $0.propertyName != nil }, "\(data)")
  }

  @Test
  func `a statement that fails is written as SQL with names of the release`() async throws {
    let decision = try await decision(
      "  Book: { attributes: { title: string, pages: integer32?, isbn: string? } }",
      """
        Book:
          attributes:
            name: { type: string, renamingIdentifier: title }
            pages: integer32
      """
    )

    let statements = decision.breakages.map(\.failing.sql.text)
    #expect(statements.contains(#"SELECT "title" FROM "book""#), "\(statements)")
    // What is retained is still there under its name.
    #expect(!statements.contains(#"SELECT "isbn" FROM "book""#), "\(statements)")
    #expect(
      statements.contains(#"INSERT INTO "book" ("_id", "title", "isbn") VALUES (…)"#),
      "\(statements)"
    )
  }

  @Test
  func `a creation has no way back, and without a call there is no next one`() async throws {
    let decision = try await decision(
      "  Book: { attributes: { title: string } }",
      "  Book: { attributes: { title: string, pages: integer32? } }"
    )

    #expect(decision.wayBack.revert == .restoresAll)
    #expect(decision.wayBack.version == "1")
    #expect(decision.next.run == nil && decision.next.planAgain == nil)
  }

  // MARK: - Calls

  @Test
  func `calls are quoted for a shell`() {
    var call = PlanCall()
    call.storeOptions = ["--models", "my models"]
    call.options = ["--allow", "deletes-data"]
    call.planOptions = ["--to", "it's"]

    #expect(
      call.run("sha256:0") == """
        remodel migrate --models 'my models' --allow deletes-data --to 'it'\\''s' \
        --require-digest 'sha256:0'
        """
    )
    call.file = "a b.json"
    #expect(
      call.approve("sha256:0") == """
        remodel migrate --models 'my models' --allow deletes-data --plan 'a b.json' \
        --approved-by NAME
        """
    )
    #expect(
      call.revert(to: "1")
        == "remodel revert --models 'my models' --to 1"
    )
  }
}
