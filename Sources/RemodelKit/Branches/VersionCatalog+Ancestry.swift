internal import Diagnostics
internal import ModelLoading
internal import ModelMapping
internal import ObjectModel

extension LoadedVersion {
  /// The version with what it was made from.
  var asMade: VersionAncestry.Version {
    VersionAncestry.Version(name: name, base: base, bases: bases)
  }
}

extension VersionCatalog {
  /// What each version of the bundle was made from.
  func ancestry() -> VersionAncestry { ancestry(of: bundle.versions) }

  fileprivate func ancestry(of versions: [ModelVersion]) -> VersionAncestry {
    VersionAncestry(
      of: versions.map { version in
        if let loaded = try? load(version) { return loaded.asMade }
        // A version with faults is like no other.
        let unknown = VersionBase(checksum: VersionHash(text: version.path), layoutDigest: nil)
        return VersionAncestry.Version(name: version.name, base: unknown, bases: [])
      }
    )
  }

  /// Refuses versions that lead apart: only one of them can be current, and the changes of the other
  /// one would be lost.
  func checkForks() throws(RemodelError) {
    for part in bundle.bundlesOfVersions where hasBases(part) {
      guard let fork = BundleAncestry(part.versions, self).forks.first else { continue }
      throw RemodelError(.fork(fork))
    }
  }

  /// Returns whether versions of a bundle say what they were made from.
  func hasBases(_ part: ModelBundle) -> Bool {
    files.bases.value(for: part.path) { part.hasBases }
  }

  /// The faults and warnings of versions that lead apart.
  func ancestryDiagnostics() -> [Diagnostic] {
    bundle.bundlesOfVersions.flatMap { BundleAncestry($0.versions, self).diagnostics }
  }

  /// The warnings of versions that seem to lead apart, if the bundle is read as a whole anyway.
  var lostChanges: [Diagnostic] {
    bundle.bundlesOfVersions.flatMap { BundleAncestry($0.versions, self).lostChanges }
  }
}

/// The versions of one bundle, with what each was made from.
private struct BundleAncestry {
  private let versions: [ModelVersion]
  private let catalog: VersionCatalog
  private let ancestry: VersionAncestry

  init(_ versions: [ModelVersion], _ catalog: VersionCatalog) {
    self.versions = versions
    self.catalog = catalog
    ancestry = catalog.ancestry(of: versions)
  }

  /// The versions that lead apart.
  var forks: [VersionBranches] {
    ancestry.forks.map { branches($0.first, $0.second, over: $0.base, isCertain: true) }
  }

  /// The faults and warnings of versions that lead apart.
  var diagnostics: [Diagnostic] {
    let misplaced = ancestry.misplaced.map { position in
      Diagnostic(
        .warning,
        "version \"\(versions[position].name)\" stands before the version that it was made from",
        hint: "Put the versions into their order, in the file \"versions\" of the bundle.",
        location: SourceLocation(path: versions[position].path)
      )
    }
    return forks.map(\.diagnostic) + misplaced + lostChanges
  }

  /// A warning for each version that seems to be made from the one before its predecessor:
  /// it has nothing of what its predecessor added, and changes of its own.
  var lostChanges: [Diagnostic] {
    versions.indices.dropFirst(2).compactMap { position in
      let version = ancestry.versions[position]
      guard version.bases.isEmpty, ancestry.versions[position - 1].bases.count < 2,
        let base = ancestry.parents[position - 1].first,
        let before = try? catalog.load(versions[base]),
        let predecessor = try? catalog.load(versions[position - 1]),
        let loaded = try? catalog.load(versions[position])
      else { return nil }
      let added = PartNames(of: predecessor.model).subtracting(PartNames(of: before.model))
      let own = PartNames(of: loaded.model)
      guard !added.isEmpty, added.isDisjoint(with: own),
        !own.subtracting(PartNames(of: before.model)).isEmpty
      else { return nil }
      return branches(position - 1, position, over: base, isCertain: false).diagnostic
    }
  }

  private func branches(
    _ first: Int,
    _ second: Int,
    over base: Int?,
    isCertain: Bool
  ) -> VersionBranches {
    let before = base.flatMap { try? catalog.load(versions[$0]) }
    func branch(_ position: Int) -> VersionBranches.Branch {
      let version = versions[position]
      let model = (try? catalog.load(version))?.model
      let changes: [String]
      if let before, let model {
        changes = ModelDifference(from: before.model, to: model).changes.map(\.description)
      } else {
        changes = []
      }
      return VersionBranches.Branch(name: version.name, path: version.path, changes: changes)
    }
    return VersionBranches(
      base: before?.name,
      first: branch(first),
      second: branch(second),
      isCertain: isCertain
    )
  }
}

/// The canonical names of the parts of a model.
private typealias PartNames = Set<[String]>

extension PartNames {
  fileprivate init(of model: ManagedObjectModel) {
    self.init()
    for entity in model.entities {
      insert([entity.canonicalName])
      for attribute in entity.attributes {
        insert([entity.canonicalName, attribute.canonicalName])
      }
      for relationship in entity.relationships {
        insert([entity.canonicalName, relationship.canonicalName])
      }
    }
  }
}
