/// A part that can be matched between two versions by a canonical name.
protocol CanonicallyNamed: Sendable {
  var name: String { get }
  var renamingIdentifier: String? { get }
  var canonicalName: String { get }
}

/// Who became whom: two lists matched by canonical names on both sides.
///
/// Where nothing matches by canonical name, the plain name does; that is worth a warning.
struct NameMatching<Element: CanonicallyNamed>: Sendable {
  private(set) var pairs: [(source: Element, destination: Element)] = []
  private(set) var added: [Element] = []
  private(set) var removed: [Element] = []
  /// Those of the destination that were matched by their plain names against their identifiers.
  private(set) var matchedByName: [Element] = []

  init(_ sources: [Element], _ destinations: [Element]) {
    // Most lists are the same on both sides.
    if Self.haveSameNames(sources, destinations) {
      pairs = zip(sources, destinations).map { ($0, $1) }
      return
    }
    let byCanonicalName = Self.index(sources, by: \.canonicalName)
    var matches = destinations.map { byCanonicalName[$0.canonicalName] }
    var taken = Set(matches.compactMap(\.self))

    let byName = Self.index(sources, by: \.name)
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

  private static func index(_ elements: [Element], by name: (Element) -> String) -> [String: Int] {
    var index: [String: Int] = [:]
    // Declared elements follow inherited ones, and hide them.
    for (position, element) in elements.enumerated() { index[name(element)] = position }
    return index
  }
}
