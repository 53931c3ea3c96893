import Diagnostics
import ModelLoading
import ObjectModel
import PostgresClient
import RemodelKit
import SQLSyntax
import TestSupport
import Testing

@testable import MigrationPlanning

/// Wherever tables have been, those of a migrated database are where a fresh one has them, with the same parts.
@Suite(
  .tags(.server),
  .enabled("Citus is not installed") { try await CitusCluster.isInstalled() },
  .timeLimit(.minutes(30))
)
struct DistributionLawTests {
  /// `REMODEL_CASES` gives the number of paths, `REMODEL_SEED` the first one.
  @Test(arguments: RandomCases.one(in: 2, of: [false, true]))
  func `a migrated database is distributed as a fresh one`(bySchema: Bool) async throws {
    let first = RandomCases.firstSeed
    var tally = DistributionTally()
    for seed in first..<first + UInt64(RandomCases.count(orElse: 4)) {
      try await DistributionTrial(seed: seed, bySchema: bySchema).run(&tally)
    }
    print(tally)
    #expect(tally.faults == [])
    #expect(tally.steps > 0)
    #expect(tally.placed > 0)
  }
}

private struct DistributionTally: CustomStringConvertible {
  var steps = 0
  /// How many tables were on nodes after a step.
  var placed = 0
  var refused: [String: Int] = [:]
  var faults: [String] = []

  var description: String {
    "\(steps) steps, \(placed) tables on nodes\n"
      + refused.sorted { $0.key < $1.key }.map { "  \($0.value) x \($0.key)\n" }.joined()
      + faults.map { "  FAULT \($0)\n" }.joined()
  }
}

/// A store that goes through random versions, each distributed in another way, or not at all.
private struct DistributionTrial {
  private let seed: UInt64
  private let schema: SQLIdentifier = "own"
  private let versions: [ManagedObjectModel]

  init(seed: UInt64, bySchema: Bool) {
    self.seed = seed
    var generator = ModelGenerator(seed: seed)
    var plain = [generator.model()]
    var refused = 0
    while plain.count < 4,
      let next = plain.last.flatMap({ generator.inferredEdit(of: $0, refused: &refused) })
    {
      plain.append(next.model)
    }
    versions = plain.enumerated().map { index, model in
      if (seed + UInt64(index)).isMultiple(of: 4) { return model }
      guard bySchema else { return generator.distributed(model) }
      return ManagedObjectModel(
        entities: model.entities,
        composites: model.composites,
        layout: LayoutDescription(distribution: .schema)
      )
    }
  }

  func run(_ tally: inout DistributionTally) async throws {
    var copy = tally
    let texts = try versions.map { try ModelForm.yaml.text(of: $0, named: "v") }
    try await withBundle(texts) { bundle in
      let remodel = Remodel(
        RemodelConfiguration(modelsPath: bundle, schema: schema, removals: .drop)
      )
      try await CitusCluster.singleNode.withDatabase { urls in
        for index in texts.indices {
          guard try await migrate(remodel, urls[0], to: "\(index + 1)", &copy) else { return }
        }
      }
    }
    tally = copy
  }

  /// Migrates, and compares the database with a fresh one.
  ///
  /// - Returns: Whether it went on to the version.
  private func migrate(
    _ remodel: Remodel,
    _ url: String,
    to version: String,
    _ tally: inout DistributionTally
  ) async throws -> Bool {
    do {
      _ = try await remodel.migrate(.url(url), to: version)
    } catch let error as PlanningError {
      tally.refused[error.diagnostics.first?.message ?? "", default: 0] += 1
      return false
    } catch {
      tally.faults.append(
        "seed \(seed), to \(version): \((error as? any DiagnosticError)?.diagnostics.description ?? "\(error)")"
      )
      return false
    }
    tally.steps += 1
    let verification = try await remodel.verify(.url(url))
    if !verification.isClean {
      tally.faults.append("seed \(seed), \(version): drift \(verification)")
    }
    let migrated = try parts(at: url)
    tally.placed += migrated.filter { $0.last != "" }.count
    var fresh: [[String]] = []
    try await CitusCluster.singleNode.withDatabase { urls in
      do {
        _ = try await remodel.migrate(.url(urls[0]), to: version)
        fresh = try parts(at: urls[0])
      } catch {
        tally.faults.append("seed \(seed), new \(version): \(error)")
      }
    }
    if migrated != fresh {
      let difference = migrated.filter { !fresh.contains($0) } + [["fresh:"]]
      let missing = fresh.filter { !migrated.contains($0) }
      tally.faults.append("seed \(seed), \(version): \(difference + missing)")
    }
    return true
  }

  /// Returns the constraints and indexes of each table, with where the table is.
  private func parts(at url: String) throws -> [[String]] {
    try PostgresConnection(to: .url(url)).query(
      """
      WITH placed AS (SELECT logicalrelid, concat_ws(' ', partmethod, repmodel,
          CASE partmethod WHEN 'h' THEN column_to_column_name(logicalrelid, partkey) END,
          CASE WHEN partmethod <> 'n' THEN (SELECT min(o.logicalrelid::text) FROM pg_dist_partition AS o
            WHERE o.colocationid = p.colocationid) END) AS place FROM pg_dist_partition AS p
          WHERE partmethod <> 'n' OR repmodel = 't' OR colocationid <> 0)
      SELECT t.relname AS table, part.definition, coalesce(placed.place, '') AS place
      FROM pg_class AS t JOIN pg_namespace AS n ON n.oid = t.relnamespace
      LEFT JOIN placed ON placed.logicalrelid = t.oid
      CROSS JOIN LATERAL (
        SELECT concat(c.conname, ' ', pg_get_constraintdef(c.oid)) FROM pg_constraint AS c
          WHERE c.conrelid = t.oid
        UNION ALL SELECT pg_get_indexdef(i.indexrelid) FROM pg_index AS i WHERE i.indrelid = t.oid
      ) AS part (definition)
      WHERE n.nspname = \(text: schema.name) AND t.relkind = 'r' ORDER BY 1, 2, 3
      """
    ).map { [$0["table"] ?? "", $0["definition"] ?? "", $0["place"] ?? ""] }
  }
}
