import ObjectModel

/// `<fetchIndex>`, `<fetchedProperty>`, `<fetchRequest>`.
extension XcodeModelReader {
  mutating func fetchIndex(_ root: XMLElement) -> FetchIndexDescription? {
    var element = XcodeElement(root)
    guard let name = required("name", of: &element) else { return nil }
    let predicate = element.takeText("partialIndexPredicate")
    var elements: [FetchIndexDescription.Element] = []
    for child in root.children where isExpected(child, "fetchIndexElement", in: root) {
      var part = XcodeElement(child)
      let property = part.takeText("property")
      let expression = part.takeText("expression")
      _ = part.take("expressionType")
      if (property == nil) == (expression == nil) {
        error("index element has to name either a property or an expression", at: child)
      }
      let kind = choice("type", of: &part, among: Self.indexKinds)
      let isAscending = choice(
        "order",
        of: &part,
        among: [("ascending", true), ("descending", false)]
      )
      elements.append(
        .init(
          propertyName: property,
          expression: expression,
          kind: kind ?? .binary,
          isAscending: isAscending ?? true
        )
      )
      _ = foreign(part, others: child.children, known: [])
    }
    keepLeftovers(of: element, named: name)
    return FetchIndexDescription(name: name, elements: elements, partialPredicate: predicate)
  }

  static let indexKinds: [(word: String, value: FetchIndexDescription.Element.Kind)] = [
    ("Binary", .binary), ("RTree", .rTree),
  ]

  mutating func fetchedProperty(_ root: XMLElement) -> FetchedPropertyDescription? {
    var element = XcodeElement(root)
    guard let name = required("name", of: &element) else { return nil }
    var property = FetchedPropertyDescription(name: name)
    var others: [XMLElement] = []
    for child in root.children {
      switch child.name {
      case "fetchRequest": property.fetchRequest = fetchRequest(child)
      case "userInfo": property.userInfo.merge(userInfo(child)) { _, last in last }
      default: others.append(child)
      }
    }
    keepLeftovers(
      of: element,
      named: name,
      others: others,
      known: ["optional", "syncable", "transient", "elementID", "versionHashModifier"]
    )
    return property
  }

  mutating func fetchRequest(_ root: XMLElement) -> FetchRequestTemplate? {
    var element = XcodeElement(root)
    let name = required("name", of: &element)
    let entity = required("entity", of: &element)
    guard let name, let entity else { return nil }
    let predicate = element.takeText("predicateString")
    for child in root.children {
      _ = isExpected(child, "", in: root)
    }
    return FetchRequestTemplate(
      name: name,
      entityName: entity,
      predicate: predicate,
      options: element.restByName
    )
  }
}
