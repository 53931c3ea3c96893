import MigrationPlanning

extension DatabaseSchema {
  /// The schema with all parts sorted by name, so that only relevant differences remain.
  var ordered: [Table] {
    sortedTables.map { table in
      Table(
        name: table.name,
        columns: table.columns.sorted { $0.name < $1.name },
        constraints: table.constraints.sorted { $0.name < $1.name },
        indexes: table.indexes.sorted { $0.name < $1.name },
        triggers: table.triggers.sorted { $0.name < $1.name }
      )
    }
  }
}
