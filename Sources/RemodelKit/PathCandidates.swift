internal import MigrationPlanning
internal import ModelLoading

/// The versions that a path can lead over: those whose files are valid.
///
/// A faulty one blocks only the paths over it, since nobody mends a version that no database is at any
/// more.
struct PathCandidates {
  /// The valid versions, the oldest first.
  private(set) var versions: [LoadedVersion] = []
  /// The others, each with the number of valid ones before it.
  private var faulty: [(name: String, position: Int, error: any Error)] = []

  /// Reads versions of a bundle, the oldest first.
  init(_ files: [ModelVersion], _ catalog: VersionCatalog) {
    for version in files {
      do {
        versions.append(try catalog.load(version))
      } catch {
        faulty.append((version.name, versions.count, error))
      }
    }
  }

  /// Checks that no faulty version is on a path.
  ///
  /// - Parameters:
  ///   - path: The path over `versions`.
  ///   - recorded: The version that it starts at.
  /// - Throws: The faults of the first version that is.
  func checkVersions(on path: MigrationPath, from recorded: VersionIdentity) throws {
    guard let last = path.hops.last?.end else { return }
    let start = versions.firstIndex { $0.name == recorded.name }
    for (index, version) in faulty.enumerated() {
      let isBetween: Bool
      if let start {
        isBetween =
          version.position > min(start, last) && version.position <= max(start, last)
      } else if let own = faulty.firstIndex(where: { $0.name == recorded.name }) {
        // Its file is faulty, too, but the metadata has its model.
        isBetween = index > own ? version.position <= last : index < own && version.position > last
      } else {
        isBetween =
          naturallyPrecedes(recorded.name, version.name) && version.position <= last
      }
      guard !isBetween else { throw version.error }
    }
  }
}
