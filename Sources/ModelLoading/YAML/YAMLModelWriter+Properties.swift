import ObjectModel

/// Attributes and relationships.
extension YAMLModelWriter {
  func attribute(_ attribute: AttributeDescription) -> YAMLValue {
    var fields = YAMLFields()
    let mark = attribute.isOptional ? "?" : ""
    if attribute.type != .undefined {
      fields.add("type", "\(attribute.type)\(mark)")
    } else {
      fields.add("optional", ifSet: attribute.isOptional)
    }
    fields.add("transient", ifSet: attribute.isTransient)
    add(attribute.defaultValue, to: &fields)
    fields.add("defaultSQL", attribute.defaultExpression)
    fields.add("generatedSQL", attribute.generationExpression)
    fields.add("numbered", attribute.numbering?.rawValue)
    fields.add("validation", validation(attribute.validation))
    fields.add("derivation", attribute.derivationExpression)
    fields.add("renamingIdentifier", attribute.renamingIdentifier)
    fields.add("versionHashModifier", attribute.versionHashModifier)
    fields.add("column", attribute.columnName)
    fields.add("indexed", ifSet: attribute.isIndexed)
    fields.add("transformer", attribute.valueTransformerName)
    fields.add("userInfo", .texts(attribute.userInfo))
    add(attribute.foreign, to: &fields)
    if fields.entries.count == 1, let only = fields.entries.first, only.key == "type" {
      return only.value
    }
    return .fields(fields.entries)
  }

  private func add(_ value: AttributeValue?, to fields: inout YAMLFields) {
    switch value {
    case .boolean(let value): fields.add("default", constant: String(value))
    case .integer(let value): fields.add("default", constant: String(value))
    case .decimal(let digits): fields.add("default", constant: digits)
    case .double(let value): fields.add("default", constant: String(value))
    case .date(let seconds):
      fields.add("default", constant: canonicalDecimal(String(seconds)) ?? String(seconds))
    case .string(let text), .uuid(let text), .text(let text): fields.add("default", text)
    case nil: break
    }
  }

  private func validation(_ validation: AttributeValidation) -> YAMLValue {
    var fields = YAMLFields()
    fields.add("minimum", constant: validation.minimum)
    fields.add("maximum", constant: validation.maximum)
    fields.add("minimumLength", constant: validation.minimumLength.map { String($0) })
    fields.add("maximumLength", constant: validation.maximumLength.map { String($0) })
    fields.add("pattern", validation.pattern)
    fields.add("enforced", ifSet: validation.isEnforced)
    return .fields(fields.entries)
  }

  func relationship(_ relationship: RelationshipDescription) -> YAMLValue {
    var fields = YAMLFields()
    let minimum = relationship.minimumCount
    if relationship.isToMany {
      fields.add("toMany", relationship.destinationEntityName)
      if relationship.isOptional != (minimum == 0) {
        fields.add("optional", constant: String(relationship.isOptional))
      }
    } else {
      fields.add("to", relationship.destinationEntityName + (relationship.isOptional ? "?" : ""))
    }
    fields.add("inverse", relationship.inverseName)
    fields.add("transient", ifSet: relationship.isTransient)
    fields.add("ordered", ifSet: relationship.isOrdered)
    if relationship.deleteRule != .nullify {
      fields.add("delete", relationship.deleteRule.rawValue)
    }
    if minimum != 0 { fields.add("minimum", constant: String(minimum)) }
    if relationship.maximumCount != (relationship.isToMany ? 0 : 1) {
      fields.add("maximum", constant: String(relationship.maximumCount))
    }
    fields.add("renamingIdentifier", relationship.renamingIdentifier)
    fields.add("versionHashModifier", relationship.versionHashModifier)
    fields.add("column", relationship.columnName)
    fields.add("joinTable", relationship.joinTableName)
    fields.add("reference", reference(relationship.reference))
    fields.add("userInfo", .texts(relationship.userInfo))
    add(relationship.foreign, to: &fields)
    return .fields(fields.entries)
  }
}
