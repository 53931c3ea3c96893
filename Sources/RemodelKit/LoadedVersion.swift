public import Diagnostics
internal import MigrationPlanning
internal import ModelLoading
public import ObjectModel

/// A version of a model, loaded and hashed.
public struct LoadedVersion: Sendable {
  /// The version's name.
  public let name: String
  /// The file or folder.
  public let path: String
  /// A Boolean value that indicates whether it is the bundle's current version.
  public let isCurrent: Bool
  /// The model: the part of it that a configuration names, where there is one.
  public let model: ManagedObjectModel
  /// The hashes of that model.
  public let hashes: ModelVersionHashes
  /// What may not have been meant.
  public let warnings: [Diagnostic]

  let locations: ModelLocations

  /// The version by its name and hash.
  public var reference: VersionReference {
    VersionReference(name: name, checksum: hashes.checksum)
  }

  var pathVersion: MigrationPath.Version {
    MigrationPath.Version(
      name: name,
      checksum: hashes.checksum,
      layoutDigest: hashes.layoutDigest
    )
  }
}
