internal import Diagnostics
internal import ObjectModel

extension ModelBundle {
  /// Creates a bundle of the entities of several bundles, like `NSManagedObjectModel.mergedModel(from:)`.
  ///
  /// Each bundle has versions of its own. The current version of the result is made of their current
  /// versions, and called by their names: `3+2`, in the order of the bundles' names. Every other
  /// combination is a version, too, which is found by its name. Equal entities of one name occur once;
  /// others are an error that names both files. Relationships do not connect entities of different
  /// bundles.
  ///
  /// - Parameter bundles: The bundles; their order has no meaning.
  /// - Throws: An error if there are none, or two of one name.
  public init(merging bundles: [ModelBundle]) throws(ModelLoadingError) {
    var parts: [ModelBundle] = []
    for bundle in bundles where !parts.contains(where: { $0.path == bundle.path }) {
      if let other = parts.first(where: { $0.name == bundle.name }) {
        throw ModelLoadingError(
          .noBundle,
          [
            Diagnostic(
              "two bundles to merge are called \"\(bundle.name)\"",
              detail: "They are \"\(other.path)\" and \"\(bundle.path)\".",
              hint: "The database records the names of their versions: rename one of them."
            )
          ]
        )
      }
      parts.append(bundle)
    }
    parts.sort { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    if parts.count == 1 {
      self = parts[0]
      return
    }
    guard !parts.isEmpty else {
      throw ModelLoadingError(.noBundle, [Diagnostic("there are no bundles to merge")])
    }
    let name = parts.map(\.name).joined(separator: "+")
    let current = Self.combination(of: parts.map(\.currentVersion), in: name)
    self.init(
      name: name,
      path: name,
      versions: [current],
      currentVersion: current,
      warnings: parts.flatMap(\.warnings),
      content: .combination(parts)
    )
  }

  /// A Boolean value that indicates whether each part of the bundle is at a version of its own.
  package var isCombination: Bool {
    switch content {
    case .combination: true
    case .files, .models, .parts: false
    }
  }

  /// The bundles whose versions have files: the parts of a combination.
  package var bundlesOfVersions: [ModelBundle] {
    isCombination ? parts : [self]
  }

  /// All versions that have files: those of the parts, too.
  package var versionsWithFiles: [ModelVersion] { bundlesOfVersions.flatMap(\.versions) }

  private static func combination(of versions: [ModelVersion], in path: String) -> ModelVersion {
    let name = versions.map(\.name).joined(separator: "+")
    return ModelVersion(name: name, path: "\(path)/\(name)")
  }

  /// Returns the combination that a name means.
  func combination(named name: String) -> ModelVersion? {
    components(of: name).map { Self.combination(of: $0, in: path) }
  }

  /// Returns the version of each part in a combination, by its name.
  func components(of name: String) -> [ModelVersion]? {
    Self.components(of: name[...], in: parts[...])
  }

  /// A version's name may have a plus sign itself.
  private static func components(
    of name: Substring,
    in parts: ArraySlice<ModelBundle>
  ) -> [ModelVersion]? {
    guard let part = parts.first else { return nil }
    for version in part.versions {
      if parts.count == 1 {
        if version.name == name { return [version] }
      } else if name.hasPrefix(version.name + "+"),
        let rest = components(
          of: name.dropFirst(version.name.count + 1),
          in: parts.dropFirst()
        )
      {
        return [version] + rest
      }
    }
    return nil
  }

  /// Returns the name of the version of a part in a combination.
  package func version(of part: ModelBundle, inCombination name: String) -> String? {
    guard isCombination, let position = parts.firstIndex(where: { $0.path == part.path }) else {
      return nil
    }
    return components(of: name)?[position].name
  }

  /// Returns the versions among which a way leads from one to another, the older first.
  ///
  /// From a combination to a later one, the parts go on one after the other, each over its own versions.
  /// One with an earlier version of a part is earlier.
  package func versions(from source: String, to target: String) -> [ModelVersion] {
    guard isCombination, let start = components(of: source), let end = components(of: target) else {
      return isCombination ? [version(named: target)].compactMap(\.self) : versions
    }
    let positions = zip(parts, zip(start, end)).map { part, ends in
      (
        start: part.versions.firstIndex(of: ends.0) ?? 0,
        end: part.versions.firstIndex(of: ends.1) ?? 0
      )
    }
    if positions.allSatisfy({ $0.start <= $0.end }) { return way(from: start, to: end) }
    if positions.allSatisfy({ $0.start >= $0.end }) { return way(from: end, to: start) }
    return [end, start].map { Self.combination(of: $0, in: path) }
  }

  private func way(from start: [ModelVersion], to end: [ModelVersion]) -> [ModelVersion] {
    var current = start
    var way = [Self.combination(of: current, in: path)]
    for (index, part) in parts.enumerated() {
      guard let first = part.versions.firstIndex(of: start[index]),
        let last = part.versions.firstIndex(of: end[index])
      else { continue }
      for version in part.versions[first...last].dropFirst() {
        current[index] = version
        way.append(Self.combination(of: current, in: path))
      }
    }
    return way
  }
}
