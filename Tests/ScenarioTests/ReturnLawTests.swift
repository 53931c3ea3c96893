import Diagnostics
import ModelLoading
import ObjectModel
import TestSupport
import Testing

/// For every version of a history and every revert to it: each value of a row is restored,
/// including links and order, and the catalog equals that of a fresh database except for retained
/// objects.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(60)))
struct ReturnLawTests {
  /// Some seeds whose histories are known to hold, others each time; `REMODEL_SEED` gives the first.
  @Test
  func `random histories come back to every version as it was`() async throws {
    let first =
      RandomCases.firstSeed == 1 ? 100 + RandomCases.sampleSeed % 22 : RandomCases.firstSeed
    let count = RandomCases.isEverything ? 500 : RandomCases.count(orElse: 2)
    print("histories from REMODEL_SEED=\(first) on")
    var tally = ReturnTally()
    for seed in first..<first + UInt64(count) + 10 {
      // A history may have nothing that comes back, so a few more are tried then.
      guard seed < first + UInt64(count) || tally.returned == 0 else { break }
      var generator = ModelGenerator(seed: seed, hasComposites: seed.isMultiple(of: 2))
      var models = [generator.model()]
      var refused = 0
      while models.count < 4 + Int(seed % 3),
        let next = models.last.flatMap({ generator.inferredEdit(of: $0, refused: &refused) })
      {
        models.append(next.model)
      }
      if count == 1 {
        for (position, model) in models.enumerated() {
          print(try ModelForm.yaml.text(of: model, named: "\(position + 1)"))
        }
      }
      let trip = try ReturnTrip(models, name: "seed \(seed)", seed: seed)
      do {
        try await trip.run(again: seed.isMultiple(of: 2), &tally)
      } catch {
        tally.faults.append("\(trip.name): \(error)")
      }
    }
    print(tally)
    #expect(tally.faults == [])
    #expect(tally.returned > 0, "\(tally)")
  }

  /// `REMODEL_SEED` gives other histories.
  @Test(.enabled(if: Corpora.isAvailable, "there are no real models on this machine"))
  func `histories of real models come back to every version as it was`() async throws {
    let seed = RandomCases.firstSeed
    print("real models from REMODEL_SEED=\(seed)")
    var random = SeededGenerator(seed: seed)
    var paths = Corpora.bundles.shuffled(using: &random)
    let count = RandomCases.isEverything ? paths.count : RandomCases.count(orElse: 2)
    var tally = ReturnTally()
    while tally.histories < count, let path = paths.popLast() {
      guard let bundle = try? ModelBundle(at: path), bundle.versions.count > 1,
        let start = bundle.versions.indices.dropLast().randomElement(using: &random)
      else { continue }
      let models = bundle.versions[start...].prefix(4).compactMap { try? bundle.load($0).model }
      // Some pairs need a mapping model, and some models are more than a test can fill.
      guard models.count > 1, models.allSatisfy({ $0.entities.count < 60 }),
        let trip = try? ReturnTrip(models, name: bundle.name, seed: seed)
      else { continue }
      do {
        try await trip.run(again: false, &tally)
      } catch {
        tally.faults.append("\(trip.name): \(error)")
      }
    }
    print(tally)
    #expect(tally.faults == [])
    #expect(tally.histories > 0)
  }
}
