internal import ModelMapping
internal import ObjectModel
internal import SQLSyntax

extension SchemaChanges {
  /// Compares the tables that a release on the source knows with those afterwards.
  ///
  /// - Parameters:
  ///   - replacements: The replaced tables.
  ///   - leavingTables: The tables of the source some of whose rows do not move to the
  ///     replacements, with the entities of these rows.
  /// - Returns: The comparison.
  func releaseComparison(
    _ replacements: TableReplacements?,
    leaving leavingTables: [SQLIdentifier: Set<String>]
  ) -> ReleaseComparison {
    let pairs = ReleasePairs(of: self, replacements).pairs
    var comparison = ReleaseComparison(
      from: match.source,
      to: match.destination,
      pairs: pairs,
      filledColumns: filledColumns,
      copiedTables: match.copiedTables
    )
    for pair in pairs {
      let name = pair.before.name
      let leaving =
        pair.isCopied ? leavingTables[name] ?? [] : leavingEntities[pair.workingName] ?? []
      if !leaving.isEmpty {
        comparison.add(.rowsLeft(table: name), .rows(pair.workingName))
        for (table, column) in references(to: name, thatMayLeadTo: leaving, comparison) {
          comparison.add(
            .referenceRequired(column, table: table, to: name),
            .rows(pair.workingName)
          )
        }
      }
      if pair.isCopied ? renamesEntities(of: pair.before) : renamesRows(of: pair.workingName) {
        comparison.add(.entitiesRenamed(table: name), .rows(pair.workingName))
      }
    }
    return comparison
  }

  /// Returns the references to rows of a table that must exist before and afterwards, and may refer
  /// to rows of some entities.
  private func references(
    to name: SQLIdentifier,
    thatMayLeadTo entities: Set<String>,
    _ comparison: ReleaseComparison
  ) -> [(table: SQLIdentifier, column: SQLIdentifier)] {
    let heir = comparison.pair(before: name)?.after?.name
    return comparison.pairs.flatMap { pair in
      pair.before.constraints.compactMap(\.foreignKey).filter { foreignKey in
        let place = ColumnReference(table: pair.before.name, column: foreignKey.column)
        return foreignKey.references == name
          && !match.source.targetEntities(of: place).isDisjoint(with: entities)
          && pair.after?.constraints.compactMap(\.foreignKey).contains {
            $0.references == heir && $0.column == pair.columns[foreignKey.column]
          } ?? false
      }.map { (pair.before.name, $0.column) }
    }
  }

  private func renamesRows(of table: SQLIdentifier) -> Bool {
    operations.contains { operation in
      guard case .updateRows(let update) = operation else { return false }
      return update.purpose == .renameEntities && update.table == table
    }
  }

  /// Returns whether entities of rows in a rebuilt table are renamed.
  private func renamesEntities(of table: Table) -> Bool {
    guard table.column(StorageNames.discriminator) != nil else { return false }
    return match.source.concreteEntities(of: table.name).contains { entity in
      let name = match.pairing.destinationEntity(of: entity.name)?.name
      return name.map { $0 != entity.name } ?? false
    }
  }

  private var filledColumns: Set<ColumnReference> {
    var filled = Set(
      match.columnSources.filter { $0.value.contains { $0.column != nil } }.map(\.key)
    )
    for (table, columns) in linkedColumns {
      filled.formUnion(columns.map { ColumnReference(table: table, column: $0) })
    }
    return filled
  }
}

/// The tables that a release on the source finds in place of its own.
private struct ReleasePairs {
  private(set) var pairs: [ReleaseComparison.Pair] = []
  private let changes: SchemaChanges

  init(of changes: SchemaChanges, _ replacements: TableReplacements?) {
    self.changes = changes
    // The release does not know retained objects.
    let returning = Set((changes.planner.reinstatement?.tables ?? [:]).keys)
    pairs = changes.match.source.schema.sortedTables.filter { !returning.contains($0.name) }.map {
      pair(of: $0, replacements)
    }
  }

