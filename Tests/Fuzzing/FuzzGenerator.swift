/// Random numbers that are the same for the same seed, on every platform: SplitMix64.
struct FuzzGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// Returns a number from zero to below a bound, which has to be positive.
  mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }

  mutating func once(in count: Int) -> Bool { below(count) == 0 }

  mutating func pick<Elements: Collection>(_ elements: Elements) -> Elements.Element? {
    elements.randomElement(using: &self)
  }

  /// Returns a range inside a count of things, short more often than long.
  mutating func range(in count: Int) -> Range<Int> {
    guard count > 0 else { return 0..<0 }
    let start = below(count)
    let longest = pick([1, 4, 16, 64, 1024, count]) ?? 1
    return start..<min(count, start + 1 + below(longest))
  }
}
