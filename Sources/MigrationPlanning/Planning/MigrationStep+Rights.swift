internal import SQLSyntax

extension MigrationStep {
  /// The tables that only their owner may do with what the step does, if they are there before it.
  package var alteredTables: Set<String> {
    Set(operations.filter(\.needsOwnership).map(\.base.table.name))
      .union(lateWork.map(\.table.name))
      .union(copy?.sources.map(\.table.name) ?? [])
  }

  /// A Boolean value that indicates whether the role has to have CREATE on the schema of the tables: to
  /// make a relation or a function in it, or to give one another name.
  package var makesObjects: Bool {
    copy != nil || !lateWork.isEmpty || operations.contains(where: \.makesObjects)
  }
}

extension MigrationOperation {
  /// A Boolean value that indicates whether a right that was granted on the table is not enough.
  fileprivate var needsOwnership: Bool {
    switch self {
    case .installTable, .dropTable, .renameTable, .retainTable, .addColumn, .dropColumn,
      .renameColumn, .retainColumn, .changeColumnType, .setNotNull, .dropNotNull, .setDefault,
      .dropExpression, .addConstraint, .dropConstraint, .renameConstraint, .createIndex, .dropIndex,
      .renameIndex, .renameSequence, .createTrigger, .dropTrigger, .renameRetained:
      true
    case .createTable, .computeValues, .updateRows, .copyRows, .retainRows, .deleteRows, .cutLinks,
      .cutDanglingLinks, .moveLinks, .numberLinks, .reinstateRows, .dropDependent,
      .createDependent:
      false
    }
  }

  fileprivate var makesObjects: Bool {
    switch self {
    case .createTable, .installTable, .renameTable, .retainTable, .retainRows, .cutLinks,
      .createIndex, .renameIndex, .renameSequence, .createTrigger, .renameRetained,
      .createDependent:
      true
    case .addConstraint(let addition): addition.constraint.hasIndex
    case .dropTable, .addColumn, .dropColumn, .renameColumn, .retainColumn, .changeColumnType,
      .setNotNull, .dropNotNull, .setDefault, .dropExpression, .computeValues, .updateRows,
      .copyRows, .deleteRows, .cutDanglingLinks, .moveLinks, .numberLinks, .dropConstraint,
      .renameConstraint, .dropIndex, .dropTrigger, .reinstateRows, .dropDependent:
      false
    }
  }
}
