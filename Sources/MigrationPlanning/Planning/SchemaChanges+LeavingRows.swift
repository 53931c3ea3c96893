internal import ModelMapping
internal import ObjectModel
internal import SQLSyntax

extension SchemaChanges {
  /// Takes the rows away that are in another table by then, or of an entity that has gone.
  mutating func takeRowsAway(from old: SQLIdentifier) {
    let entities = source.projection.concreteEntities(of: old).map(\.name)
    let removed = entities.filter { match.pairing.destinationEntity(of: $0) == nil }
    let heir = match.tables[old]
    let staying = Set(heir.flatMap { match.rows[$0]?.origins.map(\.source.name) } ?? [])
    let isRemoved = heir == nil && !match.rows.values.contains { $0.oldTable == old }
    guard !isRemoved else { return }
    let referring = cutLinks(to: removed, in: old)
    // A table that goes is retained with all its rows.
    guard let heir else { return }
    let leaving = entities.filter { name in
      guard !staying.contains(name) else { return false }
      // There are no rows of what becomes abstract.
      return !(match.pairing.destinationEntity(of: name)?.isAbstract ?? false)
    }
    guard !leaving.isEmpty else { return }
    busyTables.insert(heir)
    leavingEntities[heir] = Set(leaving)
    let losing = leaving.filter { removed.contains($0) || losesValues($0, in: old) }
    if planner.removals != .drop {
      for name in losing { retainRows(of: name, in: heir, from: old) }
    }
    operations.append(
      .deleteRows(
        DeleteRows(
          table: heir,
          condition: source.projection.membership(of: leaving, in: old),
          referringTables: referring,
          referringLocks: referringLocks(of: old),
          losesRows: planner.removals == .drop && !losing.isEmpty
        )
      )
    )
  }

  /// Returns whether rows of an entity come to another table without some of their values.
  private func losesValues(_ entityName: String, in old: SQLIdentifier) -> Bool {
    let taken = Set(
      match.columnSources.values.joined().filter { $0.row.source.name == entityName }
        .compactMap(\.column)
    )
    return (sourceSchema.tables[old]?.columns ?? []).contains { column in
      let reference = ColumnReference(table: old, column: column.name)
      return match.isHeld(reference, by: entityName) && !taken.contains(reference)
        && !movedLinkColumns.contains(reference)
        && source.projection.derivations[reference] == nil && column.generation == nil
    }
  }

  /// Returns what foreign keys to a table lock when rows of it are deleted.
  private func referringLocks(of old: SQLIdentifier) -> [SQLIdentifier: LockMode] {
    var locks: [SQLIdentifier: LockMode] = [:]
    for table in sourceSchema.tables.values {
      for constraint in table.constraints {
        guard let foreignKey = constraint.foreignKey, foreignKey.references == old else {
          continue
        }
        let mode: LockMode = foreignKey.onDelete.writesRows ? .rowExclusive : .rowShare
        let name = currentName(of: table.name)
        locks[name] = max(locks[name] ?? mode, mode)
      }
    }
    return locks
  }

  private mutating func retainRows(
    of entityName: String,
    in table: SQLIdentifier,
    from old: SQLIdentifier
  ) {
    let condition = source.projection.membership(of: [entityName], in: old)
    let name = retained.freeName(
      for: SQLIdentifier(StorageNames.snakeCase(entityName)),
      of: source.name
    )
    operations.append(
      .retainRows(
        RetainRows(table: table, newTable: name, entityName: entityName, condition: condition)
      )
    )
    retained.add(
      RetainedObject(
        table: name,
        version: source.name,
        relationNames: [name],
        origin: origin(.rows(entity: entityName), of: old)
      ),
      from: table
    )
  }

  /// Has rows that leave a table take along what had been retained of them before.
  mutating func retainCompanions() {
    let names = retained.noteCompanions()
    for index in operations.indices {
      guard case .retainRows(var retention) = operations[index],
        let companions = names[retention.table]
      else { continue }
      retention.companions = companions
      operations[index] = .retainRows(retention)
    }
  }

  /// Cuts the links to rows that go, since what still leads to them might be taken along.
  ///
  /// Where all rows of a table need their links, only rows that go as well lead there: these tables
  /// are returned.
  private mutating func cutLinks(
    to removed: [String],
    in old: SQLIdentifier
  ) -> Set<SQLIdentifier> {
    guard !removed.isEmpty else { return [] }
    let condition = source.projection.membership(of: removed, in: old)
    var referring: Set<SQLIdentifier> = []
    for table in sourceSchema.sortedTables {
      for constraint in table.constraints {
        guard let foreignKey = constraint.foreignKey, foreignKey.references == old else {
          continue
        }
        let column = foreignKey.column
        guard isUsed(ColumnReference(table: table.name, column: column)) else { continue }
        if isRequired(column, of: table) {
          referring.insert(currentName(of: table.name))
        } else {
          cutLinks(of: column, in: table, to: old, condition)
        }
      }
    }
    return referring
  }

  /// Returns whether a reference of the root is required before and afterwards.
  private func isRequired(_ column: SQLIdentifier, of table: Table) -> Bool {
    guard case .root = source.projection.tableOrigins[table.name],
      let name = match.columns[table.name]?[column],
      let after = match.tables[table.name].flatMap({ destinationSchema.tables[$0]?.column(name) })
    else { return false }
    return !after.isNullable && !(table.column(column)?.isNullable ?? true)
  }

  private mutating func cutLinks(
    of column: SQLIdentifier,
    in table: Table,
    to old: SQLIdentifier,
    _ condition: SQLFragment?
  ) {
    let reference = ColumnReference(table: table.name, column: column)
    var isJoinTable = false
    var position: SQLIdentifier?
    switch source.projection.tableOrigins[table.name] {
    case .join: isJoinTable = true
    case .root: position = match.sourcePosition(beside: reference)?.column
    case nil: return
    }
    let current = currentName(of: table.name)
    busyTables.insert(current)
    var retainedTable: SQLIdentifier?
    if planner.removals != .drop {
      let name = retained.freeName(
        for: SQLIdentifier("\(current.name)_\(currentName(of: reference).name)"),
        of: source.name
      )
      retained.add(
        RetainedObject(
          table: name,
          version: source.name,
          relationNames: [name],
          origin: origin(
            .links(column: column.name),
            of: table.name,
            isJoinTable
              ? nil
              : Set(
                [source.projection.key(of: table.name), column] + [position].compactMap(\.self)
              )
          )
        )
      )
      retainedTable = name
    }
    operations.append(
      .cutLinks(
        CutLinks(
          table: current,
          column: currentName(of: reference),
          position: position.map {
            currentName(of: ColumnReference(table: table.name, column: $0))
          },
          isJoinTable: isJoinTable,
          key: currentKey(of: table.name),
          referenced: currentName(of: old),
          referencedKey: currentKey(of: old),
          condition: condition,
          retainedTable: retainedTable
        )
      )
    )
  }

  /// Returns whether the links of a column stay, come along with their rows, or move.
  private func isUsed(_ column: ColumnReference) -> Bool {
    match.columns[column.table]?[column.column] != nil || movedLinkColumns.contains(column)
      || match.columnSources.values.contains { $0.contains { $0.column == column } }
  }
}
