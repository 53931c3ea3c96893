internal import Diagnostics
internal import MigrationExecution
internal import MigrationPlanning
internal import ObjectModel

extension VersionCatalog {
  /// Refuses a draft whose rows would get into another database or schema.
  func checkDraftStays() throws(RemodelError) {
    if configuration.isDraft { throw RemodelError(.draftElsewhere) }
  }
}

extension DatabaseView {
  /// The versions that the database has been at as drafts only.
  var drafts: Set<VersionIdentity> {
    Set(visited.filter(\.isDraft).map(\.version))
  }

  /// A Boolean value that indicates whether the database is at a draft.
  var isAtDraft: Bool {
    guard case .store(let record) = presence else { return false }
    return drafts.contains(record.identity)
  }

  /// Refuses a draft of a version that is finished, and drafts on a database that is not for development.
  func checkDraft(_ target: LoadedVersion) throws(RemodelError) {
    guard catalog.configuration.isDraft else { return }
    guard marks.isDevelopment else { throw RemodelError(.notForDevelopment) }
    let applied = visited.filter { $0.version.name == target.name && !$0.isDraft }
    guard applied.isEmpty || applied.contains(where: { $0.version == target.identity }) else {
      throw RemodelError(.finishedVersion(target.name))
    }
  }

  /// Returns a warning for each version that was put below the one that the database is at since it
  /// came there.
  func insertedVersions() -> [Diagnostic] {
    guard case .store(let record) = presence, let lineage = marks.lineage,
      let position = catalog.bundle.versions.firstIndex(where: { $0.name == record.versionName })
    else { return [] }
    let visited = Set(visited.map(\.version.checksum))
    let known = Set(lineage)
    let ancestry = catalog.ancestry()
    return catalog.bundle.versions[..<position].enumerated().compactMap { index, version in
      guard !known.contains(version.name), let loaded = try? catalog.load(version),
        !visited.contains(loaded.hashes.checksum),
        // A later version may have been made from both.
        !catalog.bundle.versions.indices.dropFirst(position + 1)
          .contains(where: { ancestry.ancestors(of: $0, without: position).contains(index) })
      else { return nil }
      return Diagnostic(
        .warning,
        "version \"\(version.name)\" was put before version \"\(record.versionName)\" after the "
          + "database came to that, so the database does not get its changes",
        advice: """
          To have its changes in a version after the last one, run \
          \(CommandCall("model merge", version.name, record.versionName)).
          """,
        location: SourceLocation(path: version.path)
      )
    }
  }

  /// The warnings about versions that do not lead to the one that the database is at.
  func branchWarnings() -> [Diagnostic] {
    do {
      try catalog.checkForks()
      return insertedVersions()
    } catch {
      return error.warnings + insertedVersions()
    }
  }
}
