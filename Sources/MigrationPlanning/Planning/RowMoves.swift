internal import ModelMapping
internal import ObjectModel
internal import SQLSyntax

/// Moves rows between tables, deletes those of removed entities, and renames entities.
struct RowMoves {
  private(set) var operations: [MigrationOperation] = []
  /// The entities whose rows leave tables that stay, by the names that these have by then.
  private(set) var leavingEntities: [SQLIdentifier: Set<String>] = [:]
  /// The tables of the source whose rows come to other ones.
  let readTables: Set<SQLIdentifier>

  private let context: StepContext
  private let source, destination: ModelProjection
  private let match: SchemaMatch
  private let names: CurrentNames
  private let values: ColumnValues
  private let movedLinkColumns: Set<ColumnReference>
  /// The tables of the source that have heirs of their rows, even where no row is left to them.
  private let continuedTables: Set<SQLIdentifier>
  /// The foreign keys of the source, by the tables that they refer to.
  private lazy var referringKeys = source.schema.referringKeys

  init(_ context: StepContext, _ links: LinkMoves, _ retained: inout RetainedNames) {
    self.context = context
    (match, names) = (context.match, context.names)
    (source, destination) = (match.source, match.destination)
    values = ColumnValues(context, areTyped: true)
    movedLinkColumns = links.movedColumns
    continuedTables = Set(match.rows.values.map(\.oldTable))
    readTables = Set(match.rows.values.lazy.filter { !$0.origins.isEmpty }.map(\.oldTable))
    for (table, (old, origins)) in match.rows.inOrder {
      if match.tables[old] == table {
        renameEntities(of: table, from: old, origins)
      } else {
        copyRows(to: table, from: old, origins)
      }
    }
    for old in source.schema.tables.keys.sorted() {
      guard case .root = source.tableOrigins[old] else { continue }
      takeRowsAway(from: old, &retained)
    }
  }

  /// Returns the operations, in which rows that leave a table take values retained earlier along.
  func operations(with companions: [SQLIdentifier: [SQLIdentifier]]) -> [MigrationOperation] {
    if companions.isEmpty { return operations }
    return operations.map { operation in
      guard case .retainRows(var retention) = operation,
        let companions = companions[retention.table]
      else { return operation }
      retention.companions = companions
      return .retainRows(retention)
    }
  }

  // MARK: - Rows that come

