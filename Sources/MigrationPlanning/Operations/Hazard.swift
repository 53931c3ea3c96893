/// What may hurt about an operation.
public enum Hazard: String, Hashable, Sendable, CaseIterable, Comparable {
  /// Values are gone for good.
  case deletesData = "deletes-data"
  /// The whole table is written anew.
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

  /// What SQL may do of which nobody knows what it does.
  static let ofUnknownSQL = Set(allCases)

  /// Returns whether the first of two names comes first.
  public static func < (first: Self, second: Self) -> Bool { first.rawValue < second.rawValue }
}
