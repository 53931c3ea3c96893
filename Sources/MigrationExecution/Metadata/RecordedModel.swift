public import ObjectModel

/// A version that a store has been at, as the metadata schema keeps it.
public struct RecordedModel: Hashable, Sendable {
  /// The version's name.
  public let name: String
  /// Its hash.
  public let checksum: VersionHash
  /// The digest of all that became DDL.
  public let layoutDigest: VersionHash

  /// Creates a version.
  package init(name: String, checksum: VersionHash, layoutDigest: VersionHash) {
    self.name = name
    self.checksum = checksum
    self.layoutDigest = layoutDigest
  }
}
