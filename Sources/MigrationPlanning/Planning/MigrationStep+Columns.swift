public import SQLSyntax

extension MigrationStep {
  /// The tables that are there before and of which a query for all columns gives others afterwards, in
  /// the order of their names.
  public var tablesOfChangedColumns: [SQLIdentifier] {
    guard let before = source?.projection.schema, !isIntoSchema else { return [] }
    let after = destination.projection.schema.tables
    return before.sortedTables.filter { table in
      guard let new = after[table.name] else { return false }
      let stays = Set(retained.filter { $0.table == table.name }.compactMap(\.column))
      let old = table.columns.filter { !stays.contains($0.name) || new.column($0.name) != nil }
      return Set(old.map(\.shape)) != Set(new.columns.map(\.shape))
    }.map(\.name)
  }
}

extension Column {
  /// What such a query shows of it.
  fileprivate var shape: [String] { [name.name, type.text] }
}
