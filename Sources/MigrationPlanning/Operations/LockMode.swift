/// A lock on a table, in ascending order of what it keeps from others.
public enum LockMode: Int, Hashable, Sendable, Comparable, CaseIterable {
  case accessShare, rowShare, rowExclusive, shareUpdateExclusive, share, shareRowExclusive
  case exclusive, accessExclusive

  /// The name as PostgreSQL writes it.
  public var name: String {
    switch self {
    case .accessShare: "ACCESS SHARE"
    case .rowShare: "ROW SHARE"
    case .rowExclusive: "ROW EXCLUSIVE"
    case .shareUpdateExclusive: "SHARE UPDATE EXCLUSIVE"
    case .share: "SHARE"
    case .shareRowExclusive: "SHARE ROW EXCLUSIVE"
    case .exclusive: "EXCLUSIVE"
    case .accessExclusive: "ACCESS EXCLUSIVE"
    }
  }

  /// Returns whether the first of two locks keeps less from others.
  public static func < (first: Self, second: Self) -> Bool { first.rawValue < second.rawValue }
}
