#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Random numbers that are the same for the same seed, on every platform: SplitMix64.
package struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// Creates a generator.
  package init(seed: UInt64) {
    state = seed
  }

  /// Returns the next number.
  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// Returns `true` once in so many times.
  package mutating func once(in count: Int) -> Bool {
    Int.random(in: 0..<count, using: &self) == 0
  }

  /// Returns one of the elements, or `nil` if there is none.
  package mutating func pick<Element>(_ elements: [Element]) -> Element? {
    elements.randomElement(using: &self)
  }
}

/// How many random cases a property is tried with.
package enum RandomCases {
  /// Returns the number from the environment variable `REMODEL_CASES`, else the given one.
  package static func count(orElse ordinary: Int) -> Int {
    ProcessInfo.processInfo.environment["REMODEL_CASES"].flatMap { Int($0) } ?? ordinary
  }

  /// Whether the environment variable `REMODEL_CASES` is `all`: slow cases are included.
  package static var isEverything: Bool {
    ProcessInfo.processInfo.environment["REMODEL_CASES"] == "all"
  }

  /// Returns the distance to the next place to try.
  ///
  /// - Parameters:
  ///   - distances: The possible distances, unless every place is tried.
  ///   - position: The last place.
  /// - Returns: The distance.
  package static func distance(_ distances: ClosedRange<Int>, after position: Int) -> Int {
    guard !isEverything else { return 1 }
    var random = SeededGenerator(seed: sampleSeed &+ UInt64(position))
    return Int.random(in: distances, using: &random)
  }

  /// Returns one of so many cases, other ones each time, or all of them where there is time for it.
  ///
  /// - Parameters:
  ///   - count: Of how many cases.
  ///   - cases: The cases.
  ///   - fileID: The file of the test.
  ///   - line: The line of the test.
  /// - Returns: The cases, at least one if there is one.
  package static func one<Case>(
    in count: Int,
    of cases: some Sequence<Case>,
    fileID: String = #fileID,
    line: Int = #line
  ) -> [Case] {
    let cases = Array(cases)
    guard !isEverything else { return cases }
    var random = generator(of: "\(fileID):\(line)")
    return Array(cases.shuffled(using: &random).prefix((cases.count + count - 1) / count))
  }

  /// Returns whether the sample of this run has a test, which it has once in so many runs.
  ///
  /// - Parameters:
  ///   - count: In how many runs.
  ///   - location: What tells the test from others.
  /// - Returns: Whether it has; always, where there is time for it.
  static func has(oneIn count: Int, _ location: String) -> Bool {
    var random = generator(of: location)
    return isEverything || random.once(in: count)
  }

  /// Returns random numbers that are other ones for each test.
  private static func generator(of location: String) -> SeededGenerator {
    SeededGenerator(
      seed: location.utf8.reduce(sampleSeed) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    )
  }

  /// Returns each of the first cases with one of the others, another one each time, or all pairs where
  /// there is time for them.
  package static func pairs<First, Second>(
    _ firsts: [First],
    _ seconds: [Second]
  ) -> [(First, Second)] {
    guard !isEverything else { return firsts.flatMap { first in seconds.map { (first, $0) } } }
    let shift = Int(sampleSeed % UInt64(seconds.count))
    return firsts.enumerated().map { ($1, seconds[($0 + shift) % seconds.count]) }
  }

  /// The first seed, from the environment variable `REMODEL_SEED`, else 1.
  package static var firstSeed: UInt64 { givenSeed ?? 1 }

  private static var givenSeed: UInt64? {
    ProcessInfo.processInfo.environment["REMODEL_SEED"].flatMap { UInt64($0) }
  }

  /// The seed for the samples of this run, from the environment variable `REMODEL_SEED`, otherwise
  /// a new one each time.
  package static let sampleSeed: UInt64 = {
    let seed = givenSeed ?? UInt64.random(in: 2...999_999)
    print("samples by REMODEL_SEED=\(seed)")
    return seed
  }()
}
