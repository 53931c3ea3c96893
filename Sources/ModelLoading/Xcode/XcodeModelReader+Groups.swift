import ObjectModel

/// `<composite>` and `<configuration>`.
extension XcodeModelReader {
  mutating func composite(_ root: XMLElement, at index: Int) -> [CompositeDescription] {
    var element = XcodeElement(root)
    offsets[.composite(index)] = root.offset
    guard let name = required("name", of: &element) else { return [] }
    var elements: [AttributeDescription] = []
    var others: [XMLElement] = []
    for child in root.children {
      if child.name == "attribute" {
        guard let attribute = attribute(child) else { continue }
        offsets[.compositeElement(composite: index, elements.count)] = child.offset
        elements.append(attribute)
      } else {
        others.append(child)
      }
    }
    let foreign = foreign(element, others: others, known: ["syncable"], elements: ["userInfo"])
    return [CompositeDescription(name: name, elements: elements, foreign: foreign)]
  }

  mutating func configuration(_ root: XMLElement, at index: Int) -> [ModelConfiguration] {
    var element = XcodeElement(root)
    offsets[.configuration(index)] = root.offset
    guard let name = required("name", of: &element) else { return [] }
    var members: [String] = []
    for child in root.children where isExpected(child, "memberEntity", in: root) {
      var member = XcodeElement(child)
      if let name = required("name", of: &member) { members.append(name) }
      _ = foreign(member, others: child.children, known: [])
    }
    keepLeftovers(of: element, named: name, known: ["usedWithCloudKit"])
    return [ModelConfiguration(name: name, entityNames: members)]
  }
}
