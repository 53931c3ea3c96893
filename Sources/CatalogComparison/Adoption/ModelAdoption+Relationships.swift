internal import ObjectModel
internal import SQLSyntax

extension ModelAdoption {
  /// Adds a pair of relationships for each foreign key that leads to the key of another table.
  mutating func addRelationships() {
    for table in sortedTables {
      for column in table.columns {
        guard let key = table.constraints.first(where: { isReference($0, by: column.name, table) })
        else { continue }
        addRelationship(key, by: column, table)
      }
    }
  }

  /// The tables that entities represent, in the order of their names.
  var sortedTables: [CatalogTable] {
    tables.values.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  }

  private mutating func addRelationship(
    _ key: CatalogConstraint,
    by column: CatalogColumn,
    _ table: CatalogTable
  ) {
    guard let target = key.referencedTable, let source = entities[table.name],
      let destination = entities[target]
    else { return }
    let name = names[table.name, default: AdoptedNames()]
      .unique(AdoptedNames.relationship(column.name))
    let inverseName = names[target, default: AdoptedNames()]
      .unique(AdoptedNames.lowerCamelCase(table.name))
    properties[CatalogObject(.column, table: table.name, name: column.name)] = name
    references.insert(CatalogObject(.constraint, table: table.name, name: key.name))
    // Of a pair of to-one relationships the canonically smaller end has the foreign key; one that is
    // unique at the other end is a to-many with a uniqueness constraint.
    let isOneToOne =
      isUnique(column.name, table)
      && (source.name, name) <= (destination.name, inverseName)
    var reference = key.reference
    reference.isIndexed = isReferenceIndexed(column.name, table)
    let rule = key.deleteRule(isOptional: column.isNullable)
    if rule != nil { reference.onDelete = nil }
    entities[table.name]?.relationships
      .append(
        RelationshipDescription(
          name: name,
          destinationEntityName: destination.name,
          inverseName: inverseName,
          isOptional: column.isNullable,
          columnName: explicitColumn(column.name, of: name),
          reference: reference.unlessOrdinary
        )
      )
    entities[target]?.relationships
      .append(
        RelationshipDescription(
          name: inverseName,
          destinationEntityName: source.name,
          inverseName: name,
          isToMany: !isOneToOne,
          deleteRule: rule ?? .noAction
        )
      )
  }

  /// Returns whether a constraint that the model can describe makes a column unique.
  func isUnique(_ column: String, _ table: CatalogTable) -> Bool {
    table.constraints.contains {
      $0.kind == .unique && $0.columns == [column] && isExpressible($0, of: table)
    }
  }

  // MARK: - Indexes of foreign keys

  /// Returns the index of a foreign key's column that has no other purpose.
  func referenceIndex(_ column: String, _ table: CatalogTable) -> CatalogIndex? {
    table.indexes.first {
      $0.isPlain && $0.isValid && !$0.isUnique
        && $0.elements == [CatalogIndex.Element(column: column, isDescending: false)]
        && omissions.parts[CatalogObject(.index, table: table.name, name: $0.name)] == nil
    }
  }

  /// Returns whether something that the model has besides begins with a column, so that no foreign key
  /// gets an index of its own.
  func hasOtherIndex(of column: String, _ table: CatalogTable) -> Bool {
    let own = referenceIndex(column, table)?.name
    return table.constraints.contains {
      ($0.kind == .unique || $0.kind == .primaryKey) && $0.columns.first == column
        && isExpressible($0, of: table)
    }
      || table.indexes.contains { index in
        index.name != own && isModelled(index, table) && index.isPlain
          && index.elements.first?.column == column
      }
  }

  private func isReferenceIndexed(_ column: String, _ table: CatalogTable) -> Bool {
    hasOtherIndex(of: column, table) || referenceIndex(column, table) != nil
  }

  /// Returns whether the model has an index.
  func isModelled(_ index: CatalogIndex, _ table: CatalogTable) -> Bool {
    index.isValid
      && omissions.parts[CatalogObject(.index, table: table.name, name: index.name)] == nil
  }
}

extension CatalogConstraint {
  /// The settings of a foreign key besides the relationship.
  var reference: ReferenceDescription {
    ReferenceDescription(
      onDelete: onDelete?.referenceAction,
      onUpdate: onUpdate == .noAction ? nil : onUpdate?.referenceAction,
      deferrability: !isDeferrable ? .notDeferrable : isDeferred ? .deferred : nil
    )
  }

  /// The delete rule of the other end from which the action of the foreign key follows, if one does.
  func deleteRule(isOptional: Bool) -> RelationshipDescription.DeleteRule? {
    switch onDelete {
    case .cascade: .cascade
    case .noAction: .deny
    case .setNull: isOptional ? .nullify : nil
    case .restrict, .setDefault, nil: nil
    }
  }
}

extension CatalogConstraint.Action {
  var referenceAction: ReferenceDescription.Action {
    switch self {
    case .noAction: .noAction
    case .restrict: .restrict
    case .cascade: .cascade
    case .setNull: .setNull
    case .setDefault: .setDefault
    }
  }
}
