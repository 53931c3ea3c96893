internal import SQLSyntax

extension MigrationOperation {
  /// Returns what each statement of the operation does with rows; the last ones may be left out if they
  /// do nothing.
  ///
  /// - Parameters:
  ///   - schema: The schema that the operation works in.
  ///   - tables: The tables of the version that it leads to.
  /// - Returns: The work, by statement.
  func rowWork(
    in schema: SQLIdentifier,
    _ tables: [SQLIdentifier: Table]
  ) -> [[RowWork]] {
    func name(_ table: SQLIdentifier) -> QualifiedName {
      QualifiedName(schema: schema, name: table)
    }
    func index(_ table: SQLIdentifier, _ columns: [SQLIdentifier]) -> RowWork {
      .index(name(table), columns: columns.compactMap { tables[table]?.column($0)?.type })
    }
    let impact = base.impact
    switch self {
    case .createTable(let creation): return [[.create(name(creation.table))]]
    case .installTable(let installation):
      guard installation.stagingSchema != schema else { return [] }
      let staged = QualifiedName(schema: installation.stagingSchema, name: installation.table)
      return [[.rename(staged, to: name(installation.table))]]
    case .dropTable(let drop): return [[.drop(name(drop.table))]]
    case .renameTable(let rename): return [[.rename(name(rename.name), to: name(rename.newName))]]
    case .renameRetained(let rename):
      return rename.kind == .table ? [[.rename(name(rename.name), to: name(rename.newName))]] : []
    case .addColumn, .setNotNull:
      return [impact.rewrites.isEmpty ? impact.reading(in: schema) : [.rewrite(name(base.table))]]
    case .changeColumnType(let change):
      if !impact.rewrites.isEmpty { return [[.rewrite(name(change.table))]] }
      return [impact.scans.isEmpty ? [] : [index(change.table, [change.column])]]
    case .addConstraint(let addition):
      switch addition.constraint.definition {
      case .primaryKey(let columns), .unique(let columns):
        return [[index(addition.table, columns)]]
      case .check: return [impact.reading(in: schema)]
      case .foreignKey(let foreignKey):
        let referenced = foreignKey.references
        if addition.isValidatedLater { return [] }
        return [[.checkReferences(from: name(addition.table), to: name(referenced))]]
      }
    case .createIndex(let creation):
      return [[index(creation.table, creation.index.elements.flatMap(\.columns))]]
    case .computeValues, .updateRows, .numberLinks:
      let table = name(base.table)
      return [impact.reading(in: schema).filter { $0 != .read(table) } + [.change(table)]]
    case .copyRows(let copy):
      return [[.fill(name(copy.table), from: name(copy.source), .rows)]]
    case .retainRows(let retention):
      let made = name(retention.newTable)
      return [[.create(made), .fill(made, from: name(retention.table), .rows)]]
    case .deleteRows(let deletion): return [[.delete(name(deletion.table))]]
    case .cutDanglingLinks(let cut):
      return [
        [
          .read(name(cut.referenced)),
          cut.isJoinTable ? .delete(name(cut.table)) : .change(name(cut.table)),
        ]
      ]
    case .reinstateRows(let reinstatement):
      let returns = reinstatement.returns.map { item -> [RowWork] in
        switch item.way {
        case .rows, .pairs:
          [.fill(name(item.table), from: name(item.retainedTable), .rows)]
        case .links: [.read(name(item.retainedTable)), .change(name(item.table))]
        }
      }
      let drops = reinstatement.returns.map { _ in [RowWork]() }
      return [[]] + returns + drops + [[]]
    case .cutLinks(let cut):
      let change: RowWork = cut.isJoinTable ? .delete(name(cut.table)) : .change(name(cut.table))
      let cutting: [RowWork] = [.read(name(cut.referenced)), change]
      guard let retained = cut.retainedTable.map(name) else { return [cutting] }
      return [[.create(retained), .fill(retained, from: name(cut.table), .links)], cutting]
    case .moveLinks(let move):
      guard move.isJoinTable else {
        return [impact.reading(in: schema) + [.change(name(move.table))]]
      }
      return [move.sources.map { .fill(name(move.table), from: name($0.place.table), .links) }]
    case .createDependent: return [impact.reading(in: schema)]
    case .retainTable, .dropColumn, .renameColumn, .retainColumn, .dropNotNull, .setDefault,
      .dropExpression, .dropConstraint, .renameConstraint, .dropIndex, .renameIndex,
      .renameSequence, .createTrigger, .dropTrigger, .dropDependent:
      return []
    }
  }
}

extension OperationImpact {
  /// The reading of every table that is read from end to end.
  func reading(in schema: SQLIdentifier) -> [RowWork] {
    scans.sorted().map { .read(QualifiedName(schema: schema, name: $0)) }
  }
}
