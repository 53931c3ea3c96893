import Diagnostics

/// The contents of a bundle's folder, without the versions themselves.
struct BundleListing {
  let versions: [ModelVersion]
  let currentVersion: ModelVersion
  let warnings: [Diagnostic]

  init(versions: [ModelVersion], currentVersion: ModelVersion, warnings: [Diagnostic] = []) {
    self.versions = versions
    self.currentVersion = currentVersion
    self.warnings = warnings
  }

  init(single version: ModelVersion) {
    self.init(versions: [version], currentVersion: version)
  }

  /// Returns the versions among a bundle's entries in natural order.
  static func versions(
    in path: String,
    where isVersion: (String) -> Bool
  ) throws(ModelLoadingError) -> [ModelVersion] {
    let entries: [String]
    do {
      entries = try ModelFile.entries(of: path)
    } catch {
      throw ModelLoadingError(error.diagnostic)
    }
    let versions = entries.filter(isVersion)
      .map { ModelVersion(name: FilePath.split($0).stem, path: FilePath.join(path, $0)) }
      .sorted { naturallyPrecedes($0.name, $1.name) }
    for (version, next) in zip(versions, versions.dropFirst()) where version.name == next.name {
      throw ModelLoadingError(
        Diagnostic(
          "version \"\(version.name)\" has two files",
          detail: "They are \"\(version.path)\" and \"\(next.path)\".",
          hint: "Remove one of them."
        )
      )
    }
    return versions
  }
}