  private func pair(
    of table: Table,
    _ replacements: TableReplacements?
  ) -> ReleaseComparison.Pair {
    let match = changes.match
    let name = table.name
    if let newName = match.tables[name], let after = match.destination.schema.tables[newName] {
      return pair(of: table, keptAs: after)
    }
    let heir = match.destination.schema.tables[name]
    if let replacement = replacements?.tables[name], replacement.name == name, let heir {
      return copied(table, by: heir, columns: replacement.columns)
    }
    // A table may be created again for the rest of its links.
    let isSame = match.source.tableOrigins[name] == match.destination.tableOrigins[name]
    if let heir, match.copiedTables.contains(name) || isSame && changes.linkedColumns[name] != nil {
      let columns = table.columns.map(\.name).filter { heir.column($0) != nil }
      let names = Dictionary(uniqueKeysWithValues: zip(columns, columns))
      return copied(table, by: heir, columns: names)
    }
    let columns = table.columns.map(\.name)
    return ReleaseComparison.Pair(
      before: table,
      after: retainedName(of: name).map { table.retained(as: $0) },
      columns: Dictionary(uniqueKeysWithValues: zip(columns, columns)),
      workingName: changes.names.current(name)
    )
  }

  private func copied(
    _ table: Table,
    by heir: Table,
    columns: [SQLIdentifier: SQLIdentifier]
  ) -> ReleaseComparison.Pair {
    ReleaseComparison.Pair(
      before: table,
      after: heir,
      columns: columns,
      workingName: heir.name,
      isCopied: true
    )
  }

  private func pair(of table: Table, keptAs after: Table) -> ReleaseComparison.Pair {
    var after = after
    var columns = changes.match.columns[table.name] ?? [:]
    var working: [SQLIdentifier: SQLIdentifier] = [:]
    for column in table.columns where columns[column.name] == nil {
      let place = ColumnReference(table: table.name, column: column.name)
      working[column.name] = changes.names.current(place)
      guard let name = retainedName(of: place) else { continue }
      var retained = column
      retained.name = name
      retained.generation = nil
      if retained.sequence == nil { retained.notNullConstraint = nil }
      after.columns.append(retained)
      columns[column.name] = name
    }
    return ReleaseComparison.Pair(
      before: table,
      after: after,
      columns: columns,
      workingName: after.name,
      workingColumns: working
    )
  }

  private func retainedName(of table: SQLIdentifier) -> SQLIdentifier? {
    changes.retained.added.first { $0.origin?.content == .table && $0.origin?.table == table.name }?
      .table
  }

  private func retainedName(of place: ColumnReference) -> SQLIdentifier? {
    changes.retained.added.first {
      $0.origin?.content == .column && $0.origin?.table == place.table.name
        && $0.origin?.columns.first?.name == place.column.name
    }?.column
  }
}

extension ModelProjection {
  /// Returns the entities whose rows a column may refer to.
  func targetEntities(of place: ColumnReference) -> Set<String> {
    let name: String?
    switch columnOrigins[place.table]?[place.column] {
    case .reference(let entity, let relationship), .joinedDestination(let entity, let relationship):
      name =
        model.entity(named: entity)?.relationships.first { $0.name == relationship }?
        .destinationEntityName
    case .joinedSource(let entity, _): name = entity
    case .key, .discriminator, .attribute, .position, nil: name = nil
    }
    guard let entity = name.flatMap({ model.entity(named: $0) }) else { return [] }
    return Set(concreteFamily(of: entity))
  }
}

extension Table {
  /// Returns the table as it is left in place, bound to nothing.
  fileprivate func retained(as name: SQLIdentifier) -> Table {
    var table = self
    table.name = name
    table.constraints.removeAll { !$0.isPrimaryKey }
    table.indexes.removeAll(where: \.isUnique)
    let key = table.constraints.first?.columns ?? []
    for index in table.columns.indices
    where table.columns[index].sequence == nil && !key.contains(table.columns[index].name) {
      table.columns[index].notNullConstraint = nil
    }
    return table
  }
}
