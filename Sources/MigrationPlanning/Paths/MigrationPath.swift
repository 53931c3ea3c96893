internal import ObjectModel

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
  /// - Throws: The reason why there is none.
  package init(
    from recorded: VersionIdentity,
    visited: [VersionIdentity],
    over versions: [VersionIdentity],
    to target: Int,
    isExplicit: Bool,
    isDirect: Bool,
    naturalPosition: Int?
  ) throws(Refusal) {
    let position = Self.position(of: recorded, in: versions)
    if let edited = Self.editedVersion(visited, versions, recorded: recorded, target: target) {
      throw .edited(edited)
    }
    if let position {
      if position == target {
        hops = recorded == versions[target] ? [] : [Hop(start: .recorded, end: target)]
        return
      }
      guard position < target || isExplicit else { throw .newer(recorded: recorded.name) }
      if !isExplicit, visited.contains(where: { $0.isSame(as: versions[target]) }) {
        throw .wentBack(recorded: recorded.name)
      }
      let next = position < target ? position + 1 : position - 1
      hops = Self.hops(first: isDirect ? target : next, to: target)
    } else {
      // Its file is missing; the versions that the database has had give its predecessor.
      let lastVisited = visited.compactMap { Self.position(of: $0, in: versions) }.max()
      // Without either, it may be the latest version.
      let positions = [naturalPosition, lastVisited.map { $0 + 1 }].compactMap(\.self)
      let next = positions.max() ?? versions.count
      guard next <= target || isExplicit else { throw .newer(recorded: recorded.name) }
      hops = Self.hops(first: isDirect || next > target ? target : next, to: target)
    }
  }

  private static func hops(first: Int, to target: Int) -> [Hop] {
    var hops = [Hop(start: .recorded, end: first)]
    var current = first
    while current != target {
      let next = current < target ? current + 1 : current - 1
      hops.append(Hop(start: .version(current), end: next))
      current = next
    }
    return hops
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
    target: Int
  ) -> String? {
    for (index, version) in versions.enumerated() {
      let applied = visited.filter { $0.name == version.name }
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
