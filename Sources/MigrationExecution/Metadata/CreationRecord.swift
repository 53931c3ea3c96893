package import MigrationPlanning
package import ObjectModel

/// The metadata of a store that is being created in several transactions.
package struct CreationRecord: Hashable, Sendable {
  /// The version that the store is to be at.
  package let versionName: String
  /// The hash of that version.
  package let checksum: VersionHash
  /// The digest of its layout.
  package let layoutDigest: VersionHash
  /// Its model.
  package let model: ManagedObjectModel
  /// The digest of the plan.
  package let planDigest: String
  /// How many statements are done.
  package internal(set) var done: Int
  /// How many statements there are.
  package let total: Int
}

extension CreationRecord {
  /// The version that the store is to be at.
  package var identity: VersionIdentity {
    VersionIdentity(name: versionName, checksum: checksum, layoutDigest: layoutDigest)
  }
}
