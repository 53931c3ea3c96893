public import ObjectModel

/// The metadata of a store that is being created in several transactions.
public struct CreationRecord: Hashable, Sendable {
  /// The version that the store is to be at.
  public let versionName: String
  /// The hash of that version.
  public let checksum: VersionHash
  /// The digest of its layout.
  public let layoutDigest: VersionHash
  /// Its model.
  public let model: ManagedObjectModel
  /// The digest of the plan.
  public let planDigest: String
  /// How many statements are done.
  public let done: Int
  /// How many statements there are.
  public let total: Int
}
