/// How long to wait before something is tried again: twice as long each time, up to a bound.
struct Backoff: Hashable {
  /// The first wait, in seconds.
  let first: Double
  /// The longest wait, in seconds, before chance has its part.
  let longest: Double

  /// For the migration lock of another process.
  static let migrationLock = Backoff(first: 0.05, longest: 1)
  /// For locks that others hold.
  static let locks = Backoff(first: 0.1, longest: 2)
  /// For writers that leave too much for the last transaction.
  static let deferral = Backoff(first: 0.4, longest: 5)

  /// Returns a wait in seconds.
  ///
  /// - Parameters:
  ///   - attempts: The number of earlier attempts.
  ///   - jitter: A random number from 0 to 1, so that many do not try at once.
  /// - Returns: The wait, between half and one and a half times the one without jitter.
  func seconds(after attempts: Int, jitter: Double) -> Double {
    min(longest, first * Double(1 << min(max(attempts, 0), 16))) * (0.5 + jitter)
  }
}
