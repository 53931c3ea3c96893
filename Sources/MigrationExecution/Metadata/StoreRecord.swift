public import ObjectModel

/// The metadata of a store.
public struct StoreRecord: Hashable, Sendable {
  /// The store's identity in the metadata schema, a UUID.
  public let id: String
  /// The configuration that the store holds; none for the whole model.
  public let configurationName: String?
  /// The version that it is at.
  public let versionName: String
  /// The hash of that version.
  public let checksum: VersionHash
  /// The digest of all that became DDL.
  public let layoutDigest: VersionHash
  /// The version of the rules by which the model became tables.
  public let layoutRules: Int
  /// The unfinished copy job, if it was read.
  public internal(set) var unfinishedJobID: String?
  /// A Boolean value that indicates whether a migration has left deferred work that a release of
  /// the version relies on, if it was read.
  public let isUnfinished: Bool
}

extension StoreRecord {
  /// The version that the store is at.
  public var model: RecordedModel {
    RecordedModel(name: versionName, checksum: checksum, layoutDigest: layoutDigest)
  }
}