  private mutating func copyRows(
    to table: SQLIdentifier,
    from old: SQLIdentifier,
    _ origins: [ModelPairing.RowOrigin]
  ) {
    guard let contents = destination.schema.tables[table], !origins.isEmpty else { return }
    var columns: [UpdateRows.Assignment] = []
    var readColumns: Set<SQLIdentifier> = []
    for column in contents.columns where !destination.isComputed(column, in: table) {
      let reference = ColumnReference(table: table, column: column.name)
      let sources = match.columnSources[reference] ?? []
      let value: SQLFragment?
      switch destination.columnOrigins[table]?[column.name] {
      case .key: value = "\(context.currentKey(of: old))"
      case .discriminator: value = entityName(from: old, origins)
      case .attribute, .reference, .position:
        value = self.value(of: sources, for: column, of: table, from: old, origins)
        readColumns.formUnion(sources.compactMap(\.column).map { names.current($0) })
      case .joinedDestination, .joinedSource, nil: value = nil
      }
      if let value { columns.append(.init(column: column.name, value: value)) }
    }
    operations.append(
      .copyRows(
        CopyRows(
          source: names.current(old),
          table: table,
          columns: columns,
          condition: source.membership(of: origins.map(\.source.name), in: old),
          key: destination.key(of: table),
          sequence: contents.column(destination.key(of: table))?.identitySequence,
          overriding: contents.overriding,
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
      guard let value = values.value(of: source, for: column, of: table) else { continue }
      if let position = groups.firstIndex(where: { $0.value == value }) {
        groups[position].names.append(source.row.source.name)
      } else {
        groups.append((value, [source.row.source.name]))
      }
    }
    if groups.count == 1, groups[0].names.count == origins.count { return groups[0].value }
    let cases = groups.map { group -> SQLFragment in
      let names = source.list(group.names)
      return "WHEN \(StorageNames.discriminator) IN (\(names)) THEN \(group.value)"
    }
    return cases.isEmpty ? nil : "CASE \(cases.joined(separator: " ")) END"
  }

  private func entityName(
    from old: SQLIdentifier,
    _ origins: [ModelPairing.RowOrigin]
  ) -> SQLFragment? {
    let discriminator = StorageNames.discriminator
    let isHierarchy = source.schema.tables[old]?.column(discriminator) != nil
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
    guard source.schema.tables[old]?.column(discriminator) != nil,
      destination.schema.tables[table]?.column(discriminator) != nil,
      let several = renaming(origins)
    else { return }
    let pairs = origins.filter { $0.source.name != $0.destination.name }
    let renamed = pairs.map(\.source.name)
    let value = pairs.count == 1 ? "\(SQLLiteral.text(pairs[0].destination.name))" : several
    operations.append(
      .updateRows(
        UpdateRows(
          table: table,
          purpose: .renameEntities,
          assignments: [.init(column: discriminator, value: value)],
          condition: "\(discriminator) IN (\(source.list(renamed)))"
        )
      )
    )
  }

  // MARK: - Rows that leave

  /// Deletes rows that have moved to another table, or of a removed entity.
  private mutating func takeRowsAway(
    from old: SQLIdentifier,
    _ retained: inout RetainedNames
  ) {
    let entities = source.concreteEntities(of: old).map(\.name)
    let removed = entities.filter { match.pairing.destinationEntity(of: $0) == nil }
    let heir = match.tables[old]
    let staying = Set(heir.flatMap { match.rows[$0]?.origins.map(\.source.name) } ?? [])
    guard heir != nil || continuedTables.contains(old) else { return }
    let referring = cutLinks(to: removed, in: old, &retained)
    // A removed table is retained with all its rows.
    guard let heir else { return }
    let leaving = entities.filter { name in
      guard !staying.contains(name) else { return false }
      // An entity that becomes abstract has no rows.
      return !(match.pairing.destinationEntity(of: name)?.isAbstract ?? false)
    }
    guard !leaving.isEmpty else { return }
    leavingEntities[heir] = Set(leaving)
    let losing = leaving.filter { removed.contains($0) || losesValues($0, in: old) }
    if context.planner.removals != .drop {
      for name in losing { retainRows(of: name, in: heir, from: old, &retained) }
    }
    operations.append(
      .deleteRows(
        DeleteRows(
          table: heir,
          condition: source.membership(of: leaving, in: old),
          referringTables: referring,
          referringLocks: referringLocks(of: old),
          losesRows: context.planner.removals == .drop && !losing.isEmpty,
          lostEntities: losing
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
    return (source.schema.tables[old]?.columns ?? []).contains { column in
      let reference = ColumnReference(table: old, column: column.name)
      return match.isHeld(reference, by: entityName) && !taken.contains(reference)
        && !movedLinkColumns.contains(reference)
        && source.derivations[reference] == nil && column.generation == nil
    }
  }

  /// Returns the locks of foreign keys to a table when rows of it are deleted.
  private mutating func referringLocks(of old: SQLIdentifier) -> [SQLIdentifier: LockMode] {
    var locks: [SQLIdentifier: LockMode] = [:]
    for (table, foreignKey) in referringKeys[old] ?? [] {
      let mode: LockMode = foreignKey.onDelete.writesRows ? .rowExclusive : .rowShare
      let name = names.current(table.name)
      locks[name] = max(locks[name] ?? mode, mode)
    }
    return locks
  }

  private mutating func retainRows(
    of entityName: String,
    in table: SQLIdentifier,
    from old: SQLIdentifier,
    _ retained: inout RetainedNames
  ) {
    let condition = source.membership(of: [entityName], in: old)
    let name = retained.freeName(for: SQLIdentifier(StorageNames.snakeCase(entityName)))
    operations.append(
      .retainRows(
        RetainRows(table: table, newTable: name, entityName: entityName, condition: condition)
      )
    )
    retained.add(
      RetainedObject(
        table: name,
        version: retained.version,
        relationNames: [name],
        origin: context.origin(.rows(entity: entityName), of: old)
      ),
      from: table
    )
  }

  /// Cuts the links to rows that will be removed, since their owners might be removed with them.
  ///
  /// If all rows of a table need their links, only removed rows refer there: these tables are
  /// returned.
  private mutating func cutLinks(
    to removed: [String],
    in old: SQLIdentifier,
    _ retained: inout RetainedNames
  ) -> Set<SQLIdentifier> {
    guard !removed.isEmpty else { return [] }
    let condition = source.membership(of: removed, in: old)
    var referring: Set<SQLIdentifier> = []
    for (table, foreignKey) in referringKeys[old] ?? [] {
      let column = foreignKey.column
      guard isUsed(ColumnReference(table: table.name, column: column)) else { continue }
      if isRequired(column, of: table) {
        referring.insert(names.current(table.name))
      } else {
        cutLinks(of: column, in: table, to: old, condition, &retained)
      }
    }
    return referring
  }

  /// Returns whether a reference of the root is required before and afterwards.
  private func isRequired(_ column: SQLIdentifier, of table: Table) -> Bool {
    guard case .root = source.tableOrigins[table.name],
      let name = match.columns[table.name]?[column],
      let after = match.tables[table.name].flatMap({ destination.schema.tables[$0]?.column(name) })
    else { return false }
    return !after.isNullable && !(table.column(column)?.isNullable ?? true)
  }

  private mutating func cutLinks(
    of column: SQLIdentifier,
    in table: Table,
    to old: SQLIdentifier,
    _ condition: SQLFragment?,
    _ retained: inout RetainedNames
  ) {
    let reference = ColumnReference(table: table.name, column: column)
    var isJoinTable = false
    var position: SQLIdentifier?
    switch source.tableOrigins[table.name] {
    case .join: isJoinTable = true
    case .root: position = match.sourcePosition(beside: reference)?.column
    case nil: return
    }
    let current = names.current(table.name)
    var retainedTable: SQLIdentifier?
    if context.planner.removals != .drop {
      let name = retained.freeName(
        for: SQLIdentifier("\(current.name)_\(names.current(reference).name)")
      )
      retained.add(
        RetainedObject(
          table: name,
          version: retained.version,
          relationNames: [name],
          origin: context.origin(
            .links(column: column.name),
            of: table.name,
            isJoinTable
              ? nil
              : Set(
                [source.key(of: table.name), column] + [position].compactMap(\.self)
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
          column: names.current(reference),
          position: position.map {
            names.current(ColumnReference(table: table.name, column: $0))
          },
          isJoinTable: isJoinTable,
          key: context.currentKey(of: table.name),
          referenced: names.current(old),
          referencedKey: context.currentKey(of: old),
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
