import CustomDump
import Diagnostics
import ModelMapping
import ObjectModel
import SQLSyntax
import TestSupport
import Testing

@testable import MigrationPlanning

/// The plan, applied to the source's schema value, gives the destination's.
@Suite
struct PureLawTests {
  @Test(arguments: RandomCases.one(in: 2, of: [RemovalPolicy.retain, .drop]))
  func `a plan applied to the source's tables gives the destination's`(
    removals: RemovalPolicy
  ) throws {
    var share = PlannedShare()
    for seed in seeds(orElse: 40) {
      let path = try RandomPath.versions(4, seed: seed)
      share.add(path)
      let versions = path.versions

      let planner = MigrationPlanner(removals: removals)
      var retained: [RetainedObject] = []
      for (source, destination) in zip(versions, versions.dropFirst()) {
        let step = try plan(source, destination, planner, retained, versions, seed)
        guard let step else { break }
        retained = step.retainedAfterwards(retained)
        expectLaw(step, from: source, seed)
      }
      // An older version leads to the last one directly, unless another entity has the name of an
      // earlier one now.
      let last = versions[versions.count - 1]
      if let step = try plan(versions[0], last, planner, [], versions, seed) {
        expectLaw(step, from: versions[0], seed)
      }
    }
    #expect(share.isEnough, "\(share)")
  }

  @Test
  func `the plan of a creation makes the version's tables`() throws {
    for seed in seeds(orElse: 50) {
      var generator = ModelGenerator(seed: seed)
      let version = try PlannedVersion(generator.model(), named: "1")

      let step = try MigrationPlanner().step(creating: version)

      var schema = DatabaseSchema(name: "s")
      for operation in step.operations { operation.base.apply(to: &schema) }
      #expect(schema.ordered == version.projection.schema.ordered, "seed \(seed)")
      #expect(step.lockedTables.isEmpty)
    }
  }

  @Test
  func `a version leads to itself by nothing, in whatever order it says the same`() throws {
    for seed in seeds(orElse: 50) {
      var generator = ModelGenerator(seed: seed)
      let model = generator.model()
      let source = try PlannedVersion(model, named: "1")
      let destination = try PlannedVersion(generator.shuffled(model), named: "2")

      let mapping = try CompleteMapping(from: model, to: destination.projection.model)
      let step = try MigrationPlanner().step(from: source, to: destination, by: mapping)

      #expect(source.hashes == destination.hashes)
      #expect(step.statements.map(\.sql.text) == [], "seed \(seed)")
    }
  }

  // MARK: - Parts

  private func seeds(orElse count: Int) -> Range<UInt64> {
    let first = RandomCases.firstSeed
    return first..<first + UInt64(RandomCases.count(orElse: count))
  }

  private func plan(
    _ source: PlannedVersion,
    _ destination: PlannedVersion,
    _ planner: MigrationPlanner,
    _ retained: [RetainedObject],
    _ versions: [PlannedVersion],
    _ seed: UInt64
  ) throws -> MigrationStep? {
    do {
      let mapping = try CompleteMapping(
        from: source.projection.model,
        to: destination.projection.model,
        earlierVersions: versions.map(\.projection.model)
      )
      let step = try planner.step(
        from: source,
        to: destination,
        by: mapping,
        retained: retained
      )
      let again = try planner.step(
        from: source,
        to: destination,
        by: mapping,
        retained: retained
      )
      #expect(step.digest == again.digest)
      return step
    } catch is InferenceError where source.name == "1" && destination.name != "2" {
      return nil
    } catch let error as any DiagnosticError {
      let words = error.diagnostics.map(\.description).joined(separator: "\n")
      Issue.record("seed \(seed), \(source.name) to \(destination.name):\n\(words)")
      return nil
    }
  }

  private func expectLaw(_ step: MigrationStep, from source: PlannedVersion, _ seed: UInt64) {
    var schema = source.projection.schema
    for operation in step.operations { operation.base.apply(to: &schema) }
    let expected = step.destination.projection.schema.ordered
    guard schema.ordered != expected else { return }
    let words = diff(schema.ordered, expected) ?? ""
    let operations = step.operations.map(\.base.summary).joined(separator: "\n")
    Issue.record(
      "seed \(seed), \(source.name) to \(step.destination.name):\n\(words)\n\(operations)"
    )
  }
}
