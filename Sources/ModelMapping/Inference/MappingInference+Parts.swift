internal import ObjectModel

extension MappingInference {
  /// Finds out what becomes of the values of an attribute, for each element if it is a composite.
  mutating func inferParts(
    from source: AttributeDescription,
    to destination: AttributeDescription,
    of pair: EntityPair
  ) {
    let parts = parts(from: source, to: destination)
    for (before, after) in parts.pairs {
      let property = PropertyPath(source.name, elements: before.path)
      switch AttributeConversion(from: before.description.type, to: after.description.type) {
      case .identical, .lossless: break
      case .checked:
        require(
          .valuesFit(property, before.description.type, into: after.description.type),
          of: pair.source
        )
      case .impossible:
        obstruct(
          pair.destination.name,
          PropertyPath(destination.name, elements: after.path).description,
          .incompatibleTypes(before: before.description.type, after: after.description.type)
        )
      }
      if !before.isRequired, after.isRequired, after.defaultValue == nil,
        destination.derivationExpression == nil
      {
        require(.noNulls(property), of: pair.source)
      }
    }
    inferAddition(of: parts.added, of: destination, to: pair)
    for element in parts.matchedByName { warnMatchedByName("element", element) }
  }

  /// A new attribute, or a new element of one, has to have a value for the rows that are there.
  mutating func inferAddition(
    of leaves: [AttributePart],
    of attribute: AttributeDescription,
    to pair: EntityPair
  ) {
    guard attribute.derivationExpression == nil else { return }
    for leaf in leaves where leaf.isRequired && leaf.defaultValue == nil {
      let property = PropertyPath(attribute.name, elements: leaf.path)
      require(.noRows(requiredProperty: property.description), of: pair.source)
    }
  }

  /// Returns where the elements of a composite come from.
  func elementMappings(
    from source: AttributeDescription,
    to destination: AttributeDescription
  ) -> [ElementMapping] {
    guard case .composite = destination.type else { return [] }
    return parts(from: source, to: destination).pairs
      .map { ElementMapping(path: $0.destination.path, sourcePath: $0.source.path) }
  }

  private func parts(
    from source: AttributeDescription,
    to destination: AttributeDescription
  ) -> PartMatching {
    PartMatching(from: source, to: destination, in: (matching.source, matching.destination))
  }
}
