import Diagnostics
import ModelLoading
import ObjectModel
import TestSupport
import Testing

/// For every version of a history and every way back to it: each value that stood in a row stands there
/// again, links and order included, and the catalog is that of a fresh database but for what is retained.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(60)))
struct ReturnLawTests {
  @Test
  func `random histories come back to every version as it was`() async throws {
    let first = RandomCases.firstSeed
    let count = RandomCases.isEverything ? 500 : RandomCases.count(orElse: 8)
    print("histories from REMODEL_SEED=\(first) on")
    var tally = ReturnTally()
    for seed in first..<first + UInt64(count) {
      var generator = ModelGenerator(seed: seed)
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
    #expect(tally.returned > count, "\(tally)")
  }
}
