internal import ObjectModel

extension MappingInference {
  /// Asks that there be no duplicates where the destination has a uniqueness constraint that the
  /// source does not have, or where nulls are filled that may differ from one another before.
  mutating func inferUniqueness(
    of pair: EntityPair,
    _ attributes: NameMatching<AttributeDescription>,
    _ relationships: NameMatching<RelationshipDescription>
  ) {
    guard !pair.destination.uniquenessConstraints.isEmpty else { return }
    let attributesByName = Dictionary(
      attributes.pairs.map { ($0.destination.name, $0) },
      uniquingKeysWith: { first, _ in first }
    )
    let sourceRelationships = Dictionary(
      relationships.pairs.map { ($0.destination.name, $0.source.name) },
      uniquingKeysWith: { first, _ in first }
    )
    let added = Dictionary(
      attributes.added.map { ($0.name, $0) },
      uniquingKeysWith: { first, _ in first }
    )
    let before = Set(pair.source.uniquenessConstraints.map { Set($0) })

    for constraint in pair.destination.uniquenessConstraints {
      let names = constraint.map {
        attributesByName[$0]?.source.name ?? sourceRelationships[$0]
      }
      var values: [DataPrecondition.UniqueValue] = []
      var isAlwaysNull = false
      for (name, sourceName) in zip(constraint, names) {
        if let match = attributesByName[name] {
          let isFilled = match.source.isOptional && !match.destination.isOptional
          let fill = isFilled ? match.destination.defaultValue : nil
          values.append(.init(property: match.source.name, fill: fill))
        } else if let sourceName {
          values.append(.init(property: sourceName, fill: nil))
        } else if let fill = added[name]?.defaultValue {
          values.append(.init(property: nil, fill: fill))
        } else {
          // Nulls are never duplicates of one another.
          isAlwaysNull = true
        }
      }
      // What was unique before stays so, unless several nulls become one value.
      let wasUnique = !names.contains(nil) && before.contains(Set(names.compactMap(\.self)))
      let isFilled = values.contains { $0.fill != nil }
      guard !isAlwaysNull, isFilled || !wasUnique else { continue }
      require(.noDuplicates(values), of: pair.source)
    }
  }
}
