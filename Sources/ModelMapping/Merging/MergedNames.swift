import ObjectModel

/// The names of merged parts by their keys, which references get back.
struct MergedNames {
  fileprivate let merge: ThreeWayMerge
  fileprivate var entities: [String: String] = [:]
  fileprivate var properties: [String: String] = [:]
  /// References to parts that one of the versions removed.
  fileprivate(set) var lost: [(subject: String, part: MergedPart, first: String, second: String)] =
    []

  init(_ merged: [(key: String, part: EntityDescription)], in merge: ThreeWayMerge) {
    self.merge = merge
    let sides = [merge.first, merge.second, merge.base]
    for (key, entity) in merged {
      entities[key] = entity.name
      if let names = merge.propertyNames[key] {
        for (propertyKey, name) in names { properties["\(key)/\(propertyKey)"] = name }
        continue
      }
      // A version has the entity as it is.
      let side = sides.first { $0.entities[key] == entity } ?? merge.first
      for (name, propertyKey) in side.propertyKeys[entity.name] ?? [:] {
        properties["\(key)/\(propertyKey)"] = name
      }
    }
  }

  // MARK: - References

  private mutating func entityName(
    _ key: String,
    _ subject: @autoclosure () -> String,
    _ part: MergedPart
  ) -> String {
    if let name = entities[key] { return name }
    let name = String(key.dropFirst())
    if !key.hasPrefix("?") { lose("entity \"\(name)\"", key, nil, subject(), part) }
    return name
  }

  private mutating func propertyName(
    _ key: String,
    _ subject: @autoclosure () -> String,
    _ part: MergedPart
  ) -> String {
    if key.hasPrefix("?") { return String(key.dropFirst()) }
    if let name = properties[key] { return name }
    let parts = key.split(separator: "/", maxSplits: 1).map(String.init)
    let name = KeyedModel.name(inReference: key)
    lose("property \"\(name)\"", parts.first ?? "", parts.last, subject(), part)
    return name
  }

  /// Notes that one version removed what the other one refers to.
  private mutating func lose(
    _ what: String,
    _ key: String,
    _ propertyKey: String?,
    _ subject: String,
    _ part: MergedPart
  ) {
    func has(_ side: KeyedModel) -> Bool {
      guard let position = side.positions[key] else { return false }
      guard let propertyKey else { return true }
      return side.propertyKeys[side.model.entities[position].name]?.values.contains(propertyKey)
        ?? false
    }
    let words = { (side: KeyedModel) in has(side) ? "uses \(what)" : "has no \(what)" }
    lost.append((subject, part, words(merge.first), words(merge.second)))
  }

  mutating func entity(_ entity: EntityDescription, _ key: String) -> EntityDescription {
    var named = entity
    let part = MergedPart.entity(key)
    let whole = "entity \"\(entity.name)\""
    named.superentityName = entity.superentityName.map {
      entityName($0, "the parent of \(whole)", part)
    }
    named.relationships = entity.relationships.map { relationship in
      let subject = "relationship \"\(relationship.name)\" of \(whole)"
      var named = relationship
      named.destinationEntityName = entityName(relationship.destinationEntityName, subject, part)
      // The destination is lost already if the inverse is lost with it.
      let count = lost.count
      named.inverseName = relationship.inverseName.map { propertyName($0, subject, part) }
      if lost.count > count + 1 { lost.removeLast() }
      return named
    }
    named.partitioning?.attributeName = entity.partitioning?.attributeName.map {
      propertyName($0, "the partitioning of \(whole)", part)
    }
    named.distribution?.propertyName = entity.distribution?.propertyName.map {
      propertyName($0, "the distribution of \(whole)", part)
    }
    named.distribution?.colocatedEntityName = entity.distribution?.colocatedEntityName.map {
      entityName($0, "the distribution of \(whole)", part)
    }
    named.uniquenessConstraints = entity.uniquenessConstraints.map { list in
      list.map { propertyName($0, "a uniqueness constraint of \(whole)", part) }
    }
    named.compoundIndexes = entity.compoundIndexes.map { list in
      list.map { propertyName($0, "an index of \(whole)", part) }
    }
    named.fetchIndexes = entity.fetchIndexes.map { index in
      var named = index
      for position in index.elements.indices {
        named.elements[position].propertyName = index.elements[position].propertyName
          .map { propertyName($0, "index \"\(index.name)\" of \(whole)", part) }
      }
      return named
    }
    named.fetchedProperties = entity.fetchedProperties.map { property in
      var named = property
      named.fetchRequest = property.fetchRequest.map { request($0, part) }
      return named
    }
    return named
  }

