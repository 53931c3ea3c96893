import ObjectModel

/// What only Xcode has a use for.
extension YAMLModelReader {
  /// Returns what stands under `xcode` and `xcodeElements`.
  mutating func foreign(_ fields: [String: YAMLNode]) -> ForeignContent {
    ForeignContent(
      attributes: userInfo(fields["xcode"]),
      elements: items(of: fields["xcodeElements"], what: "xcodeElements").map { foreignElement($0) }
    )
  }

  private mutating func foreignElement(_ node: YAMLNode) -> ForeignElement {
    let place = "an element of xcodeElements"
    let fields = fields(of: node, keys: YAMLKeys.foreignElement, in: place)
    if fields["name"] == nil { error("\(place) has no key \"name\"", at: node.offset) }
    return ForeignElement(
      name: text(fields["name"], what: "name") ?? "",
      attributes: userInfo(fields["attributes"]),
      elements: items(of: fields["elements"], what: "elements").map { foreignElement($0) }
    )
  }

  /// Gives composites, whose own keys are their elements, what Xcode says of them besides.
  mutating func addForeign(_ node: YAMLNode?, to composites: inout [CompositeDescription]) {
    for entry in entries(of: node, what: "xcodeComposites") {
      let place = "xcodeComposites \"\(entry.key)\""
      let fields = fields(of: entry.value, keys: YAMLKeys.foreign, in: place)
      guard let index = composites.firstIndex(where: { $0.name == entry.key }) else {
        error("there is no composite \"\(entry.key)\"", at: entry.keyOffset)
        continue
      }
      composites[index].foreign = foreign(fields)
    }
  }
}
