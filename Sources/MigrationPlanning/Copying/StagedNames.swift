internal import SQLSyntax

extension Table {
  /// Returns the table under the names that it has until its rows are there, where it is in the schema of the one that
  /// it takes the place of; a table that is not copied is as it was.
  func staged(among copied: Set<SQLIdentifier>) -> Table {
    guard copied.contains(name) else { return self }
    var table = self
    table.name = StorageNames.staged(name)
    table.constraints = constraints.map { $0.staged(among: copied) }
    for index in table.indexes.indices {
      table.indexes[index].name = StorageNames.staged(indexes[index].name)
    }
    for index in table.columns.indices {
      table.columns[index].identitySequence = columns[index].identitySequence.map(
        StorageNames.staged
      )
    }
    return table
  }
}

extension Constraint {
  /// A constraint shares its name with others of the schema if it has an index.
  fileprivate func staged(among copied: Set<SQLIdentifier>) -> Constraint {
    var constraint = self
    if hasIndex { constraint.name = StorageNames.staged(name) }
    if var foreignKey, copied.contains(foreignKey.references) {
      foreignKey.references = StorageNames.staged(foreignKey.references)
      constraint.definition = .foreignKey(foreignKey)
    }
    return constraint
  }
}

extension MigrationOperation {
  /// Returns an operation that creates or completes a copied table, under the names that the table has until its
  /// rows are there.
  func staged(among copied: Set<SQLIdentifier>) -> MigrationOperation {
    switch self {
    case .createTable(var creation):
      creation.contents = creation.contents.staged(among: copied)
      return .createTable(creation)
    case .addConstraint(var addition):
      addition.table = StorageNames.staged(addition.table)
      addition.constraint = addition.constraint.staged(among: copied)
      return .addConstraint(addition)
    case .createIndex(var creation):
      creation.table = StorageNames.staged(creation.table)
      creation.index.name = StorageNames.staged(creation.index.name)
      return .createIndex(creation)
    default: return self  // Nothing else is done before a table is in its place.
    }
  }
}
