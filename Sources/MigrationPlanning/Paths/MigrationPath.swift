package import ObjectModel

/// The path from the version of a database to the target.
///
/// The path is a pure function of the metadata and the bundle: it follows the versions of the
/// bundle in their order, and leads to an earlier version only on request.
package struct MigrationPath: Hashable, Sendable {
  /// The start of a step.
  package enum Start: Hashable, Sendable {
    /// At the version that the metadata holds.
    case recorded
    /// At a version of the bundle, by its position.
    case version(Int)
  }

  /// A step of the path.
  package struct Hop: Hashable, Sendable {
    /// The start.
    package let start: Start
    /// The version of the bundle that it leads to, by its position.
    package let end: Int
  }

  /// Why there is no path.
  package enum Refusal: Error, Hashable, Sendable {
    /// The database is at a version that the bundle leads up to only from behind.
    case newer(recorded: String)
    /// The database was at the target and has left it.
    case wentBack(recorded: String)
    /// An applied version has been edited, by name.
    case edited(String)
  }

  /// The steps; none if the database is at the target.
  package let hops: [Hop]

  /// Finds the path.
  ///
  /// - Parameters:
  ///   - recorded: The version of the database.
  ///   - visited: The versions that it has had, including the recorded one.
  ///   - versions: The versions of the bundle, the oldest first.
  ///   - target: The position of the target.
  ///   - isExplicit: Whether the user named the target, and so means an earlier version.
  ///   - isDirect: Whether to skip the versions between.
  ///   - naturalPosition: The position of a recorded version without a file in the bundle, by its
  ///     name; `nil` if the names of the bundle do not give its order.
  ///   - ancestry: What each version of the bundle was made from; by default the one before it.
  ///   - drafts: The versions that it has had as drafts only.
  ///   - isDraft: Whether the path may lead from a draft to its edited text.
  /// - Throws: The reason why there is none.
  package init(
    from recorded: VersionIdentity,
    visited: [VersionIdentity],
    over versions: [VersionIdentity],
    to target: Int,
    isExplicit: Bool,
    isDirect: Bool,
    naturalPosition: Int?,
    ancestry: VersionAncestry? = nil,
    drafts: Set<VersionIdentity> = [],
    isDraft: Bool = false
  ) throws(Refusal) {
    // A draft that was left has no part in what the database is now.
    let applied = visited.filter { version in
      !drafts.contains(version) || !isDraft && version.name == recorded.name
    }
    let edited = Self.editedVersion(
      applied,
      versions,
      recorded: recorded,
      target: target,
      ancestry
    )
    if let edited { throw .edited(edited) }
    if isDraft, drafts.contains(recorded),
      let position = versions.firstIndex(where: { $0.name == recorded.name })
    {
      guard position <= target || isExplicit else { throw .newer(recorded: recorded.name) }
      let stops = isDirect ? [target] : Self.stops(from: position, to: target, ancestry)
      let isFirst = recorded != versions[position] && position <= target && !isDirect
      if position == target {
        hops = recorded == versions[target] ? [] : [Hop(start: .recorded, end: target)]
      } else {
        hops = Self.hops(over: (isFirst ? [position] : []) + stops)
      }
      return
    }
    let position = Self.position(of: recorded, in: versions)
    if let position {
      if position == target {
        hops = recorded == versions[target] ? [] : [Hop(start: .recorded, end: target)]
        return
      }
      guard position < target || isExplicit else { throw .newer(recorded: recorded.name) }
      if !isExplicit, !isDraft, visited.contains(where: { $0.isSame(as: versions[target]) }) {
        throw .wentBack(recorded: recorded.name)
      }
      let stops = isDirect ? [target] : Self.stops(from: position, to: target, ancestry)
      hops = Self.hops(over: stops)
    } else if let next = ancestry?.version(madeFrom: recorded.checksum),
      let line = ancestry?.line(from: next, to: target)
    {
      // A version was made from the one without a file.
      hops = Self.hops(over: isDirect ? [target] : [next] + line)
    } else {
      // Its file is missing; the versions that the database has had give its predecessor.
      let lastVisited = visited.compactMap { Self.position(of: $0, in: versions) }.max()
      // Without either, it may be the latest version.
      let positions = [naturalPosition, lastVisited.map { $0 + 1 }].compactMap(\.self)
      let next = positions.max() ?? versions.count
      guard next <= target || isExplicit else { throw .newer(recorded: recorded.name) }
      if isDirect || next > target {
        hops = Self.hops(over: [target])
      } else {
        let line = ancestry?.line(to: target) ?? Array(0...target)
        hops = Self.hops(over: line.filter { $0 >= next })
      }
    }
  }

  private static func hops(over stops: [Int]) -> [Hop] {
    var hops: [Hop] = []
    for stop in stops {
      let start = hops.last.map { Start.version($0.end) } ?? .recorded
      hops.append(Hop(start: start, end: stop))
    }
    return hops
  }

  /// Returns the versions on the way from one to another: those that were made from each other, or
  /// else those between by the order of the bundle.
  private static func stops(
    from start: Int,
    to end: Int,
    _ ancestry: VersionAncestry?
  ) -> [Int] {
    if let line = ancestry?.line(from: start, to: end) { return line }
    if let line = ancestry?.line(from: end, to: start) {
      return Array(([end] + line.dropLast()).reversed())
    }
    return start < end ? Array((start + 1)...end) : Array((end..<start).reversed())
  }

  /// The version of the same name and hash, else one of the same hash.
  private static func position(of version: VersionIdentity, in versions: [VersionIdentity]) -> Int?
  {
    versions.firstIndex { $0.isSame(as: version) }
      ?? versions.firstIndex { $0.checksum == version.checksum }
  }

  /// An applied version may change only in its layout, and only while it is current.
  private static func editedVersion(
    _ visited: [VersionIdentity],
    _ versions: [VersionIdentity],
    recorded: VersionIdentity,
    target: Int,
    _ ancestry: VersionAncestry?
  ) -> String? {
    for (index, version) in versions.enumerated() {
      // Of two versions with one name, from two branches, a merge renamed one or took the other in.
      let applied = visited.filter { applied in
        guard applied.name == version.name else { return false }
        let isMerged = ancestry?.isMerged(applied.checksum) ?? false
        let isRenamed = versions.contains {
          $0.name != applied.name && $0.checksum == applied.checksum
            && $0.layoutDigest == applied.layoutDigest
        }
        return applied == version || !isMerged && !isRenamed
      }
      guard !applied.isEmpty, !applied.contains(version) else { continue }
      let isBehind =
        index == target && recorded.name == version.name && recorded.checksum == version.checksum
      if !isBehind { return version.name }
    }
    return nil
  }
}

extension VersionIdentity {
  fileprivate func isSame(as other: Self) -> Bool {
    name == other.name && checksum == other.checksum
  }
}
