import RemodelCommands
import RemodelKit

/// Reads the numbers of pages that prefaces have: XLII is 42.
struct RomanPages: EntityMigrationPolicy {
  let version = "1"

  func instanceCreation(for mapping: EntityMapping) throws -> InstanceCreation? {
    InstanceCreation(setting: ["pages"], from: ["pages"])
  }

  func createDestinationInstances(
    forSource instances: [SourceInstance],
    in mapping: EntityMapping
  ) throws -> [DestinationInstance] {
    try instances.map { source in
      var preface = DestinationInstance(of: source)
      if let text = try source.string(forKey: "pages") {
        try preface.setValue(.integer(number(text)), forKey: "pages")
      }
      return preface
    }
  }

  private func number(_ text: String) throws -> Int64 {
    let digits: [Character: Int64] = ["I": 1, "V": 5, "X": 10, "L": 50, "C": 100]
    var sum: Int64 = 0
    var last: Int64 = 0
    for letter in text.uppercased().reversed() {
      guard let digit = digits[letter] else { throw UnreadableNumber() }
      sum += digit < last ? -digit : digit
      last = max(last, digit)
    }
    return sum
  }
}

/// A text that is no Roman number.
struct UnreadableNumber: Error, CustomStringConvertible {
  let description = "The number of pages is no Roman number."
}

await RemodelCommand.runAndExit(policies: ["RomanPages": RomanPages()])
