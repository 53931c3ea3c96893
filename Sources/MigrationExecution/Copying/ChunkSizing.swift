/// How many ranges one transaction copies, such that it takes neither too long nor too short.
struct ChunkSizing: Hashable {
  /// The time that a transaction should take, in seconds.
  private let target: Double
  /// How many ranges the next transaction takes.
  private(set) var count = 1
  /// The weighted mean duration of a range in seconds, with more weight on later ones.
  private var cost: Double?

  /// The most that one transaction takes.
  private static let most = 256

  /// Creates a size to begin with.
  ///
  /// - Parameter target: The time that a transaction should take, in seconds.
  init(target: Double = 0.35) {
    self.target = target
  }

  /// Notes how long a transaction took.
  mutating func record(count done: Int, seconds: Double) {
    guard done > 0 else { return }
    let latest = seconds / Double(done)
    let mean = cost.map { 0.7 * $0 + 0.3 * latest } ?? latest
    cost = mean
    let fitting = Int((target / max(mean, 1e-6)).rounded(.down))
    // It grows slowly, and shrinks at once.
    count = min(max(1, fitting), count + max(1, count / 2), Self.most)
  }

  /// Notes that a transaction was too large for others, or for its time.
  mutating func recordFailure() {
    count = max(1, count / 2)
    cost = cost.map { $0 * 2 }
  }

  /// Takes ranges one by one again.
  mutating func isolate() {
    count = 1
  }
}
