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
  func ancestry() -> VersionAncestry {
    VersionAncestry(
      of: bundle.versions.map { version in
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
    guard bundle.mayFork, let fork = ancestry().forks.first else { return }
    throw RemodelError(.fork(branches(of: fork)))
  }

  private func branches(of fork: VersionAncestry.Fork) -> VersionBranches {
    branches(fork.first, fork.second, over: fork.base, isCertain: true)
  }

  private func branches(
    _ first: Int,
    _ second: Int,
    over base: Int?,
    isCertain: Bool
  ) -> VersionBranches {
    let before = base.flatMap { try? load(bundle.versions[$0]) }
    func branch(_ position: Int) -> VersionBranches.Branch {
      let version = bundle.versions[position]
      let model = (try? load(version))?.model
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

  /// The faults and warnings of versions that lead apart.
  func ancestryDiagnostics() -> [Diagnostic] {
    let ancestry = ancestry()
    let forks = ancestry.forks.map { branches(of: $0).diagnostic }
    let misplaced = ancestry.misplaced.map { position in
      Diagnostic(
        .warning,
        "version \"\(bundle.versions[position].name)\" stands before the version that it was made "
          + "from",
        hint: "Put the versions into their order, in the file \"versions\" of the bundle.",
        location: SourceLocation(path: bundle.versions[position].path)
      )
    }
    return forks + misplaced + lostChanges(ancestry)
  }

  /// Returns a warning for each version that seems to be made from the one before its predecessor:
  /// it has nothing of what its predecessor added, and changes of its own.
  func lostChanges(_ ancestry: VersionAncestry) -> [Diagnostic] {
    bundle.versions.indices.dropFirst(2).compactMap { position in
      let version = ancestry.versions[position]
      guard version.bases.isEmpty, ancestry.versions[position - 1].bases.count < 2,
        let base = ancestry.parents[position - 1].first,
        let before = try? load(bundle.versions[base]),
        let predecessor = try? load(bundle.versions[position - 1]),
        let loaded = try? load(bundle.versions[position])
      else { return nil }
      let added = PartNames(of: predecessor.model).subtracting(PartNames(of: before.model))
      let own = PartNames(of: loaded.model)
      guard !added.isEmpty, added.isDisjoint(with: own),
        !own.subtracting(PartNames(of: before.model)).isEmpty
      else { return nil }
      return branches(position - 1, position, over: base, isCertain: false).diagnostic
    }
  }

  /// The warnings of versions that seem to lead apart, if the bundle is read as a whole anyway.
  var lostChanges: [Diagnostic] { lostChanges(ancestry()) }
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
