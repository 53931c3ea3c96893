internal import MigrationPlanning
internal import ObjectModel

extension MigrationStep {
  /// Returns whether the step begins, or goes on, where the metadata says that the store is.
  ///
  /// - Parameters:
  ///   - presence: What the metadata says.
  ///   - done: How many statements of a creation are committed.
  /// - Returns: Whether it is what the step was planned for.
  func follows(_ presence: MetadataStore.Presence, after done: Int) -> Bool {
    switch (presence, source) {
    case (.noStore, nil): done == 0
    case (.creating(let record), nil):
      record.done == done && done > 0 && record.planDigest == digest
    case (.store(let record), let source?):
      record.versionName == source.name && record.checksum == source.hashes.checksum
        && record.layoutDigest == source.hashes.layoutDigest
    case (.noMetadata, _), (.noStore, _?), (.creating, _?), (.store, nil): false
    }
  }
}
