import ObjectModel

/// Attributes and relationships.
extension XcodeModelWriter {
  func attribute(_ attribute: AttributeDescription) -> XMLTag {
    var tag = XMLTag("attribute")
    tag.add("name", attribute.name)
    tag.add("optional", ifSet: attribute.isOptional)
    tag.add("transient", ifSet: attribute.isTransient)
    if let word = attribute.type.xcodeStandIn {
      tag.add("attributeType", attribute.foreign.attributes["attributeType"] ?? word)
    } else if case .composite(let name) = attribute.type {
      tag.add("attributeType", "Composite")
      tag.add("composite", name)
    } else if attribute.type != .undefined {
      tag.add("attributeType", attribute.type.traits.xcodeNames.first)
    }
    addDefault(of: attribute, to: &tag)
    addValidation(of: attribute, to: &tag)
    tag.add("derived", ifSet: attribute.derivationExpression != nil)
    tag.add("derivationExpression", attribute.derivationExpression)
    tag.add("valueTransformerName", attribute.valueTransformerName)
    tag.add("indexed", ifSet: attribute.isIndexed)
    tag.add("elementID", attribute.renamingIdentifier)
    tag.add("versionHashModifier", attribute.versionHashModifier)
    tag.add(attribute.foreign.attributes)
    var userInfo = attribute.userInfo
    if attribute.type.xcodeStandIn != nil {
      userInfo.addSetting("type", attribute.type.description)
    }
    userInfo.addSetting("column", attribute.columnName)
    userInfo.addSetting("defaultSQL", attribute.defaultExpression)
    userInfo.addSetting("generatedSQL", attribute.generationExpression)
    userInfo.addSetting("numbered", attribute.numbering?.rawValue)
    if attribute.validation.isEnforced { userInfo.addSetting("enforce", "YES") }
    tag.children = self.userInfo(userInfo) + attribute.foreign.elements.map(XMLTag.init)
    return tag
  }

  private func addDefault(of attribute: AttributeDescription, to tag: inout XMLTag) {
    switch attribute.defaultValue {
    case .boolean(let value): tag.add("defaultValueString", value ? "YES" : "NO")
    case .integer(let value): tag.add("defaultValueString", String(value))
    case .double(let value): tag.add("defaultValueString", String(value))
    case .decimal(let text), .string(let text), .uuid(let text), .text(let text):
      tag.add("defaultValueString", text)
    case .date(let seconds):
      let text = String(seconds)
      tag.add("defaultDateTimeInterval", canonicalDecimal(text) ?? text)
    case nil: break
    }
  }

  private func addValidation(of attribute: AttributeDescription, to tag: inout XMLTag) {
    let validation = attribute.validation
    if attribute.type.hasLength {
      tag.add("minValueString", validation.minimumLength.map { String($0) })
      tag.add("maxValueString", validation.maximumLength.map { String($0) })
    } else if attribute.type == .date {
      tag.add("minDateTimeInterval", validation.minimum)
      tag.add("maxDateTimeInterval", validation.maximum)
    } else {
      tag.add("minValueString", validation.minimum)
      tag.add("maxValueString", validation.maximum)
    }
    tag.add("regularExpressionString", validation.pattern)
  }

  func relationship(_ relationship: RelationshipDescription) -> XMLTag {
    var tag = XMLTag("relationship")
    tag.add("name", relationship.name)
    tag.add("optional", ifSet: relationship.isOptional)
    tag.add("transient", ifSet: relationship.isTransient)
    tag.add("toMany", ifSet: relationship.isToMany)
    if relationship.minimumCount != 0 { tag.add("minCount", String(relationship.minimumCount)) }
    if relationship.maximumCount != 0 { tag.add("maxCount", String(relationship.maximumCount)) }
    tag.add("ordered", ifSet: relationship.isOrdered)
    let rules = XcodeModelReader.deleteRules
    tag.add("deletionRule", XcodeModelWriter.word(for: relationship.deleteRule, among: rules))
    tag.add("destinationEntity", relationship.destinationEntityName)
    tag.add("inverseName", relationship.inverseName)
    if relationship.inverseName != nil {
      tag.add("inverseEntity", relationship.destinationEntityName)
    }
    tag.add("elementID", relationship.renamingIdentifier)
    tag.add("versionHashModifier", relationship.versionHashModifier)
    tag.add(relationship.foreign.attributes)
    var userInfo = relationship.userInfo
    userInfo.addSetting("column", relationship.columnName)
    userInfo.addSetting("joinTable", relationship.joinTableName)
    addReference(relationship.reference, to: &userInfo)
    tag.children = self.userInfo(userInfo) + relationship.foreign.elements.map(XMLTag.init)
    return tag
  }
}

extension AttributeType {
  /// Xcode's type for one of PostgreSQL's own types, which itself is written to user info; `nil`
  /// for Xcode's own types.
  var xcodeStandIn: String? {
    guard traits.xcodeNames.isEmpty else { return nil }
    // The application has the others as text, which is also how their defaults are written.
    if case .decimal = kind { return "Decimal" }
    return "String"
  }
}

extension XcodeModelWriter {
  /// Returns the first word that stands for a value.
  static func word<Value: Equatable>(
    for value: Value,
    among choices: [(word: String, value: Value)]
  ) -> String? {
    choices.first { $0.value == value }?.word
  }
}
