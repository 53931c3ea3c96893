internal import ModelMapping
internal import ObjectModel
internal import SQLSyntax

extension SchemaChanges {
  /// Moves rows between tables, takes those away whose entity has gone, and renames entities.
  mutating func moveRows() {
    for (table, (old, origins)) in match.rows.sorted(by: { $0.key < $1.key }) {
      if match.tables[old] == table {
        renameEntities(of: table, from: old, origins)
      } else {
        copyRows(to: table, from: old, origins)
      }
    }
    for old in sourceSchema.sortedTables.map(\.name) {
      guard case .root = source.projection.tableOrigins[old] else { continue }
      takeRowsAway(from: old)
    }
  }

  // MARK: - Rows that come

  private mutating func copyRows(
    to table: SQLIdentifier,
    from old: SQLIdentifier,
    _ origins: [ModelPairing.RowOrigin]
  ) {
    guard let contents = destinationSchema.tables[table], !origins.isEmpty else { return }
    var columns: [UpdateRows.Assignment] = []
    var readColumns: Set<SQLIdentifier> = []
    for column in contents.columns where !isDerived(column, in: table) {
      let reference = ColumnReference(table: table, column: column.name)
      let sources = match.columnSources[reference] ?? []
      let value: SQLFragment?
      switch destination.projection.columnOrigins[table]?[column.name] {
      case .key: value = "\(StorageNames.key)"
      case .discriminator: value = entityName(from: old, origins)
      case .attribute, .reference, .position:
        value = self.value(of: sources, for: column, of: table, from: old, origins)
        readColumns.formUnion(sources.compactMap(\.column).map { currentName(of: $0) })
      case .joinedDestination, .joinedSource, nil: value = nil
      }
      if let value { columns.append(.init(column: column.name, value: value)) }
    }
    operations.append(
      .copyRows(
        CopyRows(
          source: currentName(of: old),
          table: table,
          columns: columns,
          condition: source.projection.membership(of: origins.map(\.source.name), in: old),
          sequence: contents.column(StorageNames.key)?.identitySequence,
          readColumns: readColumns
        )
      )
    )
  }

  /// Returns the value of a column, which may come from another place for each entity.
  private func value(
    of sources: [SchemaMatch.ColumnSource],
    for column: Column,
    of table: SQLIdentifier,
    from old: SQLIdentifier,
    _ origins: [ModelPairing.RowOrigin]
  ) -> SQLFragment? {
    var groups: [(value: SQLFragment, names: [String])] = []
    for source in sources {
      guard let value = value(of: source, for: column, of: table) else { continue }
      if let position = groups.firstIndex(where: { $0.value == value }) {
        groups[position].names.append(source.row.source.name)
      } else {
        groups.append((value, [source.row.source.name]))
      }
    }
    if groups.count == 1, groups[0].names.count == origins.count { return groups[0].value }
    let cases = groups.map { group -> SQLFragment in
      let names = source.projection.list(group.names)
      return "WHEN \(StorageNames.discriminator) IN (\(names)) THEN \(group.value)"
    }
    return cases.isEmpty ? nil : "CASE \(cases.joined(separator: " ")) END"
  }

  private func entityName(
    from old: SQLIdentifier,
    _ origins: [ModelPairing.RowOrigin]
  ) -> SQLFragment? {
    let discriminator = StorageNames.discriminator
    let isHierarchy = sourceSchema.tables[old]?.column(discriminator) != nil
    guard isHierarchy, origins.count > 1 else {
      return origins.first.map { "\(SQLLiteral.text($0.destination.name))" }
    }
    return renaming(origins) ?? "\(discriminator)"
  }

  private func renaming(_ origins: [ModelPairing.RowOrigin]) -> SQLFragment? {
    let renamed = origins.filter { $0.source.name != $0.destination.name }
    guard !renamed.isEmpty else { return nil }
    let discriminator = StorageNames.discriminator
    let cases = renamed.map { row -> SQLFragment in
      let (before, after) = (row.source.name, row.destination.name)
      return "WHEN \(SQLLiteral.text(before)) THEN \(SQLLiteral.text(after))"
    }
    return "CASE \(discriminator) \(cases.joined(separator: " ")) ELSE \(discriminator) END"
  }

  // MARK: - Rows that stay

  private mutating func renameEntities(
    of table: SQLIdentifier,
    from old: SQLIdentifier,
    _ origins: [ModelPairing.RowOrigin]
  ) {
    let discriminator = StorageNames.discriminator
    guard sourceSchema.tables[old]?.column(discriminator) != nil,
      destinationSchema.tables[table]?.column(discriminator) != nil,
      let several = renaming(origins)
    else { return }
    let pairs = origins.filter { $0.source.name != $0.destination.name }
    let renamed = pairs.map(\.source.name)
    let value = pairs.count == 1 ? "\(SQLLiteral.text(pairs[0].destination.name))" : several
    append(
      UpdateRows(
        table: table,
        purpose: .renameEntities,
        assignments: [.init(column: discriminator, value: value)],
        condition: "\(discriminator) IN (\(source.projection.list(renamed)))"
      )
    )
  }

  // MARK: - Rows that go

  private mutating func takeRowsAway(from old: SQLIdentifier) {
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
    if planner.removals != .drop {
      for name in removed { retainRows(of: name, in: heir, from: old) }
    }
    operations.append(
      .deleteRows(
        DeleteRows(
          table: heir,
          condition: source.projection.membership(of: leaving, in: old),
          referringTables: referring,
          losesRows: planner.removals == .drop && !removed.isEmpty
        )
      )
    )
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
    retained.add(RetainedObject(table: name, version: source.name, relationNames: [name]))
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
        guard case .foreignKey(let column, old, _) = constraint.definition,
          isUsed(ColumnReference(table: table.name, column: column))
        else { continue }
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
    operations.append(
      .cutLinks(
        CutLinks(
          table: current,
          column: currentName(of: reference),
          position: position.map {
            currentName(of: ColumnReference(table: table.name, column: $0))
          },
          isJoinTable: isJoinTable,
          referenced: currentName(of: old),
          condition: condition
        )
      )
    )
  }

  /// Returns whether a column stays or comes along with its rows; links that move without them leave
  /// those behind that must not come.
  private func isUsed(_ column: ColumnReference) -> Bool {
    match.columns[column.table]?[column.column] != nil
      || match.columnSources.values.contains { $0.contains { $0.column == column } }
  }
}
