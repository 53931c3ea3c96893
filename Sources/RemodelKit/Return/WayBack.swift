internal import MigrationExecution
internal import ObjectModel

/// The earlier versions of a database, from its history: each migration adds one, and each revert
/// returns to it.
struct WayBack {
  /// A migration that has not been taken back.
  struct Leg: Hashable {
    /// The entry of the history.
    let id: Int
    let source: String
    let sourceChecksum: VersionHash?
    let target: String
    /// When it began, as ISO 8601 in UTC.
    let startedAt: String
  }

  /// The migrations, the last one first.
  private(set) var legs: [Leg] = []

  /// Follows a history.
  ///
  /// - Parameter entries: The entries, the earliest first.
  init(_ entries: [HistoryEntry]) {
    for entry in entries where entry.outcome == "succeeded" {
      switch entry.kind {
      case .migration:
        guard let source = entry.source else {
          legs = []
          continue
        }
        legs.insert(
          Leg(
            id: entry.id,
            source: source,
            sourceChecksum: entry.sourceChecksum,
            target: entry.target,
            startedAt: entry.startedAt
          ),
          at: 0
        )
      case .revert: if !legs.isEmpty { legs.removeFirst() }
      case .adoption: legs = []
      case .cleanup, .interfaces: continue
      }
    }
  }

  /// Returns how many migrations have to be taken back to be at a version; none if that is no way back.
  func count(to version: String) -> Int? {
    legs.firstIndex { $0.source == version }.map { $0 + 1 }
  }
}
