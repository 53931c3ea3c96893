package import ObjectModel

/// A version that a store has been at, as the metadata schema keeps it.
package struct RecordedModel: Hashable, Sendable {
  /// The version's name.
  package let name: String
  /// Its hash.
  package let checksum: VersionHash
  /// The digest of all that became DDL.
  package let layoutDigest: VersionHash

  /// Creates a version.
  package init(name: String, checksum: VersionHash, layoutDigest: VersionHash) {
    self.name = name
    self.checksum = checksum
    self.layoutDigest = layoutDigest
  }
}
