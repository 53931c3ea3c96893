internal import SQLSyntax

extension SchemaChanges {
  /// Drops or retains a table that the destination does not have.
  mutating func removeTable(_ old: Table) {
    var table = old
    table.name = tableNames[old.name] ?? old.name
    table.renameReferences(tableNames, keys: columnNames)
    let bound = table.constraints.filter { !$0.isPrimaryKey }
    for trigger in table.triggers {
      operations.append(
        .dropTrigger(
          DropTrigger(table: old.name, trigger: trigger.name, newTable: table.name)
        )
      )
    }
    switch planner.removals {
    case .drop:
      for constraint in bound where constraint.referencedTable != nil {
        operations.append(
          .dropConstraint(DropConstraint(table: table.name, constraint: constraint))
        )
      }
      // They are gone by then, and with them what they would lock.
      table.constraints.removeAll { $0.referencedTable != nil }
      if isRead(old.name) { giveUpObjectNames(of: &table) }
      operations.append(.dropTable(DropTable(contents: table)))
      retained.tableDropped(table.name)
    case .retain, .refuse:
      for constraint in bound {
        operations.append(
          .dropConstraint(DropConstraint(table: table.name, constraint: constraint))
        )
      }
      let key = table.constraints.first(where: \.isPrimaryKey)
      let required = table.columns.filter {
        !$0.isNullable && $0.sequence == nil && !(key?.columns.contains($0.name) ?? false)
      }
      for column in required {
        operations.append(
          .dropNotNull(
            DropNotNull(
              table: table.name,
              column: column.name,
              constraint: column.notNullConstraint
            )
          )
        )
      }
      let uniqueIndexes = table.indexes.filter(\.isUnique)
      for index in uniqueIndexes {
        operations.append(
          .dropIndex(DropIndex(table: table.name, formerTable: old.name, index: index.name))
        )
      }
      operations.append(.retainTable(RetainTable(contents: table)))
      let gone = Set(bound.filter(\.hasIndex).map(\.name) + uniqueIndexes.map(\.name))
      retained.add(
        RetainedObject(
          table: table.name,
          version: source.name,
          relationNames: table.relationNames.filter { !gone.contains($0) },
          restoration: restoration(of: bound, required),
          origin: origin(.table, of: old.name)
        )
      )
    }
  }

  /// Returns what something retained was in the source.
  ///
  /// - Parameters:
  ///   - content: What is retained.
  ///   - table: The table, as the source calls it.
  ///   - columns: The columns, as the source calls them; if none are named, all that the version had
  ///     before others were put back.
  /// - Returns: What it was.
  func origin(
    _ content: RetainedObject.Origin.Content,
    of table: SQLIdentifier,
    _ columns: Set<SQLIdentifier>? = nil
  ) -> RetainedObject.Origin {
    let columns =
      columns
      ?? Set(sourceSchema.tables[table]?.columns.map(\.name) ?? [])
      .subtracting(planner.reinstatement?.columnsPutBack(into: table) ?? [])
    return RetainedObject.Origin(
      content: content,
      table: table.name,
      columns: (sourceSchema.tables[table]?.columns ?? [])
        .filter { columns.contains($0.name) }
        .map { column in
          let current = currentName(of: ColumnReference(table: table, column: column.name))
          return RetainedObject.Origin.Column(
            name: column.name.name,
            type: column.type.text,
            retainedName: current.name
          )
        }
    )
  }

  /// Returns whether rows or links of a table come to other ones, or tell which links do.
  private func isRead(_ table: SQLIdentifier) -> Bool {
    movedLinkColumns.contains { $0.table == table }
      || linkEndTables.contains(currentName(of: table))
      || match.rows.values.contains { $0.oldTable == table && !$0.origins.isEmpty }
  }

  /// A table that is dropped only after it has been read must not be in the way of those that take
  /// its place: its indexes and sequences get temporary names, which nobody waits for.
  private mutating func giveUpObjectNames(of table: inout Table) {
    for constraint in table.constraints
    where constraint.hasIndex && neededRelations.contains(constraint.name) {
      let rename = RenameConstraint(
        table: table.name,
        name: constraint.name,
        newName: StorageNames.temporary(constraint.name),
        hasIndex: true
      )
      operations.append(.renameConstraint(rename))
      table.constraints.removeAll { $0.name == constraint.name }
    }
    for name in table.indexes.map(\.name) where neededRelations.contains(name) {
      let newName = StorageNames.temporary(name)
      operations.append(
        .renameIndex(RenameIndex(table: table.name, name: name, newName: newName))
      )
      table.indexes.removeAll { $0.name == name }
    }
    for index in table.columns.indices {
      guard let name = table.columns[index].identitySequence, neededRelations.contains(name) else {
        continue
      }
      let rename = RenameSequence(
        table: table.name,
        column: table.columns[index].name,
        name: name,
        newName: StorageNames.temporary(name)
      )
      operations.append(.renameSequence(rename))
      table.columns[index].identitySequence = nil
    }
  }

  func restoration(of constraints: [Constraint], _ required: [Column]) -> [String] {
    required.map { ("ALTER COLUMN \($0.name) SET NOT NULL" as SQLFragment).text }
      + constraints.map { ("ADD \($0.clause(in: sourceSchema.name))" as SQLFragment).text }
  }
}
