import Diagnostics
internal import SQLSyntax

/// Uniqueness constraints and indexes.
extension ModelValidator {
  mutating func checkPropertyLists(
    of entity: EntityDescription,
    at index: Int,
    in scope: PropertyScope
  ) {
    for (position, names) in entity.uniquenessConstraints.enumerated() {
      let element = ModelElement.uniquenessConstraint(entity: index, position)
      if names.isEmpty { add(.emptyList, to: element) }
      checkColumns(names, of: entity, at: element, in: scope, isUnique: true)
      checkComparison(names, at: element, in: scope)
    }
    for (position, names) in entity.compoundIndexes.enumerated() {
      let element = ModelElement.compoundIndex(entity: index, position)
      if names.isEmpty { add(.emptyList, to: element, .warning) }
      checkColumns(names, of: entity, at: element, in: scope, isUnique: false)
    }
    var indexNames: Set<String> = []
    for (position, fetchIndex) in entity.fetchIndexes.enumerated() {
      let element = ModelElement.fetchIndex(entity: index, position)
      checkName(fetchIndex.name, of: element)
      if !indexNames.insert(fetchIndex.name).inserted { add(.duplicateName, to: element) }
      if let definition = fetchIndex.definition {
        checkExpression(definition, "sql", at: element)
        if !fetchIndex.elements.isEmpty { add(.excludingSettings("sql", "elements"), to: element) }
        if fetchIndex.partialPredicate != nil {
          add(.excludingSettings("sql", "where"), to: element)
        }
      } else if fetchIndex.elements.isEmpty {
        add(.emptyList, to: element, .warning)
      }
      let names = fetchIndex.elements.compactMap(\.propertyName)
      checkColumns(names, of: entity, at: element, in: scope, isUnique: false)
    }
  }

  private mutating func checkColumns(
    _ names: [String],
    of entity: EntityDescription,
    at element: ModelElement,
    in scope: PropertyScope,
    isUnique: Bool
  ) {
    var seen: Set<String> = []
    for name in names {
      if !seen.insert(name).inserted { add(.repeatedProperty(name), to: element) }
      guard let property = scope.properties[name] else {
        guard scope.isComplete else { continue }
        let suggestion = similar(to: name, among: scope.properties.keys)
        let fact = ModelComplaint.Fact.unrecognizedProperty(
          name,
          entity: entity.name,
          suggestion: suggestion
        )
        add(fact, to: element)
        continue
      }
      guard !hasColumn(property.element) else { continue }
      // Xcode allows to-many relationships in an index, and real models have them; they have no
      // effect.
      add(.propertyWithoutColumn(name), to: element, isUnique ? .error : .warning)
    }
  }

  /// Makes sure that an index that keeps ranges from overlapping can compare all other values.
  private mutating func checkComparison(
    _ names: [String],
    at element: ModelElement,
    in scope: PropertyScope
  ) {
    let leaves = names.flatMap { name -> [(name: String, type: AttributeType)] in
      guard case .attribute(let entity, let index) = scope.properties[name]?.element else {
        return []
      }
      return columnTypes(in: model.entities[entity].attributes[index].type).map { (name, $0) }
    }
    guard let range = leaves.first(where: { $0.type.traits.indexMethod == .gist }),
      let other = leaves.first(where: { $0.type.columnType?.hasNoEqualityInGiST == true })
    else { return }
    add(.incomparableBesideRange(other.name, other.type, range: range.name), to: element)
  }

  /// Returns the types of columns that a type consists of; each composite in it counts once, so that it ends
  /// for those that contain themselves, too.
  private func columnTypes(in type: AttributeType) -> [AttributeType] {
    var types: [AttributeType] = []
    var pending = [type]
    var seen: Set<String> = []
    while let type = pending.popLast() {
      guard case .composite(let name) = type else {
        types.append(type)
        continue
      }
      guard seen.insert(name).inserted else { continue }
      let elements = model.composite(named: name)?.elements ?? []
      pending += elements.filter { !$0.isTransient }.map(\.type).reversed()
    }
    return types
  }

  private func hasColumn(_ element: ModelElement) -> Bool {
    switch element {
    case .attribute(let entity, let index):
      !model.entities[entity].attributes[index].isTransient
    case .relationship(let entity, let index):
      !model.entities[entity].relationships[index].isToMany
        && !model.entities[entity].relationships[index].isTransient
    case .model, .entity, .fetchedProperty, .fetchIndex, .compoundIndex, .uniquenessConstraint,
      .composite, .compositeElement, .configuration, .fetchRequest:
      false
    }
  }
}

extension SQLTypeName {
  /// A Boolean value that indicates whether neither the server nor `btree_gist` has a GiST index that finds
  /// equal values; of types that people made, only the server knows.
  fileprivate var hasNoEqualityInGiST: Bool {
    switch family {
    case .json, .textSearch, .array: true
    case .other: Self.withoutEqualityInGiST.contains(parts.name)
    case .integer, .numeric, .floating, .boolean, .text, .bytea, .date, .time, .timestamp,
      .interval, .uuid, .network, .range:
      false
    }
  }

  private static let withoutEqualityInGiST: Set<String> = [
    "\"char\"", "box", "circle", "jsonpath", "line", "lseg", "name", "path", "pg_lsn",
    "pg_snapshot", "point", "polygon", "tid", "tsquery", "txid_snapshot", "xid", "xid8", "xml",
  ]
}
