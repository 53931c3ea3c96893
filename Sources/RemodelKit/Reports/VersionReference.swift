public import ObjectModel

/// A version of a model by its name and hash.
public struct VersionReference: Hashable, Sendable {
  /// The name.
  public let name: String
  /// The hash of the whole version.
  public let checksum: VersionHash

  /// Creates a reference.
  package init(name: String, checksum: VersionHash) {
    self.name = name
    self.checksum = checksum
  }
}

/// A version in a bundle.
public struct VersionListing: Hashable, Sendable {
  /// The version's name.
  public let name: String
  /// The file or folder.
  public let path: String
  /// A Boolean value that indicates whether it is the current version.
  public let isCurrent: Bool
  /// Its hashes.
  public let hashes: ModelVersionHashes
  /// How many entities it has.
  public let entityCount: Int
}
