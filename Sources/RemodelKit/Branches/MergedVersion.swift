internal import Diagnostics
public import ModelLoading
internal import ModelMapping
internal import ObjectModel

/// A new version with the changes of two others, as the files that it will be: nothing is written
/// yet.
public struct MergedVersion: Sendable {
  /// The name of the new version.
  public let name: String
  /// The version that both were made from.
  public let base: VersionReference
  /// The version that stands first in the bundle.
  public let first: VersionReference
  /// The other version.
  public let second: VersionReference
  /// The new version's hash.
  public let checksum: VersionHash
  /// The files, that of the version first.
  public let files: [ModelConversion.File]
  /// The warnings: what a mapping model does on the way to one of the versions, the merge does not
  /// do on the way from the other one.
  public let warnings: [Diagnostic]

  /// Writes the files.
  ///
  /// - Throws: The error of the file system.
  public func write() throws {
    try ModelConversion.write(files)
  }
}

/// Merges two versions of a bundle into a new one.
struct MergeRun {
  private let catalog: VersionCatalog
  private let ancestry: VersionAncestry

  init(_ catalog: VersionCatalog) {
    self.catalog = catalog
    ancestry = catalog.ancestry()
  }

  func merged(
    _ names: (first: String, second: String),
    over baseName: String?,
    as newName: String?
  ) throws -> MergedVersion {
    guard catalog.bundle.isExtensible else {
      throw RemodelError(.noBundle(path: catalog.bundle.path))
    }
    var (first, second) = (try catalog.version(names.first), try catalog.version(names.second))
    // In the order of the bundle, so that the same files are written whichever is named first.
    if let one = position(of: first), let other = position(of: second), other < one {
      swap(&first, &second)
    }
    let base = try baseName.map { try catalog.version($0) } ?? base(of: first, second)
    let models = try [base, first, second].map { try whole($0) }
    let merge = ModelMerge(of: models[1], and: models[2], over: models[0])
    let name = newName ?? nextName
    guard catalog.bundle.version(named: name) == nil else {
      throw RemodelError(.versionExists(name))
    }
    try refuseConflicts(merge, first, second, named: name)
    let hashes = merge.model.versionHashes()
    return MergedVersion(
      name: name,
      base: base.reference,
      first: first.reference,
      second: second.reference,
      checksum: hashes.checksum,
      files: try catalog.bundle.adding(
        merge.model,
        named: name,
        madeFrom: [first.base, second.base],
        comment: "The changes of versions \"\(first.name)\" and \"\(second.name)\"."
      ),
      warnings: warnings(first, second, name)
    )
  }

  private func position(of version: LoadedVersion) -> Int? {
    catalog.bundle.versions.firstIndex { $0.path == version.path }
  }

  /// Returns the model as its file has it, whatever part of it a configuration holds.
  private func whole(_ version: LoadedVersion) throws -> ManagedObjectModel {
    try catalog.wholeModel(of: ModelVersion(name: version.name, path: version.path))
  }

  // MARK: - Base

  private func base(of first: LoadedVersion, _ second: LoadedVersion) throws -> LoadedVersion {
    let none = RemodelError(.noMergeBase(first: first.name, second: second.name))
    guard first.path != second.path else {
      throw RemodelError(.nothingToMerge(first: first.name, second: second.name))
    }
    guard let one = position(of: first), let other = position(of: second) else {
      // A version outside of the bundle names its base, or there is none.
      let outside = position(of: first) == nil ? first : second
      let found = ancestry.versions.indices.last { position in
        outside.bases.contains { $0.checksum == ancestry.versions[position].base.checksum }
      }
      // The other one may be in the bundle, on another branch.
      let inside = [first, second].compactMap { position(of: $0) }.first
      let base = found.flatMap { found in
        inside.map { ancestry.commonBase(of: found, and: $0) } ?? found
      }
      guard let base else { throw none }
      guard base != inside else {
        throw RemodelError(.nothingToMerge(first: first.name, second: second.name))
      }
      return try catalog.load(catalog.bundle.versions[base])
    }
    var base = ancestry.commonBase(of: one, and: other)
    if base == one {
      // By the order alone, the second one follows the first one.
      let isNamed =
        ancestry.line(from: one, to: other)?
        .allSatisfy { !ancestry.versions[$0].bases.isEmpty } ?? false
      guard !isNamed else {
        throw RemodelError(.nothingToMerge(first: first.name, second: second.name))
      }
      base = ancestry.parents[one].first
    }
    guard let base else { throw none }
    return try catalog.load(catalog.bundle.versions[base])
  }

