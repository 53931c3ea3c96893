import Diagnostics
import ObjectModel

/// How Citus distributes tables.
extension YAMLModelReader {
  /// Returns a distribution: a word, or a mapping.
  mutating func distribution(
    _ node: YAMLNode,
    of entity: EntityDescription
  ) -> DistributionDescription? {
    let place = "the distribution of entity \"\(entity.name)\""
    guard case .mapping = node.content else {
      guard let text = text(node, what: "distribution") else { return nil }
      if text == DistributionDescription.Kind.reference.rawValue { return .reference }
      error(
        "unrecognized value \"\(text)\" of distribution",
        detail: StorageWords.distributions,
        hint: entity.declares(text) ? "Write distribution: { by: \(text) }." : nil,
        at: node.offset
      )
      return nil
    }
    let fields = fields(of: node, keys: YAMLKeys.distribution, in: place)
    guard let by = fields["by"] else {
      error("\(place) has no key \"by\"", at: node.offset)
      return nil
    }
    let colocated = text(fields["colocateWith"], what: "colocateWith")
    guard let name = text(by, what: "by") else { return nil }
    return .rows(by: entity.distributingProperty(calledAs: name), colocateWith: colocated)
  }
}

extension EntityDescription {
  /// Returns the property that a file means by a name that may stand for the key; `nil` if it means the key.
  func distributingProperty(calledAs name: String) -> String? {
    switch name {
    case DistributionDescription.ownKey: nil
    case "key": declares(name) ? name : nil
    default: name
    }
  }

  fileprivate func declares(_ name: String) -> Bool {
    attributes.contains { $0.name == name } || relationships.contains { $0.name == name }
  }
}
