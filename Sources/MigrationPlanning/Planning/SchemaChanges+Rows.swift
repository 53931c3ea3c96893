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
    for column in contents.columns where !isComputed(column, in: table) {
      let reference = ColumnReference(table: table, column: column.name)
      let sources = match.columnSources[reference] ?? []
      let value: SQLFragment?
      switch destination.projection.columnOrigins[table]?[column.name] {
      case .key: value = "\(currentKey(of: old))"
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
          key: destination.projection.key(of: table),
          sequence: contents.column(destination.projection.key(of: table))?.identitySequence,
          overriding: contents.overriding,
          readColumns: readColumns
        )
      )
    )
  }

  /// Returns what the key of a table of the source is called after all renames.
  func currentKey(of table: SQLIdentifier) -> SQLIdentifier {
    currentName(of: ColumnReference(table: table, column: source.projection.key(of: table)))
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
}
