internal import ObjectModel

/// A part that can be matched between two versions by a canonical name.
protocol CanonicallyNamed: Sendable {
  var name: String { get }
  var renamingIdentifier: String? { get }
  var canonicalName: String { get }
  /// The name in the destination of a part that a plan has put back under another name.
  var reinstatedName: String? { get }
}

extension CanonicallyNamed {
  var reinstatedName: String? { nil }
}

/// Who became whom: two lists matched by canonical names on both sides.
///
/// Where nothing matches by canonical name, the plain name does; that is worth a warning.
///
/// A renaming identifier may be the name of a sibling, too. Then whatever has the identifier in both versions is
/// the same, and so is whatever has the name. An identifier that only the newer version has claims what has that
/// name in the older one, so that the newer version's part of that name is new; unless the older version has both
/// names already. Where only the older version has it, the name tells.
struct NameMatching<Element: CanonicallyNamed>: Sendable {
  private(set) var pairs: [(source: Element, destination: Element)] = []
  private(set) var added: [Element] = []
  private(set) var removed: [Element] = []
  /// Those of the destination that were matched by their plain names against their identifiers.
  private(set) var matchedByName: [Element] = []
  /// Pairs of which an identifier claims one although the other version has another part of its name.
  private(set) var claimed: [(source: Element, destination: Element)] = []

  /// Matches two lists.
  ///
  /// - Parameters:
  ///   - sources: The parts of the source.
  ///   - destinations: The parts of the destination.
  ///   - isReturn: Whether the destination is the older version.
  init(_ sources: [Element], _ destinations: [Element], isReturn: Bool = false) {
    // Most lists are the same on both sides.
    if Self.haveSameNames(sources, destinations) {
      pairs = zip(sources, destinations).map { ($0, $1) }
      return
    }
    let byCanonicalName = Self.index(sources, by: \.canonicalName)
    var matches = destinations.map { byCanonicalName[$0.canonicalName] }
    let shared = Self.sharedNames(sources).union(Self.sharedNames(destinations))
    if !shared.isEmpty {
      for position in destinations.indices
      where shared.contains(destinations[position].canonicalName) { matches[position] = nil }
      for name in shared.sorted() {
        let siblings = SiblingMatching(of: name, sources, destinations, isReturn: isReturn)
        for (source, destination) in siblings.pairs { matches[destination] = source }
        for (source, destination) in siblings.claimed {
          claimed.append((sources[source], destinations[destination]))
        }
      }
    }
    var taken = Set(matches.compactMap(\.self))

    let byName = matches.contains(nil) ? Self.index(sources, by: \.name) : [:]
    for (position, destination) in destinations.enumerated() where matches[position] == nil {
      guard let source = byName[destination.name], taken.insert(source).inserted else { continue }
      matches[position] = source
      matchedByName.append(destination)
    }
    for (destination, match) in zip(destinations, matches) {
      if let match {
        pairs.append((sources[match], destination))
      } else {
        added.append(destination)
      }
    }
    removed = sources.indices.filter { !taken.contains($0) }.map { sources[$0] }
  }

  /// Returns whether both lists have the same names in the same order, none of them twice.
  private static func haveSameNames(_ sources: [Element], _ destinations: [Element]) -> Bool {
    guard sources.count == destinations.count, sources.count <= 16 else { return false }
    for (position, (source, destination)) in zip(sources, destinations).enumerated() {
      let name = source.canonicalName
      guard name == destination.canonicalName,
        !sources[..<position].contains(where: { $0.canonicalName == name })
      else { return false }
    }
    return true
  }

  /// Returns the names of parts that are the renaming identifiers of others; what a plan has put back has a
  /// part of the destination of its own.
  private static func sharedNames(_ elements: [Element]) -> Set<String> {
    let identifiers = elements.lazy
      .filter { $0.canonicalName != $0.name && $0.reinstatedName == nil }
      .map(\.canonicalName)
    guard !identifiers.isEmpty else { return [] }
    let names = elements.lazy.filter { $0.canonicalName == $0.name }.map(\.name)
    return Set(identifiers).intersection(names)
  }

  private static func index(_ elements: [Element], by name: (Element) -> String) -> [String: Int] {
    var index: [String: Int] = [:]
    // Declared elements follow inherited ones, and hide them.
    for (position, element) in elements.enumerated() { index[name(element)] = position }
    return index
  }
}

/// Who became whom among those of one canonical name, where a part has it as its identifier and a sibling as its
/// name.
private struct SiblingMatching<Element: CanonicallyNamed> {
  /// The positions of those that are the same.
  private(set) var pairs: [(source: Int, destination: Int)] = []
  /// Those of them of which an identifier claims one against a part of that name.
  private(set) var claimed: [(source: Int, destination: Int)] = []

  init(of name: String, _ sources: [Element], _ destinations: [Element], isReturn: Bool) {
    var before = sources.indices.filter { sources[$0].canonicalName == name }
    var after = destinations.indices.filter { destinations[$0].canonicalName == name }
    for source in before.reversed() {
      guard let reinstated = sources[source].reinstatedName,
        let destination = after.first(where: { destinations[$0].name == reinstated })
      else { continue }
      pairs.append((source, destination))
      before.removeAll { $0 == source }
      after.removeAll { $0 == destination }
    }
    // Declared elements follow inherited ones, and hide them.
    let named = (
      before.last { sources[$0].name == name }, after.last { destinations[$0].name == name }
    )
    let identified = (
      before.last { sources[$0].name != name }, after.last { destinations[$0].name != name }
    )
    if case (let source?, let destination?) = identified {
      pairs.append((source, destination))
    } else if let destination = identified.1, let source = named.0, named.1 != nil {
      let isElsewhere = Self.has(destinations[destination].name, sources)
      if !isReturn, !isElsewhere { claimed.append((source, destination)) }
    } else if let source = identified.0, let destination = named.1, named.0 != nil {
      let isElsewhere = Self.has(sources[source].name, destinations)
      if isReturn, !isElsewhere { claimed.append((source, destination)) }
    } else if let source = identified.0 ?? named.0, let destination = identified.1 ?? named.1 {
      pairs.append((source, destination))
      return
    }
    pairs += claimed
    if case (let source?, let destination?) = named, claimed.isEmpty {
      pairs.append((source, destination))
    }
  }

  /// Returns whether a part has a name that is not claimed by any identifier.
  private static func has(_ name: String, _ elements: [Element]) -> Bool {
    elements.contains { $0.name == name && $0.canonicalName == name }
  }
}

extension AttributeDescription {
  var reinstatedName: String? { userInfo[reinstatedNameKey] }
}

extension RelationshipDescription {
  var reinstatedName: String? { userInfo[reinstatedNameKey] }
}

extension EntityDescription {
  var reinstatedName: String? { userInfo[reinstatedNameKey] }
}

/// The key of user info for the name in the destination of what a plan puts back.
package let reinstatedNameKey = "remodel.reinstated"
