internal import ObjectModel
internal import SQLSyntax

extension ModelProjection {
  /// Returns how the value of a column follows from others, if it does.
  func derivation(
    of origin: ColumnOrigin
  ) -> (attribute: AttributeDescription, isGenerated: Bool)? {
    guard case .attribute(let entityName, let name, path: []) = origin,
      let attribute = model.entity(named: entityName)?.attributes.first(where: { $0.name == name }),
      attribute.isComputed, let place = columns[origin]
    else { return nil }
    return (attribute, derivations[place] == nil)
  }
}

extension SchemaMatch {
  /// Returns the column of the source that the values of one of the destination are in.
  ///
  /// Values that somebody wrote are not those that are computed, and computed ones are not converted.
  func column(of sourceOrigin: ColumnOrigin, _ origin: ColumnOrigin) -> ColumnReference? {
    guard let before = source.columns[sourceOrigin] else { return nil }
    guard let after = destination.derivation(of: origin) else { return before }
    guard let derivation = source.derivation(of: sourceOrigin) else { return nil }
    let isConverted = !after.isGenerated && derivation.attribute.type != after.attribute.type
    return isConverted ? nil : before
  }
}
