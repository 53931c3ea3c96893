import ObjectModel

/// Entities and their parts.
extension YAMLModelReader {
  mutating func entity(_ entry: YAMLEntry, at index: Int) -> EntityDescription {
    offsets[.entity(index)] = entry.keyOffset
    let place = "entity \"\(entry.key)\""
    let fields = fields(of: entry.value, keys: YAMLKeys.entity, in: place)
    var entity = EntityDescription(
      name: entry.key,
      superentityName: text(fields["parent"], what: "parent"),
      isAbstract: boolean(fields["abstract"], what: "abstract") ?? false,
      renamingIdentifier: text(fields["renamingIdentifier"], what: "renamingIdentifier"),
      versionHashModifier: text(fields["versionHashModifier"], what: "versionHashModifier"),
      tableName: text(fields["table"], what: "table"),
      key: fields["key"].flatMap { key($0) } ?? .bigint,
      checks: checks(fields["checks"]),
      objectNames: names(fields["names"]),
      storage: storage(fields["storage"], of: place),
      partitioning: fields["partition"].flatMap { partitioning($0, of: place) },
      className: text(fields["class"], what: "class"),
      userInfo: userInfo(fields["userInfo"]),
      foreign: foreign(fields)
    )
    for attribute in entries(of: fields["attributes"], what: "attributes") {
      offsets[.attribute(entity: index, entity.attributes.count)] = attribute.keyOffset
      entity.attributes.append(self.attribute(attribute))
    }
    for relationship in entries(of: fields["relationships"], what: "relationships") {
      guard let value = self.relationship(relationship) else { continue }
      offsets[.relationship(entity: index, entity.relationships.count)] = relationship.keyOffset
      entity.relationships.append(value)
    }
    // What it names may be a property, or the key.
    entity.distribution = fields["distribution"].flatMap { distribution($0, of: entity) }
    for property in entries(of: fields["fetchedProperties"], what: "fetchedProperties") {
      offsets[.fetchedProperty(entity: index, entity.fetchedProperties.count)] = property.keyOffset
      entity.fetchedProperties.append(fetchedProperty(property))
    }
    for constraint in items(of: fields["unique"], what: "unique") {
      let names = texts(constraint, what: "uniqueness constraint")
      guard case .sequence = constraint.content else { continue }
      let position = entity.uniquenessConstraints.count
      offsets[.uniquenessConstraint(entity: index, position)] = constraint.offset
      entity.uniquenessConstraints.append(names)
    }
    for list in items(of: fields["compoundIndexes"], what: "compoundIndexes") {
      let position = entity.compoundIndexes.count
      offsets[.compoundIndex(entity: index, position)] = list.offset
      entity.compoundIndexes.append(texts(list, what: "compound index"))
    }
    for fetchIndex in entries(of: fields["indexes"], what: "indexes") {
      offsets[.fetchIndex(entity: index, entity.fetchIndexes.count)] = fetchIndex.keyOffset
      entity.fetchIndexes.append(self.fetchIndex(fetchIndex))
    }
    return entity
  }

  private mutating func fetchIndex(_ entry: YAMLEntry) -> FetchIndexDescription {
    let place = "index \"\(entry.key)\""
    guard case .mapping = entry.value.content else {
      let elements = items(of: entry.value, what: place).map { indexElement($0, of: place) }
      return FetchIndexDescription(name: entry.key, elements: elements)
    }
    let fields = fields(of: entry.value, keys: YAMLKeys.index, in: place)
    return FetchIndexDescription(
      name: entry.key,
      elements: items(of: fields["elements"], what: "elements").map { indexElement($0, of: place) },
      partialPredicate: text(fields["where"], what: "where"),
      definition: text(fields["sql"], what: "sql"),
      isUnique: boolean(fields["unique"], what: "unique") ?? false
    )
  }

  private mutating func indexElement(
    _ node: YAMLNode,
    of place: String
  ) -> FetchIndexDescription.Element {
    guard case .mapping = node.content else {
      return .init(propertyName: text(node, what: "element of \(place)"))
    }
    let fields = fields(of: node, keys: YAMLKeys.indexElement, in: "an element of \(place)")
    if (fields["property"] == nil) == (fields["expression"] == nil) {
      error("element of \(place) has to name either a property or an expression", at: node.offset)
    }
    return .init(
      propertyName: text(fields["property"], what: "property"),
      expression: text(fields["expression"], what: "expression"),
      kind: choice(fields["kind"], what: "kind", among: Self.indexKinds) ?? .binary,
      isAscending: !(boolean(fields["descending"], what: "descending") ?? false)
    )
  }

  private static let indexKinds: [(word: String, value: FetchIndexDescription.Element.Kind)] = [
    ("binary", .binary), ("rTree", .rTree),
  ]
}
