import PostgresClient
import RemodelKit
import SQLSyntax
import TestSupport
import Testing

/// Schemas that people have made become models, which make the same schemas.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct SchemaAdoptionTests {
  @Test(arguments: RandomCases.one(in: 3, of: AdoptedSchema.all))
  func `a schema becomes a model`(schema: AdoptedSchema) async throws {
    try await withFolder { folder in
      try await TestServer.withTwoDatabases { first, second in
        let report = try await adopted(schema, folder, first, second)

        let text = try #require(report.model?.text)
        let list = report.unexpressed.map { "\($0): \($0.explanation)\n" }.joined()
        expectGolden(text, named: "\(schema.name).yaml")
        expectGolden(list, named: "\(schema.name).txt")
      }
    }
  }

  @Test(.enabled(if: !AdoptedSchema.foreign.isEmpty), arguments: AdoptedSchema.foreign)
  func `the schema of an application becomes a model`(schema: AdoptedSchema) async throws {
    try await withFolder { folder in
      try await TestServer.withTwoDatabases { first, second in
        _ = try await adopted(schema, folder, first, second)
      }
    }
  }

  /// Adopts a schema, and compares it with what the model makes in a schema that is empty.
  private func adopted(
    _ schema: AdoptedSchema,
    _ folder: String,
    _ first: String,
    _ second: String
  ) async throws -> AdoptionReport {
    try schema.load(first)
    // What tables use by its name has to be there.
    try schema.load(second)
    var configuration = RemodelConfiguration(modelsPath: "\(folder)/Adopted.remodel")
    let remodel = Remodel(configuration)
    let before = try inventory(first)

    let report = try await remodel.adoptByWriting(.url(first))

    #expect(report.outcome == .adopted)
    #expect(report.differences.isEmpty)
    #expect(try inventory(first) == before, "nothing is changed")
    let verification = try await remodel.verify(.url(first), asksRows: true)
    #expect(verification.isClean, "\(verification.drift)")
    #expect(try await remodel.check(.url(first)).isCurrent)
    #expect(try await remodel.plan(.url(first)).plan.steps.isEmpty)
    #expect(try await remodel.adopt(.url(first)).outcome == .unchanged)

    configuration.schema = "made"
    _ = try await Remodel(configuration).migrate(.url(second))
    let made = try inventory(second, of: "made").mapValues {
      $0.replacing("made.", with: "public.")
    }
    #expect(lines(made, of: report) == lines(before, of: report))
    return report
  }

  /// Returns the objects of the model's tables, without those left alone.
  private func lines(_ all: [String: String], of report: AdoptionReport) -> [String] {
    let parts = report.unexpressed.compactMap(\.part)
    let kinds = ["table", "column", "constraint", "index", "trigger", "sequence"]
    return all.filter { name, _ in
      report.tables.contains { table in
        kinds.contains { kind in
          guard name.hasPrefix("\(kind) \(table).") else { return false }
          let part = name.dropFirst("\(kind) \(table).".count)
          return !parts.contains { $0.table == table && $0.name == part }
        }
      }
    }
    // How an index is stored is its administrator's business.
    .map { "\($0.key): \($0.value.replacing(" WITH (fillfactor='70')", with: ""))" }.sorted()
  }
}
