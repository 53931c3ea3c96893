package import SQLSyntax

extension MigrationStep {
  /// The tables, by their names before the step, whose dependent objects other than their own parts
  /// are created again; empty if none are.
  package var tablesOfRemadeDependents: Set<SQLIdentifier> {
    // Parts of a table are removed with it.
    let remade = remadeDependents.filter { dependent in
      dependent.attachedTable == nil && dependent.kind != .publicationTable
    }
    return Set(remade.flatMap(\.uses).flatMap { formerNames(of: $0.table) })
  }

  /// A Boolean value that indicates whether the step creates dependent objects again that are not
  /// parts of the tables.
  package var remakesOtherDependents: Bool {
    remadeDependents.contains { $0.attachedTable == nil && $0.kind != .publicationTable }
  }

  /// The tables, by the names that they have before the step, whose rows consist of other columns afterwards;
  /// with the columns that they would have to consist of before for nothing to change but names and types,
  /// none if there is no way.
  package var tablesOfChangedRows: [SQLIdentifier: [SQLIdentifier]] {
    guard let before = source?.projection.schema.tables, !isIntoSchema else { return [:] }
    var tables: [SQLIdentifier: [SQLIdentifier]] = [:]
    for operation in operations where operation.base.outcome.addedColumn != nil {
      let name = formerName(ofTable: operation.base.table)
      if before[name] != nil { tables[name] = [] }
    }
    for (name, replacement) in replacements?.tables ?? [:] {
      let formerNames = Dictionary(
        replacement.columns.map { ($0.value, $0.key) },
        uniquingKeysWith: { first, _ in first }
      )
      let after = destination.projection.schema.tables[replacement.name]
      let columns = after?.columns.map { formerNames[$0.name] } ?? []
      tables[name] = columns.contains(nil) ? [] : columns.compactMap(\.self)
    }
    return tables
  }

  /// Returns whether a table of the source is not in the destination.
  package func leaves(_ table: SQLIdentifier) -> Bool {
    operations.map(\.base).contains { operation in
      operation.outcome.removesTable && formerName(ofTable: operation.table) == table
    }
  }

  /// Returns the source's name of a table.
  package func formerName(ofTable table: SQLIdentifier) -> SQLIdentifier { renames[table] ?? table }

  /// The existing tables whose columns in a query for `*` change, in the order of their names.
  package var tablesOfChangedColumns: [SQLIdentifier] {
    guard let before = source?.projection.schema, !isIntoSchema else { return [] }
    let after = destination.projection.schema.tables
    return before.sortedTables.filter { table in
      // Most tables of a large model are the same in both versions.
      guard let new = after[table.name], new.columns != table.columns else { return false }
      let stays = Set(retained.filter { $0.table == table.name }.compactMap(\.column))
      let old = table.columns.filter { !stays.contains($0.name) || new.column($0.name) != nil }
      return Set(old.map(\.shape)) != Set(new.columns.map(\.shape))
    }.map(\.name)
  }

  /// The names before the step, by those that tables are given in it.
  private var renames: [SQLIdentifier: SQLIdentifier] {
    operations.reduce(into: [:]) { names, operation in
      guard let rename = operation.rename, rename.kind == .table else { return }
      names[rename.newName] = names.removeValue(forKey: rename.name) ?? rename.name
    }
  }

  /// The names that a table may have had before the step.
  private func formerNames(of table: SQLIdentifier) -> [SQLIdentifier] {
    let replaced = replacements?.tables.filter { $0.value.name == table }.keys.sorted() ?? []
    return [table] + [renames[table]].compactMap(\.self) + replaced
  }
}

extension Column {
  /// The visible shape of the column in such a query.
  fileprivate var shape: [String] { [name.name, type.text] }
}
