extension MigrationStep {
  /// A Boolean value that indicates whether the step does anything that an object which depends on
  /// the tables can keep the server from.
  package var mayBreakDependents: Bool {
    operations.mayBreakDependents(replacing: replacements)
  }

  /// A Boolean value that indicates whether the step fills tables that nobody else knows yet.
  package var fillsTables: Bool { copy.map { !($0.tables.isEmpty && $0.maps.isEmpty) } ?? false }

  /// The dependent objects that the step makes again.
  package var remadeDependents: [DependentObject] {
    operations.compactMap { operation in
      if case .createDependent(let creation) = operation { creation.object } else { nil }
    }
  }

  /// A Boolean value that indicates whether a column that foreign keys may lead to gets another type, for
  /// which the server makes these keys again.
  package var changesKeys: Bool {
    operations.contains { operation in
      guard case .changeColumnType(let change) = operation else { return false }
      let tables = [source, destination].compactMap { version in
        version?.projection.schema.tables[change.table]
      }
      return tables.isEmpty
        || tables.contains { $0.keys.contains { $0.columns.contains(change.column) } }
    }
  }

  /// Returns the dependent objects as they are after this step, given what was before.
  package func dependentsAfterwards(_ before: [DependentObject]) -> [DependentObject] {
    let dropped = Set(
      operations.compactMap { operation in
        if case .dropTable(let drop) = operation { drop.table } else { nil }
      }
    )
    return before.following(operations, replacing: replacements).filter { object in
      object.attachedTable.map { !dropped.contains($0) } ?? true
    }
  }

  /// Returns whether the step does for dependent objects what has to be done, no more and no less,
  /// given the objects as they are before it.
  package func accounts(for dependents: [DependentObject]) -> Bool {
    let planned = operations.filter(\.isOfDependent)
    let changes = try? DependentChanges(
      dependents,
      in: operations.filter { !$0.isOfDependent },
      replacing: replacements,
      copying: copy.map { ($0, strategy) }
    )
    guard let needed = changes?.operations else { return false }
    return Set(planned) == Set(needed)
  }
}

extension [MigrationOperation] {
  /// Returns whether any of them does what an object which depends on the tables can keep the server from.
  func mayBreakDependents(replacing replacements: TableReplacements?) -> Bool {
    replacements.map { !$0.tables.isEmpty } ?? false || contains(where: \.mayBreakDependents)
  }
}

extension MigrationOperation {
  /// A Boolean value that indicates whether it gives something another name.
  var isRename: Bool {
    switch self {
    case .renameTable, .renameColumn, .renameConstraint, .renameIndex, .renameSequence,
      .renameRetained:
      true
    case .createTable, .installTable, .dropTable, .retainTable, .addColumn, .dropColumn,
      .retainColumn,
      .changeColumnType, .setNotNull, .dropNotNull, .setDefault, .dropExpression, .computeValues,
      .updateRows, .copyRows,
      .retainRows, .deleteRows, .cutLinks, .cutDanglingLinks, .reinstateRows, .moveLinks,
      .numberLinks, .addConstraint,
      .dropConstraint, .createIndex, .dropIndex, .createTrigger, .dropTrigger, .dropDependent,
      .createDependent:
      false
    }
  }

  fileprivate var isOfDependent: Bool {
    switch self {
    case .dropDependent, .createDependent: true
    case .createTable, .installTable, .dropTable, .renameTable, .retainTable, .addColumn,
      .dropColumn,
      .renameColumn, .retainColumn, .changeColumnType, .setNotNull, .dropNotNull, .setDefault,
      .dropExpression, .computeValues,
      .updateRows, .copyRows, .retainRows, .deleteRows, .cutLinks, .cutDanglingLinks,
      .reinstateRows, .moveLinks,
      .numberLinks, .addConstraint, .dropConstraint, .renameConstraint, .createIndex, .dropIndex,
      .renameIndex, .renameSequence, .createTrigger, .dropTrigger, .renameRetained:
      false
    }
  }

  fileprivate var mayBreakDependents: Bool {
    if changesRows { return true }
    switch self {
    case .installTable, .changeColumnType, .dropColumn, .dropTable, .dropConstraint, .dropIndex:
      return true
    case .createTable, .renameTable, .retainTable, .addColumn, .renameColumn,
      .retainColumn,
      .setNotNull, .dropNotNull, .setDefault, .dropExpression, .computeValues, .updateRows,
      .copyRows, .retainRows, .deleteRows, .cutLinks, .cutDanglingLinks, .reinstateRows, .moveLinks,
      .numberLinks, .addConstraint,
      .renameConstraint, .createIndex, .renameIndex, .renameSequence, .createTrigger,
      .dropTrigger, .renameRetained, .dropDependent, .createDependent:
      return false
    }
  }
}