  /// The name after the last one: its first number counts on, or it gets one.
  private var nextName: String {
    let last = catalog.bundle.versions.last?.name ?? "1"
    let digits = last.drop { !$0.isASCII || !$0.isNumber }.prefix { $0.isASCII && $0.isNumber }
    guard let number = Int(digits), number < Int.max - 1 else { return "\(last) 2" }
    let stem = last[..<digits.startIndex]
    // What stands behind the number is what the branch called its version.
    return "\(stem)\(number + 1)"
  }

  // MARK: - Conflicts

  private func refuseConflicts(
    _ merge: ModelMerge,
    _ first: LoadedVersion,
    _ second: LoadedVersion,
    named name: String
  ) throws {
    var faults = merge.conflicts.map { conflict in
      let places = [(first, conflict.first), (second, conflict.second)].map { version, side in
        let place = version.locations?.location(of: side.element).description ?? version.path
        return "\(place): \(side.value)"
      }
      return Diagnostic(
        "the versions differ in \(conflict.subject)",
        detail: places.joined(separator: "\n"),
        location: second.locations?.location(of: conflict.second.element)
      )
    }
    faults += merge.complaints.map {
      Diagnostic("what both versions changed does not fit together: \($0)")
    }
    if faults.isEmpty {
      do {
        _ = try catalog.planned(
          merge.model,
          name,
          merge.model.versionHashes(),
          nil,
          isInterpreted: first.isInterpreted || second.isInterpreted
        )
      } catch let error as any DiagnosticError {
        faults = error.diagnostics
      }
    }
    guard faults.isEmpty else {
      throw RemodelError(.mergeConflicts(first: first.name, second: second.name, faults))
    }
  }

  private func warnings(
    _ first: LoadedVersion,
    _ second: LoadedVersion,
    _ name: String
  ) -> [Diagnostic] {
    guard let mappings = try? MappingCatalog(catalog) else { return [] }
    return [(first, second), (second, first)].compactMap { mapped, other in
      let sources = catalog.bundle.versions.map(\.name)
        .filter { mappings.hasMappings(from: $0, to: mapped.name) }
      guard let source = sources.first else { return nil }
      return Diagnostic(
        .warning,
        "a mapping model leads from version \"\(source)\" to \"\(mapped.name)\", and none from "
          + "\"\(other.name)\" to \"\(name)\"",
        advice: """
          Where rows at "\(other.name)" are to change in the same way, write one with \
          \(CommandCall("mapping new", other.name, name)).
          """
      )
    }
  }
}

extension Remodel {
  /// Merges two versions that were made from one base into a new version.
  ///
  /// What one version changed is taken, and what both changed alike is taken once. The new version
  /// names both as its bases, so a database at either of them can be migrated to it.
  ///
  /// - Parameters:
  ///   - first: A version.
  ///   - second: Another version.
  ///   - base: The version that both were made from; by default the one that the files name.
  ///   - name: The name of the new version; by default the next one.
  /// - Returns: The new version, not yet written.
  /// - Throws: The faults of the files, or every conflict with its places.
  public func merge(
    _ first: String,
    _ second: String,
    over base: String? = nil,
    as name: String? = nil
  ) throws -> MergedVersion {
    try MergeRun(VersionCatalog(configuration)).merged((first, second), over: base, as: name)
  }
}
