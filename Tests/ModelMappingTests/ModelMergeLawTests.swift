import ModelMapping
import ObjectModel
import TestSupport
import Testing

/// Merges of random versions of random models; `REMODEL_CASES` gives their number, `REMODEL_SEED`
/// the first one.
@Suite(.timeLimit(.minutes(30)))
struct ModelMergeLawTests {
  /// A model, and two versions that were made from it.
  private struct Fork {
    let base: ManagedObjectModel
    let first: ManagedObjectModel
    let second: ManagedObjectModel

    /// Every other fork has versions that call what they add alike.
    init(seed: UInt64) {
      var generator = ModelGenerator(seed: seed, hasComposites: seed.isMultiple(of: 3))
      base = generator.model()
      let other = generator.reseeded(seed &+ 1_000_000)
      first = generator.randomEdit(of: base)
      if seed.isMultiple(of: 2) { generator = other }
      second = generator.randomEdit(of: base)
    }

    /// A Boolean value that indicates whether a part is that of the base by its plain name alone,
    /// against its identifier: facts are by canonical names.
    var isMatchedByName: Bool {
      [first, second].contains { version in
        version.entities.contains { entity in
          guard
            let before = base.entities.first(where: { $0.canonicalName == entity.canonicalName })
          else { return base.entity(named: entity.name) != nil }
          return Self.isMatchedByName(
            entity.attributes.map { ($0.name, $0.canonicalName) },
            before.attributes.map { ($0.name, $0.canonicalName) }
          )
            || Self.isMatchedByName(
              entity.relationships.map { ($0.name, $0.canonicalName) },
              before.relationships.map { ($0.name, $0.canonicalName) }
            )
        }
      }
    }

    private static func isMatchedByName(
      _ parts: [(name: String, canonicalName: String)],
      _ before: [(name: String, canonicalName: String)]
    ) -> Bool {
      parts.contains { part in
        !before.contains { $0.canonicalName == part.canonicalName }
          && before.contains { $0.name == part.name }
      }
    }
  }

  private static var seeds: Range<UInt64> {
    let first = RandomCases.firstSeed
    return first..<first + UInt64(RandomCases.count(orElse: 300))
  }

  @Test(.sampled(oneIn: 3))
  func `a merge has what either version changed, or is in conflict, in any order`() {
    var tally = Tally()
    for seed in Self.seeds {
      let fork = Fork(seed: seed)
      let merge = ModelMerge(of: fork.first, and: fork.second, over: fork.base)
      expectWhole(merge, of: fork, "seed \(seed)", &tally)
      expectSame(merge, of: fork, "seed \(seed)")
      expectNothingAdded(to: fork, "seed \(seed)")
    }
    print(tally)
    #expect(tally.clean * 4 > tally.clean + tally.conflicting)
    #expect(tally.conflicting > 0)
  }

  private struct Tally: CustomStringConvertible {
    var clean = 0
    var conflicting = 0
    var matchedByName = 0

    var description: String {
      "\(clean) clean merges, \(conflicting) with conflicts, \(matchedByName) by plain names"
    }
  }

  /// Nothing is lost, and there is no conflict without a cause.
  private func expectWhole(
    _ merge: ModelMerge,
    of fork: Fork,
    _ place: String,
    _ tally: inout Tally
  ) {
    guard !fork.isMatchedByName else {
      tally.matchedByName += 1
      return
    }
    let facts = [fork.base, fork.first, fork.second].map(ModelFacts.init)
    let clashes = ModelFacts.clashes(facts[0], facts[1], facts[2])
    if merge.isClean {
      tally.clean += 1
      let losses = ModelFacts.losses(facts[0], facts[1], facts[2], in: ModelFacts(merge.model))
      #expect(clashes == [], "\(place)")
      #expect(losses == [], "\(place)")
      return
    }
    tally.conflicting += 1
    // What one version uses and the other one removed is no single fact, and neither is what does
    // not fit together.
    let isOfReferences = merge.conflicts.flatMap { [$0.first.value, $0.second.value] }.contains {
      $0.hasPrefix("uses ") || $0.hasPrefix("has no ")
    }
    let isOfRemovals =
      ModelFacts.changesRemovedParts(facts[0], facts[1], removedBy: facts[2])
      || ModelFacts.changesRemovedParts(facts[0], facts[2], removedBy: facts[1])
    let words = merge.conflicts.map { [$0.subject, $0.first.value, $0.second.value] }
    #expect(
      !clashes.isEmpty || isOfReferences || isOfRemovals || !merge.complaints.isEmpty,
      "\(place): \(words)"
    )
  }

  /// The order of the versions does not matter.
  private func expectSame(_ merge: ModelMerge, of fork: Fork, _ place: String) {
    let reversed = ModelMerge(of: fork.second, and: fork.first, over: fork.base)
    let isSame = merge.model == reversed.model
    #expect(isSame || !merge.isClean, "\(place)")
    #expect(merge.complaints == reversed.complaints, "\(place)")
    #expect(merge.isClean == reversed.isClean, "\(place)")
    // A lost reference can be described in two ways.
    let words = merge.conflicts.map { [$0.subject, $0.first.value, $0.second.value] }
      .filter { !$0[1].hasPrefix("uses ") && !$0[1].hasPrefix("has no ") }
    let others = reversed.conflicts.map { [$0.subject, $0.second.value, $0.first.value] }
      .filter { !$0[1].hasPrefix("uses ") && !$0[1].hasPrefix("has no ") }
    #expect(Set(words) == Set(others), "\(place)")
  }

  /// A version that changed nothing adds nothing, and neither does the same change.
  private func expectNothingAdded(to fork: Fork, _ place: String) {
    let alone = ModelMerge(of: fork.first, and: fork.base, over: fork.base)
    let twice = ModelMerge(of: fork.first, and: fork.first, over: fork.base)
    let isUnchanged = alone.model == fork.first && twice.model == fork.first
    #expect(isUnchanged && alone.isClean && twice.isClean, "\(place)")
  }
}
