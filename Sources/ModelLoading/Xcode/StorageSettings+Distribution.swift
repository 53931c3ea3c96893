import ObjectModel

/// How Citus distributes the table of an entity.
extension StorageSettings {
  mutating func distribution(
    of entity: EntityDescription,
    at root: XMLElement,
    _ reader: inout XcodeModelReader
  ) -> DistributionDescription? {
    let setting = "setting \"\(Self.prefix)distribution\""
    let besides = "setting \"\(Self.prefix)distribution.colocateWith\""
    let text = take("distribution")
    let colocated = take("distribution.colocateWith")
    guard let text else {
      if colocated != nil {
        reader.error(
          "\(besides) has no \"\(Self.prefix)distribution\" beside it",
          detail: StorageWords.distributionSettings,
          at: root
        )
      }
      return nil
    }
    guard let arguments = ArgumentList(text)?.arguments, arguments.count == 1,
      let name = arguments.first, !name.text.isEmpty
    else {
      reader.error(
        "\(setting) is \"\(text)\"",
        detail: StorageWords.distributionSettings,
        at: root
      )
      return nil
    }
    guard !name.isQuoted else { return .rows(by: name.text, colocateWith: colocated) }
    guard name.text == DistributionDescription.Kind.reference.rawValue else {
      let property = entity.distributingProperty(calledAs: name.text)
      return .rows(by: property, colocateWith: colocated)
    }
    if colocated != nil {
      reader.error(
        "\(besides) is of no use to a reference table",
        detail: "All nodes have all of its rows.",
        at: root
      )
      return nil
    }
    return .reference
  }
}
