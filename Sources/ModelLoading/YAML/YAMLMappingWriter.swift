import ModelMapping

/// Makes our YAML of a mapping model; the reader's counterpart.
struct YAMLMappingWriter {
  private let mappingModel: MappingModel
  private let holes: [MappingElement: String]

  /// Returns the file of a mapping model.
  static func text(
    of mappingModel: MappingModel,
    source: MappedVersion,
    destination: MappedVersion,
    holes: [MappingHole]
  ) -> String {
    let writer = YAMLMappingWriter(
      mappingModel: mappingModel,
      holes: Dictionary(holes.map { ($0.element, $0.reason) }, uniquingKeysWith: { $0 + "; " + $1 })
    )
    return YAMLWriter.text(of: .section(writer.fields(source, destination)))
  }

  private func fields(_ source: MappedVersion, _ destination: MappedVersion) -> [YAMLField] {
    var fields = YAMLFields()
    fields.add("remodelMapping", constant: YAMLMappingReader.formatVersion)
    fields.add("source", source.name)
    fields.add("destination", destination.name)
    fields.add("sourceChecksum", source.checksum)
    fields.add("destinationChecksum", destination.checksum)
    fields.add("before", statements(mappingModel.before))
    let entities = mappingModel.entityMappings.indices.map { YAMLValue.section(entityMapping($0)) }
    // There has to be a key even if there are no entity mappings.
    fields.add("entities", entities.isEmpty ? .constant("[]") : .list(entities))
    fields.add("after", statements(mappingModel.after))
    return fields.entries
  }

  private func statements(_ templates: [SQLTemplate]) -> YAMLValue {
    guard templates.count == 1 else { return .list(templates.map { .lines($0.description) }) }
    return .lines(templates[0].description)
  }

  // MARK: - Entity mappings

  private func entityMapping(_ index: Int) -> [YAMLField] {
    let mapping = mappingModel.entityMappings[index]
    let defaultName = EntityMapping.defaultName(
      source: mapping.sourceEntityName,
      destination: mapping.destinationEntityName
    )
    var fields = YAMLFields()
    // A mapping without entities has nothing but its name.
    let isNamed = mapping.sourceEntityName != nil || mapping.destinationEntityName != nil
    if mapping.name != defaultName || !isNamed { fields.add("name", mapping.name) }
    fields.add("source", mapping.sourceEntityName)
    fields.add("destination", mapping.destinationEntityName)
    fields.add("hole", holes[.entityMapping(index)])
    if let hole = holes[.condition(entityMapping: index)] {
      fields.add("where", self.hole(hole))
    } else if let condition = mapping.condition {
      fields.add("where", .text(condition.description))
    }
    fields.add("distinct", mapping.distinct.map(distinct) ?? .list([]))
    fields.add("forEach", mapping.forEach)
    fields.add(
      "attributes",
      .section(
        mapping.attributeMappings.enumerated().filter {
          // The attributes that a policy sets are not written.
          !(mapping.instanceCreation?.attributes.contains($0.element.name) ?? false)
            || mapping.callsCode(for: $0.element.name)
        }.compactMap {
          property($0.element, .attributeMapping(entityMapping: index, $0.offset))
        }
      )
    )
    fields.add(
      "relationships",
      .section(
        mapping.relationshipMappings.enumerated().compactMap {
          property($0.element, .relationshipMapping(entityMapping: index, $0.offset))
        }
      )
    )
    fields.add("policy", policy(of: mapping, at: index))
    fields.add("dependsOn", .texts(mapping.dependsOn))
    fields.add("userInfo", .texts(mapping.userInfo))
    return fields.entries
  }

  private func hole(_ reason: String) -> YAMLValue { .fields([YAMLField("hole", .text(reason))]) }

  private func distinct(_ distinct: DistinctRows) -> YAMLValue {
    let keys = YAMLValue.list(distinct.keys.map(value))
    guard distinct.conflict != .first || !distinct.order.isEmpty else { return keys }
    var fields = YAMLFields()
    fields.add("keys", keys)
    if distinct.conflict != .first { fields.add("conflict", distinct.conflict.rawValue) }
    fields.add("order", .list(distinct.order.map(order)))
    return .fields(fields.entries)
  }

  private func order(_ order: DistinctRows.Order) -> YAMLValue {
    guard order.isDescending else { return value(order.expression) }
    return .fields([
      YAMLField("by", value(order.expression)), YAMLField("descending", .constant("true")),
    ])
  }

  /// Returns a property with its value; none if it gets nothing but its default.
  private func property(_ mapping: PropertyMapping, _ element: MappingElement) -> YAMLField? {
    let reason = holes[element]
    guard let value = value(of: mapping) else {
      return reason.map { YAMLField(mapping.name, hole($0)) }
    }
    guard reason != nil || !mapping.userInfo.isEmpty else { return YAMLField(mapping.name, value) }
    var fields = YAMLFields()
    fields.add("hole", reason)
    fields.add("value", value)
    fields.add("userInfo", .texts(mapping.userInfo))
    return YAMLField(mapping.name, .fields(fields.entries))
  }

  private func value(of mapping: PropertyMapping) -> YAMLValue? {
    switch mapping.valueExpression {
    case .sourceAttribute(let name): .text("$source.\(name)")
    case .destinationInstances(let name):
      .text(ValueExpression.destinationInstances(sourceRelationship: name).description)
    case .expression(let expression): value(expression)
    case nil: nil
    }
  }

  private func value(_ expression: Expression) -> YAMLValue {
    switch expression {
    case .constant(.number(let digits)): .constant(digits)
    case .negation(.constant(.number(let digits))): .constant("-\(digits)")
    case .constant(.boolean(let flag)): .constant(String(flag))
    case .constant(.null): .constant("null")
    default: .text(expression.description)  // All others are texts.
    }
  }

  private func policy(of mapping: EntityMapping, at index: Int) -> YAMLValue {
    var fields = YAMLFields()
    fields.add("class", mapping.policyClassName)
    fields.add("hole", holes[.policy(entityMapping: index)])
    for stage in SQLMigrationPolicy.Stage.allCases {
      guard let template = mapping.policy.statements[stage] else { continue }
      fields.add(stage.rawValue, .lines(template.description))
    }
    if fields.entries.count == 1, let only = fields.entries.first, only.key == "class" {
      return only.value
    }
    return .fields(fields.entries)
  }
}
