internal import MigrationPlanning
internal import PostgresClient

extension StepExecution {
  /// Returns whether the step does what has to be done about the objects that depend on its tables.
  ///
  /// Views and the like are read before the locks, and only under them nobody can make another.
  func accountsForDependents(_ connection: borrowing PostgresConnection) throws -> Bool {
    // The new plan says which they are.
    guard try step.publicationsInTheWay(connection).isEmpty,
      try step.rowFunctionsInTheWay(connection).isEmpty
    else { return false }
    guard let source = step.source, step.mayBreakDependents else { return true }
    let retained = try MetadataStore(store).retained(connection)
    let objects = StoreObjects(
      source.projection.schema,
      retained: retained,
      stagingSchema: store.stagingSchema
    )
    return step.accounts(for: try DependentInspection(objects).dependents(connection))
  }
}
