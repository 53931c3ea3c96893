/// When a statement of a step runs.
public enum MigrationPhase: String, Hashable, Sendable, CaseIterable, Comparable {
  /// In transactions of their own, before anything changes for readers and writers.
  case copy
  /// In the transaction that records the version.
  case `switch`
  /// Right after it, before `migrate` ends: work that a release of the version relies on.
  case now
  /// When `finish` is called: work that no release has to wait for.
  case deferred

  /// Returns whether the first of two phases is earlier.
  public static func < (first: Self, second: Self) -> Bool { first.position < second.position }

  private var position: Int {
    switch self {
    case .copy: 0
    case .switch: 1
    case .now: 2
    case .deferred: 3
    }
  }
}
