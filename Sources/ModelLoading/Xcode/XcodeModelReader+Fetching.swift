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
        warning(
          "index element has to name either a property or an expression",
          detail: "It is left out.",
          at: child
        )
        continue
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
    var others = root.children
    property.userInfo = userInfo(besides: &others)
    for child in others where child.name == "fetchRequest" {
      property.fetchRequest = fetchRequest(child) ?? property.fetchRequest
    }
    others.removeAll { $0.name == "fetchRequest" }
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
    guard let name = element.take("name"), let entity = element.take("entity") else {
      warning(
        "fetch request has no name or no entity",
        detail: "It is left out; a database does not need it.",
        at: root
      )
      return nil
    }
    let predicate = element.takeText("predicateString")
    for child in root.children { _ = isExpected(child, "", in: root) }
    return FetchRequestTemplate(
      name: name,
      entityName: entity,
      predicate: predicate,
      options: element.restByName
    )
  }
}

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
      switch member.take("name") {
      case let entity? where members.contains(entity):
        warning(
          "configuration \"\(name)\" lists entity \"\(entity)\" twice",
          detail: "It is read once.",
          at: child
        )
      case let entity?: members.append(entity)
      case nil:
        warning(
          "configuration \"\(name)\" lists an entity without a name",
          detail: "It is left out.",
          at: child
        )
      }
      _ = foreign(member, others: child.children, known: [])
    }
    keepLeftovers(of: element, named: name, known: ["usedWithCloudKit"])
    return [ModelConfiguration(name: name, entityNames: members)]
  }
}
