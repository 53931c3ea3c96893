internal import MigrationPlanning
internal import ObjectModel
internal import SQLSyntax

extension ModelAdoption {
  /// Adds uniqueness constraints, conditions and indexes.
  mutating func addParts() {
    for table in sortedTables {
      for constraint in table.constraints where isExpressible(constraint, of: table) {
        switch constraint.kind {
        case .unique, .exclusion: addUniqueness(constraint, of: table)
        case .check: addCheck(constraint, of: table)
        case .primaryKey, .foreignKey: break
        }
      }
      var indexNames = AdoptedNames()
      for index in table.indexes where isModelled(index, table) {
        addIndex(index, of: table, &indexNames)
      }
    }
  }

  private func property(_ column: String?, _ table: CatalogTable) -> String? {
    column.flatMap { properties[CatalogObject(.column, table: table.name, name: $0)] }
  }

  private mutating func addUniqueness(_ constraint: CatalogConstraint, of table: CatalogTable) {
    let names = constraint.columns.compactMap { property($0, table) }
    guard names.count == constraint.columns.count else { return }
    // A one-to-one relationship is unique by itself.
    let isOfPair =
      names.count == 1
      && entities[table.name]?.relationships.contains { relationship in
        relationship.name == names[0]
          && entities.values.contains { entity in
            entity.name == relationship.destinationEntityName
              && entity.relationships.contains {
                $0.name == relationship.inverseName && !$0.isToMany
              }
          }
      } == true
    if !isOfPair { entities[table.name]?.uniquenessConstraints.append(names) }
  }

  private mutating func addCheck(_ constraint: CatalogConstraint, of table: CatalogTable) {
    let isEnumeration =
      constraint.columns.count == 1
      && table.columns.contains { column in
        column.attributeType == .string && constraint.columns == [column.name]
          && enumeration(of: column, table)?.constraint == constraint
      }
    guard !isEnumeration, let expression = constraint.expression else { return }
    var checks = entities[table.name]?.checks ?? []
    checks.append(
      CheckDescription(
        name: constraint.name,
        expression: DeparsedExpression.repeatable(expression)
      )
    )
    checks.sort { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    entities[table.name]?.checks = checks
  }

  private mutating func addIndex(
    _ index: CatalogIndex,
    of table: CatalogTable,
    _ indexNames: inout AdoptedNames
  ) {
    if let column = index.elements.first?.column, referenceIndex(column, table) == index,
      !hasOtherIndex(of: column, table),
      table.constraints.contains(where: { isReference($0, by: column, table) })
    {
      // The relationship has it already.
      return
    }
    let name = indexNames.unique(AdoptedNames.lowerCamelCase(index.name))
    let elements = index.elements.compactMap { element in
      property(element.column, table).map {
        FetchIndexDescription.Element(propertyName: $0, isAscending: !element.isDescending)
      }
    }
    let isPlain = index.isPlain && elements.count == index.elements.count
    entities[table.name]?.fetchIndexes.append(
      FetchIndexDescription(
        name: name,
        elements: isPlain ? elements : [],
        definition: isPlain ? nil : index.definition,
        isUnique: index.isUnique
      )
    )
  }
}

extension Table {
  /// Returns the actual names of the table's objects, by those of the rules.
  func names(in found: CatalogTable) -> [(ours: String, found: String)] {
    var names: [(ours: String, found: String)] = []
    for constraint in constraints {
      let same = found.constraints.first { constraint.isKept(by: $0) }
      if let same { names.append((constraint.name.name, same.name)) }
    }
    var rest = found.indexes.filter(\.isValid)
    let columnNames = Set(columns.map(\.name))
    for index in indexes {
      guard let position = rest.firstIndex(where: { index.isKept(by: $0, columnNames) }) else {
        continue
      }
      names.append((index.name.name, rest.remove(at: position).name))
    }
    for column in columns {
      let catalog = found.column(column.name.name)
      if let ours = column.identitySequence, let name = catalog?.sequence {
        names.append((ours.name, name))
      }
      if let ours = column.notNullConstraint, let name = catalog?.notNullConstraint {
        names.append((ours.name, name))
      }
    }
    return names
  }
}

extension Constraint {
  fileprivate func isKept(by found: CatalogConstraint) -> Bool {
    let names = columns.map(\.name)
    return switch definition {
    case .primaryKey: found.kind == .primaryKey
    case .unique:
      found.kind == .unique && found.columns == names && found.isPlain && !found.isDeferrable
    case .exclusion: found.kind == .exclusion && found.columns == names && found.isPlain
    case .foreignKey:
      found.kind == .foreignKey && found.columns == names && found.isValidated
        && found.referencedTable == referencedTable?.name
    case .check:
      // Others have the names that the model gives them.
      found.kind == .check && found.columns == names && names.count == 1 && found.isPlain
        && DeparsedExpression.values(of: found.expression ?? "", column: names[0]) != nil
    }
  }
}

extension Index {
  fileprivate func isKept(by found: CatalogIndex, _ columns: Set<SQLIdentifier>) -> Bool {
    if let definition {
      return SQLFragment(written: found.definition, columns: columns) == definition
        && found.isUnique == isUnique
    }
    let elements = elements.map {
      CatalogIndex.Element(column: $0.column?.name, isDescending: $0.isDescending)
    }
    return found.isPlain && found.isUnique == isUnique && found.elements == elements
  }
}
