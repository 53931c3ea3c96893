/// A lock mode of tables, in ascending order of strength.
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

  /// Creates a lock from the name that the server's table of locks has.
  package init?(serverName: String) {
    let found = Self.allCases.first { mode in
      mode.name.filter { $0 != " " } + "LOCK" == serverName.uppercased()
    }
    guard let found else { return nil }
    self = found
  }

  /// Returns whether two transactions cannot have these locks on one table at a time.
  package func conflicts(with other: LockMode) -> Bool {
    let (weaker, stronger) = (min(self, other), max(self, other))
    return switch weaker {
    case .accessShare: stronger == .accessExclusive
    case .rowShare: stronger >= .exclusive
    // Those who share a table with readers alone get along with one another.
    case .rowExclusive: stronger >= .share
    case .shareUpdateExclusive: true
    case .share: stronger != .share
    case .shareRowExclusive, .exclusive, .accessExclusive: true
    }
  }

  /// Returns whether the first of two locks keeps less from others.
  public static func < (first: Self, second: Self) -> Bool { first.rawValue < second.rawValue }
}
