import Diagnostics
import ModelMapping

/// Entity mappings and their parts.
extension YAMLMappingReader {
  mutating func entityMapping(_ node: YAMLNode, at index: Int) -> EntityMapping {
    offsets[.entityMapping(index)] = node.offset
    let fields = fields(of: node, keys: YAMLKeys.entityMapping, in: "entity mapping \(index + 1)")
    let source = name(fields["source"], what: "source", of: .source(entityMapping: index))
    let destination = name(
      fields["destination"],
      what: "destination",
      of: .destination(entityMapping: index)
    )
    let name = text(fields["name"], what: "name")
    if let node = fields["name"] { offsets[.entityMapping(index)] = node.offset }
    var mapping = EntityMapping(
      name: name ?? EntityMapping.defaultName(source: source, destination: destination),
      type: .transform,
      sourceEntityName: source,
      destinationEntityName: destination,
      condition: predicate(fields["where"], of: .condition(entityMapping: index)),
      distinct: distinct(fields["distinct"], in: index),
      forEach: self.name(fields["forEach"], what: "forEach", of: .forEach(entityMapping: index)),
      userInfo: userInfo(fields["userInfo"])
    )
    for entry in entries(of: fields["attributes"], what: "attributes") {
      let position = mapping.attributeMappings.count
      let element = MappingElement.attributeMapping(entityMapping: index, position)
      mapping.attributeMappings.append(propertyMapping(entry, "attribute", of: element))
    }
    for entry in entries(of: fields["relationships"], what: "relationships") {
      let position = mapping.relationshipMappings.count
      let element = MappingElement.relationshipMapping(entityMapping: index, position)
      mapping.relationshipMappings.append(propertyMapping(entry, "relationship", of: element))
    }
    addPolicy(fields["policy"], to: &mapping, at: index)
    for item in items(of: fields["dependsOn"], what: "dependsOn") {
      guard let entity = text(item, what: "item of dependsOn") else { continue }
      offsets[.dependency(entityMapping: index, mapping.dependsOn.count)] = item.offset
      mapping.dependsOn.append(entity)
    }
    if let node = fields["hole"] { addHole(node, to: .entityMapping(index)) }
    mapping.type = mapping.authoredType
    return mapping
  }

  /// Returns a name of the model's.
  private mutating func name(
    _ node: YAMLNode?,
    what: String,
    of element: MappingElement
  ) -> String? {
    guard let node, !node.isNull else { return nil }
    offsets[element] = node.offset
    return text(node, what: what)
  }

  private mutating func propertyMapping(
    _ entry: YAMLEntry,
    _ kind: String,
    of element: MappingElement
  ) -> PropertyMapping {
    offsets[element] = entry.keyOffset
    let what = "\(kind) \"\(entry.key)\""
    var mapping = PropertyMapping(name: entry.key)
    var node = entry.value
    if case .mapping = node.content {
      let count = diagnostics.count
      let fields = fields(of: node, keys: YAMLKeys.propertyMapping, in: what)
      mapping.userInfo = userInfo(fields["userInfo"])
      if let hole = fields["hole"] { addHole(hole, to: element) }
      guard let value = fields["value"] else {
        if fields["hole"] == nil, diagnostics.count == count {
          error(
            "\(what) has to be an expression",
            hint: "Write an expression, or { hole: \"what is missing\" }.",
            at: node.offset
          )
        }
        return mapping
      }
      node = value
    }
    mapping.valueExpression = value(node, what: what, of: element).map { .expression($0) }
    return mapping
  }

  // MARK: - Distinct rows

  private mutating func distinct(_ node: YAMLNode?, in index: Int) -> DistinctRows? {
    guard let node, !node.isNull else { return nil }
    offsets[.distinct(entityMapping: index)] = node.offset
    guard case .mapping = node.content else {
      return DistinctRows(keys: keys(node, what: "distinct", in: index))
    }
    let fields = fields(of: node, keys: YAMLKeys.distinct, in: "distinct")
    if fields["keys"] == nil { error("distinct has no key \"keys\"", at: node.offset) }
    return DistinctRows(
      keys: keys(fields["keys"], what: "keys", in: index),
      conflict: choice(fields["conflict"], what: "conflict", among: Self.conflicts) ?? .first,
      order: order(fields["order"], in: index)
    )
  }

  private static let conflicts = DistinctRows.Conflict.allCases.map {
    (word: $0.rawValue, value: $0)
  }

  private mutating func keys(_ node: YAMLNode?, what: String, in index: Int) -> [Expression] {
    var keys: [Expression] = []
    let items = items(of: node, what: what)
    if let node, items.isEmpty {
      let isList = if case .sequence = node.content { true } else { node.isNull }
      if isList { error("\(what) lists nothing", at: node.offset) }
    }
    for item in items {
      let element = MappingElement.distinctKey(entityMapping: index, keys.count)
      if let key = value(item, what: "item of \(what)", of: element) { keys.append(key) }
    }
    return keys
  }

  private mutating func order(_ node: YAMLNode?, in index: Int) -> [DistinctRows.Order] {
    var order: [DistinctRows.Order] = []
    for item in items(of: node, what: "order") {
      let element = MappingElement.distinctOrder(entityMapping: index, order.count)
      guard case .mapping = item.content else {
        if let by = value(item, what: "item of order", of: element) {
          order.append(DistinctRows.Order(by))
        }
        continue
      }
      let fields = fields(of: item, keys: YAMLKeys.distinctOrder, in: "an item of order")
      let isDescending = boolean(fields["descending"], what: "descending") ?? false
      guard let node = fields["by"] else {
        error("item of order has no key \"by\"", at: item.offset)
        continue
      }
      if let by = value(node, what: "by", of: element) {
        order.append(DistinctRows.Order(by, isDescending: isDescending))
      }
    }
    return order
  }

  // MARK: - Policies

  /// Adds SQL by stage, or the name of a policy in Swift.
  private mutating func addPolicy(
    _ node: YAMLNode?,
    to mapping: inout EntityMapping,
    at index: Int
  ) {
    guard let node, !node.isNull else { return }
    let element = MappingElement.policy(entityMapping: index)
    offsets[element] = node.offset
    guard case .mapping = node.content else {
      mapping.policyClassName = text(node, what: "policy")
      return
    }
    let fields = fields(of: node, keys: YAMLKeys.policy, in: "policy")
    mapping.policyClassName = text(fields["class"], what: "class")
    if let node = fields["hole"] { addHole(node, to: element) }
    for stage in SQLMigrationPolicy.Stage.allCases {
      guard let node = fields[stage.rawValue] else { continue }
      let element = MappingElement.stage(entityMapping: index, stage)
      mapping.policy.statements[stage] = template(node, what: stage.rawValue, of: element)
    }
  }
}
