internal import ObjectModel

/// Matches the parts of two attributes: composites are compared element by element if both are
/// composites.
struct PartMatching {
  typealias Pair = (source: AttributePart, destination: AttributePart)

  private(set) var pairs: [Pair] = []
  /// Leaves of the destination that were not there before.
  private(set) var added: [AttributePart] = []
  /// Elements that were matched by their plain names against their renaming identifiers.
  private(set) var matchedByName: [AttributeDescription] = []
  private let models: (source: ManagedObjectModel, destination: ManagedObjectModel)

  init(
    from source: AttributeDescription,
    to destination: AttributeDescription,
    in models: (source: ManagedObjectModel, destination: ManagedObjectModel)
  ) {
    self.models = models
    match((AttributePart(source), AttributePart(destination)))
  }

  private mutating func match(_ pair: Pair) {
    guard let before = models.source.elements(of: pair.source),
      let after = models.destination.elements(of: pair.destination)
    else { return pairs.append(pair) }
    let elements = NameMatching(before, after)
    for pair in elements.pairs { match(pair) }
    added += elements.added.flatMap(models.destination.leaves)
    matchedByName += elements.matchedByName.map(\.description)
  }
}

extension AttributePart: CanonicallyNamed {
  var name: String { description.name }
  var renamingIdentifier: String? { description.renamingIdentifier }
  var canonicalName: String { description.canonicalName }
}

extension AttributeType {
  var isComposite: Bool { if case .composite = self { true } else { false } }
}
