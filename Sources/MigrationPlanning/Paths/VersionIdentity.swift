package import ObjectModel

/// What a version is known by, in a bundle as in the metadata of a store.
package struct VersionIdentity: Hashable, Sendable {
  /// The name.
  package let name: String
  /// The hash of the whole version.
  package let checksum: VersionHash
  /// The digest of everything that becomes DDL.
  package let layoutDigest: VersionHash

  /// Creates the identity of a version.
  package init(name: String, checksum: VersionHash, layoutDigest: VersionHash) {
    self.name = name
    self.checksum = checksum
    self.layoutDigest = layoutDigest
  }
}
