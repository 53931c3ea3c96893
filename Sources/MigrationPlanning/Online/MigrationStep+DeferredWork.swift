package import SQLSyntax

extension MigrationStep {
  /// A Boolean value that indicates whether something is done when the step's transaction has ended.
  public var hasDeferredWork: Bool { !deferredWork.isEmpty }

  /// The statements of deferred work after the step's transaction, first those that a release
  /// relies on.
  package var lateStatements: [PlannedStatement] {
    let schema = destination.projection.schema
    return deferredWork.enumerated().flatMap { position, work in
      let rowWork = work.rowWork(in: schema)
      let hazards = lateHazards.indices.contains(position) ? lateHazards[position] : .init()
      return work.statements(in: schema.name).enumerated().map { index, statement in
        var statement = statement
        statement.rowWork = rowWork.indices.contains(index) ? rowWork[index] : []
        statement.places = work.places
        statement.limit(to: hazards, isFirst: index == 0)
        return statement
      }
    }
  }

  /// Returns the small tables after the step, given those before it: the same, and new ones.
  ///
  /// - Parameter before: The small tables of the source.
  /// - Returns: The small tables of the destination.
  package func smallTablesAfterwards(_ before: Set<SQLIdentifier>) -> Set<SQLIdentifier> {
    var small = before
    for operation in operations {
      if let rename = operation.rename, rename.kind == .table, small.remove(rename.name) != nil {
        small.insert(rename.newName)
      }
      let outcome = operation.base.outcome
      small.formUnion(outcome.madeTables.subtracting(outcome.filledTables))
    }
    return small
  }
}
