internal import MigrationExecution
internal import MigrationPlanning
internal import ModelLoading
internal import ObjectModel

/// What the files say from which a version is read, told by their bytes alone.
///
/// A store keeps the digest of the files that were parsed when it was found at their version. As long as they
/// have the same bytes, nothing has to be parsed to know that it still is.
struct FilesDigest: Hashable {
  /// How files are read: it changes with every change of the readers or of the hashes after which a file may
  /// mean something else.
  private static let rules = 1

  private let versionName: String
  private let parts: [String]

  /// Creates the digest of the files of a catalog's current version, and of those that tell where it stands
  /// among the others; `nil` if the version is not in a file, or a file cannot be read.
  ///
  /// - Parameters:
  ///   - catalog: The versions.
  ///   - digest: Returns the digest of a version's file.
  init?(_ catalog: VersionCatalog, _ digest: (ModelVersion) -> String?) {
    let (bundle, configuration) = (catalog.bundle, catalog.configuration)
    guard bundle.isOfFiles, configuration.intoSchema == nil else { return nil }
    versionName = bundle.currentVersion.name
    var parts = [
      "files:\(Self.rules)", toolVersion, String(ModelProjection.layoutRules), bundle.name,
      configuration.configurationName ?? "", configuration.schema.name, versionName,
    ]
    for version in catalog.hasBases(bundle) ? bundle.versions : [bundle.currentVersion] {
      guard let digest = digest(version) else { return nil }
      parts += [version.name, digest]
    }
    self.parts = parts
  }

  /// Returns the digest by which a store is at a version.
  func text(at version: VersionIdentity) -> String {
    let texts = parts + [version.checksum.text, version.layoutDigest.text]
    return hexadecimalSHA256(of: texts.joined(separator: "\0").utf8)
  }

  /// Returns whether a store is known to be at the version of these files.
  func leads(to record: StoreRecord) -> Bool {
    record.versionName == versionName && record.filesDigest == text(at: record.identity)
  }
}

extension VersionCatalog {
  /// The digest of the files, without a look at their meaning.
  var filesDigest: FilesDigest? {
    FilesDigest(self) { version in
      try? files.digests.value(for: version) { () throws(ModelLoadingError) in
        try ModelLoader.fileDigest(version.path)
      }
    }
  }

  /// The digest of the files as they were parsed; `nil` if there is something to warn of each time.
  var parsedFilesDigest: FilesDigest? {
    guard let current = try? load(bundle.currentVersion), current.warnings.isEmpty else {
      return nil
    }
    return FilesDigest(self) { try? loadedModel(of: $0).fileDigest }
  }

  /// Loads the version that a user names if a file has it, of versions that do not lead apart.
  func target(_ name: String?) throws -> LoadedVersion? {
    try checkForks()
    return try fileVersion(name)
  }
}
