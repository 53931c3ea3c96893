import ObjectModel

/// Relationships, fetched properties and fetch requests.
extension YAMLModelReader {
  mutating func relationship(_ entry: YAMLEntry) -> RelationshipDescription? {
    let place = "relationship \"\(entry.key)\""
    guard case .mapping = entry.value.content else {
      error(
        "\(place) has to be a mapping of keys to values",
        hint: "Write { to: Entity } or { toMany: Entity }.",
        at: entry.value.offset
      )
      return nil
    }
    let fields = fields(of: entry.value, keys: YAMLKeys.relationship, in: place)
    let isToMany = fields["toMany"] != nil
    guard let node = fields["to"] ?? fields["toMany"], isToMany != (fields["to"] != nil) else {
      error("\(place) has to have either a key \"to\" or a key \"toMany\"", at: entry.keyOffset)
      return nil
    }
    guard let destination = text(node, what: isToMany ? "toMany" : "to") else { return nil }
    let isMarked = destination.hasSuffix("?")
    let minimum = count(fields["minimum"], what: "minimum") ?? 0
    let isOptionalToMany = isToMany && minimum == 0 && fields["optional"] == nil
    return RelationshipDescription(
      name: entry.key,
      destinationEntityName: isMarked ? String(destination.dropLast()) : destination,
      inverseName: text(fields["inverse"], what: "inverse"),
      isToMany: isToMany,
      minimumCount: minimum,
      maximumCount: count(fields["maximum"], what: "maximum"),
      isOrdered: boolean(fields["ordered"], what: "ordered") ?? false,
      isOptional: isOptional(fields["optional"], marked: isMarked) || isOptionalToMany,
      isTransient: boolean(fields["transient"], what: "transient") ?? false,
      deleteRule: choice(fields["delete"], what: "delete", among: Self.deleteRules) ?? .nullify,
      renamingIdentifier: text(fields["renamingIdentifier"], what: "renamingIdentifier"),
      versionHashModifier: text(fields["versionHashModifier"], what: "versionHashModifier"),
      columnName: text(fields["column"], what: "column"),
      joinTableName: text(fields["joinTable"], what: "joinTable"),
      reference: fields["reference"].flatMap { reference($0, of: place) },
      userInfo: userInfo(fields["userInfo"]),
      foreign: foreign(fields)
    )
  }

  private static let deleteRules = RelationshipDescription.DeleteRule.allCases.map {
    (word: $0.rawValue, value: $0)
  }

  /// The name that Xcode gives the fetch of every fetched property.
  static let fetchedPropertyRequestName = "fetchedPropertyFetchRequest"

  mutating func fetchedProperty(_ entry: YAMLEntry) -> FetchedPropertyDescription {
    let place = "fetched property \"\(entry.key)\""
    let fields = fields(of: entry.value, keys: YAMLKeys.fetchedProperty, in: place)
    let name = text(fields["request"], what: "request") ?? Self.fetchedPropertyRequestName
    let isFetched = YAMLKeys.fetchedProperty.contains { $0 != "userInfo" && fields[$0] != nil }
    let request =
      isFetched ? fetchRequest(named: name, fields, of: place, at: entry.keyOffset) : nil
    return FetchedPropertyDescription(
      name: entry.key,
      fetchRequest: request,
      userInfo: userInfo(fields["userInfo"])
    )
  }

  mutating func fetchRequest(_ entry: YAMLEntry) -> FetchRequestTemplate? {
    let place = "fetch request \"\(entry.key)\""
    let fields = fields(of: entry.value, keys: YAMLKeys.fetchRequest, in: place)
    return fetchRequest(named: entry.key, fields, of: place, at: entry.keyOffset)
  }

  private mutating func fetchRequest(
    named name: String,
    _ fields: YAMLKeyedNodes,
    of place: String,
    at offset: Int
  ) -> FetchRequestTemplate? {
    guard let entity = fields["entity"] else {
      error("\(place) has no key \"entity\"", at: offset)
      return nil
    }
    return text(entity, what: "entity").map {
      FetchRequestTemplate(
        name: name,
        entityName: $0,
        predicate: text(fields["predicate"], what: "predicate"),
        options: userInfo(fields["options"])
      )
    }
  }
}
