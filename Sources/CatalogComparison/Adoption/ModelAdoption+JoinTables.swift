internal import MigrationPlanning
internal import ObjectModel
internal import SQLSyntax

/// A table that is only there to join two others, or one with itself.
struct JoinedTable {
  let name: String
  /// The columns of the key in its order, each with its foreign key.
  let ends: [(column: String, key: CatalogConstraint)]
  /// The settings of both foreign keys besides the relationship; `nil` if their actions follow from
  /// the rules.
  let reference: ReferenceDescription

  /// Finds the ends of a table, or returns `nil` if it is more than a join table of a model.
  init?(_ table: CatalogTable, _ scope: AdoptionScope) {
    guard let key = table.primaryKey, key.columns.count == 2, table.columns.count == 2,
      table.columns.allSatisfy({ !$0.isMade && !$0.isNullable })
    else { return nil }
    var ends: [(column: String, key: CatalogConstraint)] = []
    for column in key.columns {
      let found = table.constraints.first {
        $0.kind == .foreignKey && $0.columns == [column]
          && scope.obstacle(to: $0, of: table) == nil
      }
      guard let found else { return nil }
      ends.append((column, found))
    }
    var references = ends.map(\.key.reference)
    if ends.allSatisfy({ $0.key.joinRule != nil }) {
      for index in references.indices { references[index].onDelete = nil }
    }
    guard references[0] == references[1] else { return nil }
    name = table.name
    self.ends = ends
    reference = references[0]
  }
}

extension CatalogConstraint {
  /// The delete rule from which the action of a join table's foreign key follows.
  var joinRule: RelationshipDescription.DeleteRule? {
    switch onDelete {
    case .cascade: .nullify
    case .noAction: .deny
    case .restrict, .setNull, .setDefault, nil: nil
    }
  }
}

extension ModelAdoption {
  /// Adds a pair of to-many relationships for each join table.
  mutating func addJoinTables() {
    for table in joinTables {
      guard let joined = JoinedTable(table, scope), addJoin(joined, table) else {
        joinTables.removeAll { $0.name == table.name }
        leaveAlone(UnexpressedObject(table: table.name, .joinOfOthers))
        continue
      }
      let known = Set(joined.ends.map(\.key.name) + [table.primaryKey?.name ?? ""])
      for constraint in table.constraints
      where !known.contains(constraint.name) && scope.obstacle(to: constraint, of: table) == nil {
        leaveAlone(
          UnexpressedObject(.constraint, constraint.name, of: table.name, .ofJoinTable)
        )
      }
      let wayBack = referenceIndex(joined.ends[1].column, table)?.name
      for index in table.indexes where index.isValid && index.name != wayBack {
        leaveAlone(UnexpressedObject(.index, index.name, of: table.name, .ofJoinTable))
      }
    }
  }

  /// Adds the pair of a join table, and returns whether the model describes the table exactly.
  private mutating func addJoin(_ joined: JoinedTable, _ table: CatalogTable) -> Bool {
    let places = joined.ends.compactMap(\.key.referencedTable)
    guard places.count == 2, let first = entities[places[0]], let second = entities[places[1]]
    else { return false }
    let isSelfRelation = places[0] == places[1]
    var taken = names
    // Each end is called after the table, or the column, that it leads to.
    let name = taken[places[0], default: AdoptedNames()].unique(
      isSelfRelation
        ? AdoptedNames.relationship(joined.ends[1].column)
        : AdoptedNames.lowerCamelCase(places[1])
    )
    let inverseName = taken[places[1], default: AdoptedNames()].unique(
      isSelfRelation
        ? AdoptedNames.relationship(joined.ends[0].column)
        : AdoptedNames.lowerCamelCase(places[0])
    )
    // The key of a join table begins with the end that owns it.
    guard (first.name, name) <= (second.name, inverseName) else { return false }
    names = taken
    var reference = joined.reference
    reference.isIndexed = referenceIndex(joined.ends[1].column, table) != nil
    var owner = RelationshipDescription(
      name: name,
      destinationEntityName: second.name,
      inverseName: inverseName,
      isToMany: true,
      deleteRule: joined.ends[0].key.joinRule ?? .nullify,
      columnName: explicitColumn(joined.ends[1].column, of: name),
      reference: reference.unlessOrdinary
    )
    if StorageNames.joinTable(of: first, owner).name != table.name {
      owner.joinTableName = table.name
    }
    let inverse = RelationshipDescription(
      name: inverseName,
      destinationEntityName: first.name,
      inverseName: name,
      isToMany: true,
      deleteRule: joined.ends[1].key.joinRule ?? .nullify,
      columnName: explicitColumn(joined.ends[0].column, of: inverseName)
    )
    entities[places[0]]?.relationships.append(owner)
    entities[places[1]]?.relationships.append(inverse)
    return true
  }
}
