internal import SQLSyntax

extension Table {
  mutating func withColumn(_ name: SQLIdentifier, _ body: (inout Column) -> Void) {
    guard let index = columns.firstIndex(where: { $0.name == name }) else { return }
    body(&columns[index])
  }

  mutating func withConstraint(_ name: SQLIdentifier, _ body: (inout Constraint) -> Void) {
    guard let index = constraints.firstIndex(where: { $0.name == name }) else { return }
    body(&constraints[index])
  }

  /// Renames columns and all that speaks of them, as the server does.
  mutating func renameColumns(_ names: [SQLIdentifier: SQLIdentifier]) {
    for index in columns.indices {
      columns[index].name = names[columns[index].name] ?? columns[index].name
      columns[index].generation = columns[index].generation?.renamingIdentifiers(names)
    }
    for index in constraints.indices {
      constraints[index].definition = constraints[index].definition.renamingColumns(names)
    }
    if let column = partitioning?.column { partitioning?.column = names[column] ?? column }
    distribution = distribution?.renamed(columns: names)
    for index in indexes.indices {
      indexes[index].elements = indexes[index].elements.map { $0.renamingColumns(names) }
      indexes[index].predicate = indexes[index].predicate?.renamingIdentifiers(names)
      indexes[index].definition = indexes[index].definition?.renamingIdentifiers(names)
    }
  }
}

extension Table {
  /// Gives the tables that foreign keys refer to other names, and their keys.
  mutating func renameReferences(
    _ names: [SQLIdentifier: SQLIdentifier],
    keys: [SQLIdentifier: [SQLIdentifier: SQLIdentifier]]
  ) {
    distribution = distribution?.renamed(tables: names)
    for index in constraints.indices {
      guard var foreignKey = constraints[index].foreignKey else { continue }
      if let key = foreignKey.distribution?.key {
        foreignKey.distribution?.key = keys[foreignKey.references]?[key] ?? key
      }
      foreignKey.key = keys[foreignKey.references]?[foreignKey.key] ?? foreignKey.key
      foreignKey.references = names[foreignKey.references] ?? foreignKey.references
      constraints[index].definition = .foreignKey(foreignKey)
    }
  }
}

extension Constraint.Definition {
  /// Returns the definition with other names for columns.
  func renamingColumns(_ names: [SQLIdentifier: SQLIdentifier]) -> Self {
    func renamed(_ column: SQLIdentifier) -> SQLIdentifier { names[column] ?? column }
    switch self {
    case .primaryKey(let columns): return .primaryKey(columns.map(renamed))
    case .unique(let columns): return .unique(columns.map(renamed))
    case .check(let condition, let columns):
      return .check(condition.renamingIdentifiers(names), columns: columns.map(renamed))
    case .foreignKey(var foreignKey):
      foreignKey.column = renamed(foreignKey.column)
      if let column = foreignKey.distribution?.column {
        foreignKey.distribution?.column = renamed(column)
      }
      return .foreignKey(foreignKey)
    case .exclusion(var exclusion):
      exclusion.columns = exclusion.columns.map(renamed)
      exclusion.ranges = Set(exclusion.ranges.map(renamed))
      exclusion.predicate = exclusion.predicate?.renamingIdentifiers(names)
      return .exclusion(exclusion)
    }
  }
}
