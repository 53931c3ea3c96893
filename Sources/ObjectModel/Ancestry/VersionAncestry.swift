/// What each version of a bundle was made from.
///
/// A version without a base was made from the one before it, and so was one whose base is in no
/// file: that may have been edited since, or its file is gone.
package struct VersionAncestry: Hashable, Sendable {
  /// A version of a bundle, as its file has it.
  package struct Version: Hashable, Sendable {
    /// The name.
    package let name: String
    /// What versions made from it name as their base.
    package let base: VersionBase
    /// The versions that it was made from, as the file says.
    package let bases: [VersionBase]

    /// Creates a version.
    package init(name: String, base: VersionBase, bases: [VersionBase]) {
      self.name = name
      self.base = base
      self.bases = bases
    }
  }

  /// Two versions that were made from one base and lead apart.
  package struct Fork: Hashable, Sendable {
    /// The position of the version that stands first.
    package let first: Int
    /// The position of the other.
    package let second: Int
    /// The position of the version that both were made from; `nil` if it is in no file.
    package let base: Int?

    /// Creates a fork.
    package init(first: Int, second: Int, base: Int?) {
      self.first = first
      self.second = second
      self.base = base
    }
  }

  /// The versions, the oldest first.
  package let versions: [Version]
  /// The positions of the versions that each one was made from, in the order of the bundle; none
  /// for one that was made from nothing, or from a version that is in no file.
  package let parents: [[Int]]
  /// The positions of versions whose base is a later one by the order of the bundle.
  package let misplaced: [Int]

  /// Finds out what was made from what.
  ///
  /// - Parameter versions: The versions, the oldest first.
  package init(of versions: [Version]) {
    self.versions = versions
    var parents: [[Int]] = []
    var misplaced: [Int] = []
    var missing: Set<VersionBase> = []
    for (position, version) in versions.enumerated() {
      let found = version.bases.map { Self.position(of: $0, before: position, versions) }
      var known = Set(found.compactMap(\.self))
      if found.contains(nil),
        let later = version.bases.first(where: { base in
          versions[(position + 1)...].contains { $0.base == base }
        }), Self.position(of: later, before: position, versions) == nil
      {
        misplaced.append(position)
      }
      if known.isEmpty, position > 0 {
        // Two versions with the same base are apart, wherever that is.
        let isApart = version.bases.contains(where: missing.contains)
        if !isApart { known.insert(position - 1) }
      }
      if found.contains(nil) { missing.formUnion(version.bases) }
      parents.append(known.sorted())
    }
    self.parents = parents
    self.misplaced = misplaced
  }

  /// Returns the position of a base: of versions with one version hash that of the same layout, or
  /// else the nearest one.
  private static func position(
    of base: VersionBase,
    before end: Int,
    _ versions: [Version]
  ) -> Int? {
    let candidates = versions[..<end].indices.filter {
      versions[$0].base.checksum == base.checksum
    }
    return candidates.last { versions[$0].base.layoutDigest == base.layoutDigest }
      ?? candidates.last
  }

  // MARK: - Lines

  /// Returns whether a version was made from another one, or is the same.
  package func isOnLine(_ ancestor: Int, to version: Int) -> Bool {
    ancestors(of: version).contains(ancestor)
  }

  /// Returns the positions of a version and all that it was made from.
  ///
  /// - Parameters:
  ///   - version: The position of the version.
  ///   - passed: The position of a version that does not count, nor what only it was made from.
  /// - Returns: The positions.
  package func ancestors(of version: Int, without passed: Int? = nil) -> Set<Int> {
    var found: Set<Int> = [version]
    var open = [version]
    while let next = open.popLast() {
      for parent in parents[next] where parent != passed && found.insert(parent).inserted {
        open.append(parent)
      }
    }
    return found
  }

  /// Returns the positions on the way from a version to one that was made from it, the last one
  /// included; `nil` if it was not.
  ///
  /// Of several ways the one over the first parents is taken.
  package func line(from start: Int, to end: Int) -> [Int]? {
    guard isOnLine(start, to: end) else { return nil }
    var line: [Int] = []
    var current = end
    while current != start {
      line.append(current)
      guard let next = parents[current].first(where: { isOnLine(start, to: $0) }) else {
        return nil
      }
      current = next
    }
    return line.reversed()
  }

  /// Returns the positions of the versions that lead to one over the first parents, itself last.
  package func line(to end: Int) -> [Int] {
    var line = [end]
    while let parent = line.last.flatMap({ parents[$0].first }) { line.append(parent) }
    return line.reversed()
  }

  /// Returns the latest version that two versions were made from.
  package func commonBase(of first: Int, and second: Int) -> Int? {
    ancestors(of: first).intersection(ancestors(of: second)).max()
  }

  /// Returns the first version that was made from a version which is in no file.
  package func version(madeFrom checksum: VersionHash) -> Int? {
    versions.firstIndex { $0.bases.contains { $0.checksum == checksum } }
  }

  /// Returns whether a version merges one that is in no file.
  package func isMerged(_ checksum: VersionHash) -> Bool {
    !versions.contains { $0.base.checksum == checksum }
      && versions.contains { version in
        version.bases.count > 1 && version.bases.contains { $0.checksum == checksum }
      }
  }

  /// The versions that lead apart: the last one of each line but the first, with that of the line
  /// before.
  package var forks: [Fork] {
    let made = Set(parents.joined())
    let ends = versions.indices.filter { !made.contains($0) }
    return zip(ends, ends.dropFirst()).map {
      Fork(first: $0, second: $1, base: commonBase(of: $0, and: $1))
    }
  }
}
