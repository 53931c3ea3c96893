import ObjectModel

/// `<entity>` and the lists of properties inside it.
extension XcodeModelReader {
  mutating func entity(_ root: XMLElement, at index: Int) -> [EntityDescription] {
    var element = XcodeElement(root)
    offsets[.entity(index)] = root.offset
    guard let name = required("name", of: &element) else { return [] }
    var entity = EntityDescription(
      name: name,
      superentityName: element.takeText("parentEntity"),
      isAbstract: boolean("isAbstract", of: &element),
      renamingIdentifier: renamingIdentifier(of: &element),
      versionHashModifier: element.takeText("versionHashModifier"),
      className: element.takeText("representedClassName")
    )
    var others: [XMLElement] = []
    for child in root.children {
      switch child.name {
      case "attribute":
        if let attribute = attribute(child) {
          offsets[.attribute(entity: index, entity.attributes.count)] = child.offset
          entity.attributes.append(attribute)
        }
      case "relationship":
        if let relationship = relationship(child) {
          offsets[.relationship(entity: index, entity.relationships.count)] = child.offset
          entity.relationships.append(relationship)
        }
      case "fetchedProperty":
        if let property = fetchedProperty(child) {
          offsets[.fetchedProperty(entity: index, entity.fetchedProperties.count)] = child.offset
          entity.fetchedProperties.append(property)
        }
      case "fetchIndex":
        if let fetchIndex = fetchIndex(child) {
          offsets[.fetchIndex(entity: index, entity.fetchIndexes.count)] = child.offset
          entity.fetchIndexes.append(fetchIndex)
        }
      case "compoundIndexes":
        for list in propertyLists(in: child, of: "compoundIndex", element: "index") {
          offsets[.compoundIndex(entity: index, entity.compoundIndexes.count)] = list.offset
          entity.compoundIndexes.append(list.names)
        }
      case "uniquenessConstraints":
        for list in propertyLists(in: child, of: "uniquenessConstraint", element: "constraint") {
          let position = entity.uniquenessConstraints.count
          offsets[.uniquenessConstraint(entity: index, position)] = list.offset
          entity.uniquenessConstraints.append(list.names)
        }
      case "userInfo": entity.userInfo.merge(userInfo(child)) { _, last in last }
      default: others.append(child)
      }
    }
    liftStorage(into: &entity, at: root)
    entity.foreign = foreign(element, others: others, known: Self.entityForeign)
    return [entity]
  }

  private static let entityForeign: Set = [
    "syncable", "codeGenerationType", "coreSpotlightDisplayNameExpression",
    "spotlightDisplayNameExpression",
  ]

  private mutating func liftStorage(into entity: inout EntityDescription, at root: XMLElement) {
    var settings = StorageSettings(takingFrom: &entity.userInfo)
    entity.tableName = settings.take("table")
    entity.key = settings.key(of: entity, at: root, &self)
    settings.liftNames(into: &entity)
    settings.liftIndexes(into: &entity, at: root, &self)
    settings.liftParameters(into: &entity, at: root, &self)
    entity.partitioning = settings.partitioning(of: entity, at: root, &self)
    entity.distribution = settings.distribution(of: entity, at: root, &self)
    settings.liftLayout(at: root, &self)
    let allowed = [
      "table", "key", "keyColumn", "keyGenerated", "check.NAME", "name.NAME", "indexSQL.NAME",
      "uniqueIndex.NAME", "storage.NAME", "partition", "partition.every", "partition.ahead",
      "partition.keep", "partition.values", "distribution", "distribution.colocateWith",
      "layout.constraints", "layout.indexNames", "layout.distribution",
    ]
    settings.refuseRest(at: root, allowed: allowed, &self)
  }

  /// Returns the lists of names two levels down, each with its place.
  private mutating func propertyLists(
    in root: XMLElement,
    of listName: String,
    element elementName: String
  ) -> [(names: [String], offset: Int)] {
    var lists: [(names: [String], offset: Int)] = []
    for list in root.children where isExpected(list, listName, in: root) {
      var names: [String] = []
      for child in list.children where isExpected(child, elementName, in: list) {
        var element = XcodeElement(child)
        if let name = required("value", of: &element) { names.append(name) }
        _ = foreign(element, others: child.children, known: [])
      }
      lists.append((names, list.offset))
    }
    return lists
  }

  mutating func isExpected(_ child: XMLElement, _ name: String, in parent: XMLElement) -> Bool {
    if child.name == name { return true }
    warning(
      "unrecognized element \"\(child.name)\" in element \"\(parent.name)\"",
      detail: "It has no effect.",
      at: child
    )
    return false
  }
}
