public import Diagnostics
internal import MigrationExecution
internal import MigrationPlanning
internal import ModelLoading
public import ObjectModel

/// A version of a model, loaded and hashed.
public struct LoadedVersion: Sendable {
  /// The version's name.
  public let name: String
  /// The file or folder, or where the metadata has it.
  public let path: String
  /// A Boolean value that indicates whether it is the bundle's current version.
  public let isCurrent: Bool
  /// The model: the part of it that a configuration names, where there is one.
  public let model: ManagedObjectModel
  /// The hashes of that model.
  public let hashes: ModelVersionHashes
  /// The versions that it was made from, as the file says: none in old files and in Xcode's,
  /// several after a merge.
  public let bases: [VersionBase]
  /// What the file of a version that is made from this one says of its base.
  public let base: VersionBase
  /// The warnings.
  public let warnings: [Diagnostic]

  /// The locations of its parts in the file; `nil` without a file.
  let locations: ModelLocations?
  /// A Boolean value that indicates whether odd parts of the model are interpreted where those of
  /// others are refused.
  let isInterpreted: Bool
  /// A Boolean value that indicates whether a database has been at it as a draft only.
  var isDraft = false

  /// The version by its name and hash.
  public var reference: VersionReference {
    VersionReference(name: name, checksum: hashes.checksum)
  }

  /// The version as a store at it has it recorded.
  var identity: VersionIdentity {
    VersionIdentity(name: name, checksum: hashes.checksum, layoutDigest: hashes.layoutDigest)
  }
}

extension LoadedVersion {
  /// Creates a version that only the metadata of a database has.
  init(_ archived: ArchivedModel) throws {
    let model = try archived.model
    let hashes = try ModelVersionHashes(of: model, recorded: archived.version)
    self.init(
      name: archived.version.name,
      path: archived.path,
      isCurrent: false,
      model: model,
      hashes: hashes,
      bases: [],
      base: VersionBase(hashes),
      warnings: [],
      locations: nil,
      isInterpreted: true,
      isDraft: archived.isDraft
    )
  }
}

extension ArchivedModel {
  /// A substitute for the path of a file, which no file has.
  var path: String { "metadata:\(version.name)" }
}

extension ModelVersionHashes {
  /// Creates the hashes of a model as they were recorded, with a layout that may be of earlier rules.
  ///
  /// - Throws: That the model is not the one that was recorded.
  init(of model: ManagedObjectModel, recorded: VersionIdentity) throws {
    let hashes = model.versionHashes()
    guard hashes.checksum == recorded.checksum else {
      throw RemodelError(.unknownVersion(recorded.name))
    }
    self.init(
      entities: hashes.entities,
      checksum: recorded.checksum,
      layoutDigest: recorded.layoutDigest
    )
  }
}
