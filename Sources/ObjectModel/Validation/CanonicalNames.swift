import Diagnostics

/// The names by which the parts of something are matched between versions.
struct CanonicalNames {
  /// A name, as the renaming identifier of a part or as the name of one that has no other.
  struct Key: Hashable {
    let name: String
    let isIdentifier: Bool
  }

  private var parts: [Key: (name: String, element: ModelElement)] = [:]

  /// Adds a part.
  ///
  /// An identifier that is the name of a sibling tells less than the author of it thinks, but Xcode accepts it.
  ///
  /// - Parameters:
  ///   - name: The name of the part.
  ///   - canonicalName: The name by which it is matched.
  ///   - element: The part.
  /// - Returns: The key, if nothing had it before, and what is wrong with it.
  mutating func insert(
    _ name: String,
    _ canonicalName: String,
    _ element: ModelElement
  ) -> (key: Key?, complaint: ModelComplaint?) {
    let key = Key(name: canonicalName, isIdentifier: name != canonicalName)
    if let other = parts[key] {
      let fact = ModelComplaint.Fact.sharedCanonicalName(canonicalName, other: other.name)
      return (nil, ModelComplaint(element: element, fact: fact, severity: .error))
    }
    parts[key] = (name, element)
    let sibling = parts[Key(name: canonicalName, isIdentifier: !key.isIdentifier)]
    let complaint = sibling.map { sibling in
      ModelComplaint(
        element: key.isIdentifier ? element : sibling.element,
        fact: .identifierOfSibling(canonicalName),
        severity: .warning
      )
    }
    return (key, complaint)
  }

  mutating func reserveCapacity(_ count: Int) {
    parts.reserveCapacity(count)
  }

  /// Takes a part away that is out of scope.
  mutating func remove(_ key: Key) {
    parts[key] = nil
  }
}
