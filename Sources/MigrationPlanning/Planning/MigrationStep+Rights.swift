internal import ObjectModel
package import SQLSyntax

extension MigrationStep {
  /// The tables that only their owner may do with what the step does, if they are there before it.
  package var alteredTables: Set<String> {
    Set(operations.filter(\.needsOwnership).map(\.base.table.name))
      .union(deferredWork.map(\.table.name))
      .union(copy?.sources.map(\.table.name) ?? [])
  }

  /// A Boolean value that indicates whether the role has to have CREATE on the schema of the tables: to
  /// make a relation or a function in it, or to give one another name.
  package var makesObjects: Bool {
    copy != nil || !deferredWork.isEmpty || operations.contains(where: \.makesObjects)
  }

  /// A Boolean value that indicates whether the step makes functions of its own, in PL/pgSQL.
  package var makesFunctions: Bool {
    isCopyJob
      || operations.contains { operation in
        if case .createTrigger = operation { true } else { false }
      }
  }

  /// The functions of others that triggers call which the step makes again.
  package var calledRoutines: Set<QualifiedName> {
    Set(
      operations.compactMap { operation in
        if case .createDependent(let creation) = operation {
          creation.object.calledRoutine
        } else {
          nil
        }
      }
    )
  }

  /// The tables whose rows queries of the step read or write, which the server refuses where policies
  /// would hide some of them; what it looks at by itself for a constraint is not among them.
  package var queriedTables: Set<String> {
    let asked = preconditions.filter { isCopyJob || !$0.isEnforced }.map(\.entityName)
    let entities = source?.projection.model.entities ?? []
    let names = entities.filter { asked.contains($0.name) }
      .compactMap { source?.projection.table(of: $0)?.name }
    return Set(names + asked)
      .union(operations.filter(\.queriesRows).flatMap(\.base.impact.locks.keys).map(\.name))
      .union(copy?.sources.map(\.table.name) ?? [])
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

  /// A Boolean value that indicates whether its statements are queries over rows.
  fileprivate var queriesRows: Bool {
    switch self {
    case .computeValues, .updateRows, .copyRows, .retainRows, .deleteRows, .cutLinks,
      .cutDanglingLinks, .moveLinks, .numberLinks, .reinstateRows:
      true
    case .createTable, .installTable, .dropTable, .renameTable, .retainTable, .addColumn,
      .dropColumn, .renameColumn, .retainColumn, .changeColumnType, .setNotNull, .dropNotNull,
      .setDefault, .dropExpression, .addConstraint, .dropConstraint, .renameConstraint,
      .createIndex, .dropIndex, .renameIndex, .renameSequence, .createTrigger, .dropTrigger,
      .renameRetained, .dropDependent, .createDependent:
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
