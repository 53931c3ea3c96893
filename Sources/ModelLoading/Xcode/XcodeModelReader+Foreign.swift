import ObjectModel

/// Contents without a meaning for a database.
extension XcodeModelReader {
  /// Returns the foreign rest of an element, with a warning for unknown parts.
  mutating func foreign(
    _ element: XcodeElement,
    others: [XMLElement] = [],
    known: Set<String>,
    elements: Set<String> = []
  ) -> ForeignContent {
    for attribute in element.rest where !known.contains(attribute.name) {
      warning(
        "unrecognized attribute \"\(attribute.name)\" of element \"\(element.element.name)\"",
        detail: "It is kept and has no effect.",
        at: element.element,
        attribute: attribute.name
      )
    }
    for other in others where !elements.contains(other.name) {
      warning(
        "unrecognized element \"\(other.name)\" in element \"\(element.element.name)\"",
        detail: "It is kept and has no effect.",
        at: other
      )
    }
    if !element.element.text.isEmpty {
      warning("text in element \"\(element.element.name)\" has no effect", at: element.element)
    }
    return ForeignContent(attributes: element.restByName, elements: others.map(ForeignElement.init))
  }

  /// Keeps the foreign rest of an element whose value cannot store it.
  mutating func keepLeftovers(
    of element: XcodeElement,
    named name: String,
    others: [XMLElement] = [],
    known: Set<String> = []
  ) {
    let foreign = foreign(element, others: others, known: known)
    guard !foreign.isEmpty else { return }
    leftovers.append(
      ForeignElement(
        name: element.element.name,
        attributes: foreign.attributes.merging(["name": name]) { _, name in name },
        elements: foreign.elements
      )
    )
  }
}

extension ForeignElement {
  init(_ element: XMLElement) {
    self.init(
      name: element.name,
      attributes: XcodeElement(element).restByName,
      elements: element.children.map(ForeignElement.init)
    )
  }
}
