/// A hazard of an operation.
public enum Hazard: String, Hashable, Sendable, CaseIterable, Comparable {
  /// It deletes values for good.
  case deletesData = "deletes-data"
  /// It rewrites a whole table.
  case rewritesTable = "rewrites-table"
  /// The whole table is read while it is locked.
  case scansTable = "scans-table"
  /// Others cannot even read while it runs.
  case blocksReads = "blocks-reads"
  /// Others cannot write while it runs.
  case blocksWrites = "blocks-writes"
  /// The rows may not allow it.
  case failsOnData = "fails-on-data"
  /// The release that runs on the previous version may fail afterwards.
  case breaksPreviousRelease = "breaks-previous-release"

  /// The possible hazards of SQL with unknown effects.
  static let ofUnknownSQL = Set(allCases)

  /// Returns whether the first of two names is less.
  public static func < (first: Self, second: Self) -> Bool { first.rawValue < second.rawValue }
}