  mutating func configuration(_ configuration: ModelConfiguration) -> ModelConfiguration {
    // A configuration does not keep an entity that a version removed.
    ModelConfiguration(
      name: configuration.name,
      entityNames: configuration.entityNames.compactMap { entities[$0] }
    )
  }

  mutating func request(
    _ request: FetchRequestTemplate,
    _ part: MergedPart
  ) -> FetchRequestTemplate {
    var named = request
    named.entityName = entityName(request.entityName, "fetch request \"\(request.name)\"", part)
    return named
  }
}

/// References whose names lead to another property than they did.
extension MergedNames {
  /// Notes references that lead elsewhere in the merged model: one version has moved the entity or
  /// the property, and there is another one of the same name.
  mutating func checkReferences(
    of merged: [(key: String, part: EntityDescription)],
    in model: ManagedObjectModel
  ) {
    for (key, keyed) in merged {
      guard let entity = model.entity(named: keyed.name) else { continue }
      let whole = "entity \"\(entity.name)\""
      if let reference = keyed.partitioning?.attributeName {
        check(reference, of: entity, "the partitioning of \(whole)", key, key, model)
      }
      if let reference = keyed.distribution?.propertyName {
        check(reference, of: entity, "the distribution of \(whole)", key, key, model)
      }
      for reference in keyed.uniquenessConstraints.joined() {
        check(reference, of: entity, "a uniqueness constraint of \(whole)", key, key, model)
      }
      let indexed = keyed.fetchIndexes.flatMap(\.elements).compactMap(\.propertyName)
      for reference in keyed.compoundIndexes.joined() + indexed {
        check(reference, of: entity, "an index of \(whole)", key, key, model)
      }
      for relationship in keyed.relationships {
        let destinationKey = relationship.destinationEntityName
        guard let inverse = relationship.inverseName,
          let destination = entities[destinationKey].flatMap(model.entity)
        else { continue }
        let subject = "the inverse of relationship \"\(relationship.name)\" of \(whole)"
        check(inverse, of: destination, subject, key, destinationKey, model)
      }
    }
  }

  private mutating func check(
    _ reference: String,
    of entity: EntityDescription,
    _ subject: String,
    _ key: String,
    _ ownerKey: String,
    _ model: ManagedObjectModel
  ) {
    guard let name = properties[reference] else { return }
    let found = model.nearest(of: entity) { declaring in
      declaring.declares(name) ? declaring.name : nil
    }
    let owner = reference.split(separator: "/", maxSplits: 1).first.map(String.init) ?? ""
    guard found?.property != entities[owner] else { return }
    let words = { (side: KeyedModel) -> String in
      guard let position = side.positions[ownerKey] else { return "has no such entity" }
      let owner = side.model.nearest(of: side.model.entities[position]) { declaring in
        declaring.declares(name) ? declaring.name : nil
      }
      return owner.map { "uses property \"\(name)\" of entity \"\($0.property)\"" }
        ?? "has no property \"\(name)\" there"
    }
    lost.append((subject, .entity(key), words(merge.first), words(merge.second)))
  }
}

extension EntityDescription {
  fileprivate func declares(_ name: String) -> Bool {
    attributes.contains { $0.name == name } || relationships.contains { $0.name == name }
  }
}
