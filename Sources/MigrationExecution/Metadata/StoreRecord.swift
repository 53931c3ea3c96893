package import MigrationPlanning
package import ObjectModel

/// The metadata of a store.
package struct StoreRecord: Hashable, Sendable {
  /// The store's identity in the metadata schema, a UUID.
  package let id: String
  /// The configuration that the store holds; none for the whole model.
  package let configurationName: String?
  /// The version that it is at.
  package let versionName: String
  /// The hash of that version.
  package let checksum: VersionHash
  /// The digest of all that became DDL.
  package let layoutDigest: VersionHash
  /// The version of the rules by which the model became tables.
  package let layoutRules: Int
  /// The unfinished copy job, if it was read.
  package internal(set) var unfinishedJobID: String?
  /// A Boolean value that indicates whether a migration has left deferred work that a release of
  /// the version relies on, if it was read.
  package let isUnfinished: Bool
  /// A Boolean value that indicates whether tables need further partitions by now; `nil` if none ever does, or
  /// it was not read.
  package let lacksPartitions: Bool?
  /// The versions that are served, without their views, if they were read.
  package let served: [VersionInterface]
  /// The layout of the metadata.
  package let metadataLayout: Int
  /// A digest of the files by which it is at the version, if it was read and is known.
  package let filesDigest: String?
}

extension StoreRecord {
  /// Returns whether releases on a version find their tables, though the database is at another one.
  package func serves(_ version: VersionIdentity) -> Bool {
    served.contains {
      $0.version.name == version.name && $0.version.checksum == version.checksum
    }
  }

  /// The version that the store is at.
  package var identity: VersionIdentity {
    VersionIdentity(name: versionName, checksum: checksum, layoutDigest: layoutDigest)
  }
}
