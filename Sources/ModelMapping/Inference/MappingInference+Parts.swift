internal import ObjectModel

extension MappingInference {
  /// Infers the origins of an attribute's values, by element if it is a composite.
  mutating func inferParts(
    from source: AttributeDescription,
    to destination: AttributeDescription,
    of entityName: String
  ) {
    let parts = parts(from: source, to: destination)
    for (before, after) in parts.pairs {
      let conversion = AttributeConversion(
        from: before.description.type,
        to: after.description.type,
        isReturn: matching.isReturn
      )
      switch conversion {
      case .identical, .lossless, .checked: break
      case .impossible:
        obstruct(
          entityName,
          PropertyPath(destination.name, elements: after.path).description,
          .incompatibleTypes(before: before.description.type, after: after.description.type)
        )
      }
    }
    for element in parts.matchedByName { warnMatchedByName("element", element) }
  }

  /// Returns the mapping of an attribute that both versions have.
  func mapping(
    from source: AttributeDescription,
    to destination: AttributeDescription
  ) -> PropertyMapping {
    func fallback(_ pair: PartMatching.Pair) -> AttributeValue? {
      !pair.source.isRequired && pair.destination.isRequired ? pair.destination.defaultValue : nil
    }
    var mapping = PropertyMapping(
      name: destination.name,
      valueExpression: .sourceAttribute(source.name)
    )
    guard destination.type.isComposite else {
      mapping.fallback = fallback((AttributePart(source), AttributePart(destination)))
      return mapping
    }
    let parts = parts(from: source, to: destination)
    mapping.elementMappings =
      parts.pairs.map {
        ElementMapping(
          path: $0.destination.path,
          sourcePath: $0.source.path,
          fallback: fallback($0)
        )
      } + parts.added.map { ElementMapping(path: $0.path, fallback: $0.defaultValue) }
    return mapping
  }

  private func parts(
    from source: AttributeDescription,
    to destination: AttributeDescription
  ) -> PartMatching {
    PartMatching(from: source, to: destination, in: (matching.source, matching.destination))
  }
}
