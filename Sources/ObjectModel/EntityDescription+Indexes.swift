extension EntityDescription {
  /// The indexes that the entity declares in any of the three syntaxes, each column list once.
  ///
  /// The kind of an element makes no difference: over scalars the database has one kind.
  public var declaredIndexes: [FetchIndexDescription] {
    let ofAttributes = attributes.filter { $0.isIndexed && !$0.isTransient }.map { [$0.name] }
    let plain = (ofAttributes + compoundIndexes).map { names in
      FetchIndexDescription(name: "", elements: names.map { .init(propertyName: $0) })
    }
    var indexes: [FetchIndexDescription] = []
    for index in fetchIndexes + plain where !index.elements.isEmpty || index.definition != nil {
      guard !indexes.contains(where: { $0.coversSame(as: index) }) else { continue }
      indexes.append(index)
    }
    return indexes
  }
}

extension FetchIndexDescription {
  fileprivate func coversSame(as other: FetchIndexDescription) -> Bool {
    partialPredicate == other.partialPredicate && definition == other.definition
      && isUnique == other.isUnique && elements.count == other.elements.count
      && zip(elements, other.elements).allSatisfy {
        $0.propertyName == $1.propertyName && $0.expression == $1.expression
          && $0.isAscending == $1.isAscending
      }
  }
}
