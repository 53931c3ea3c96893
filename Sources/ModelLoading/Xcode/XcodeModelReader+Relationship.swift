import ObjectModel

/// `<relationship>`.
extension XcodeModelReader {
  mutating func relationship(_ root: XMLElement) -> RelationshipDescription? {
    var element = XcodeElement(root)
    let name = required("name", of: &element)
    let destination = required("destinationEntity", of: &element)
    let isToMany = boolean("toMany", of: &element)
    var maximum = count("maxCount", of: &element)
    if !isToMany, maximum == 0 { maximum = 1 }
    var relationship = RelationshipDescription(
      name: name ?? "",
      destinationEntityName: destination ?? "",
      inverseName: element.takeText("inverseName"),
      isToMany: isToMany,
      minimumCount: count("minCount", of: &element) ?? 0,
      maximumCount: maximum,
      isOrdered: boolean("ordered", of: &element),
      isOptional: boolean("optional", of: &element),
      isTransient: boolean("transient", of: &element),
      deleteRule: choice("deletionRule", of: &element, among: Self.deleteRules) ?? .nullify,
      renamingIdentifier: renamingIdentifier(of: &element),
      versionHashModifier: element.takeText("versionHashModifier")
    )
    checkInverseEntity(element.takeText("inverseEntity"), of: relationship, at: root)
    var others = root.children
    relationship.userInfo = userInfo(besides: &others)
    var settings = StorageSettings(takingFrom: &relationship.userInfo)
    relationship.columnName = settings.take("column")
    relationship.joinTableName = settings.take("joinTable")
    relationship.reference = settings.reference(at: root, &self)
    let allowed = ["column", "joinTable"] + YAMLKeys.reference
    settings.refuseRest(at: root, allowed: allowed, &self)
    relationship.foreign = foreign(element, others: others, known: Self.relationshipForeign)
    return name == nil || destination == nil ? nil : relationship
  }

  private mutating func checkInverseEntity(
    _ name: String?,
    of relationship: RelationshipDescription,
    at root: XMLElement
  ) {
    guard let name, name != relationship.destinationEntityName else { return }
    warning(
      "inverse entity \"\(name)\" of relationship \"\(relationship.name)\" is not its destination",
      detail: "The inverse is looked for in entity \"\(relationship.destinationEntityName)\".",
      at: root,
      attribute: "inverseEntity"
    )
  }

  static let deleteRules: [(word: String, value: RelationshipDescription.DeleteRule)] = [
    ("Nullify", .nullify), ("Cascade", .cascade), ("Deny", .deny), ("No Action", .noAction),
  ]

  private static let relationshipForeign: Set = [
    "syncable", "indexed", "spotlightIndexingEnabled", "storedInTruthFile",
  ]
}
