internal import MigrationPlanning
internal import PostgresClient
internal import SQLSyntax

/// Foreign keys that are validated when all is in its place: what would keep them from it has to be
/// found before, when nothing has changed for readers and writers.
extension CopyContext {
  /// Looks at all rows, in a transaction that has brought the copy to where the sources are.
  func checkReferences(_ connection: borrowing PostgresConnection) throws {
    for reference in plan.lateReferences {
      try check(reference, statements.danglingRows(of: reference), connection)
    }
  }

  /// Looks at the rows that have changed, after ``apply(limit:_:)`` in the same transaction.
  func checkReferencesOfApplied(_ connection: borrowing PostgresConnection) throws {
    for reference in plan.lateReferences {
      try check(reference, statements.danglingRowsOfApplied(reference), connection)
    }
  }

  private func check(
    _ reference: LateReference,
    _ query: SQLFragment?,
    _ connection: borrowing PostgresConnection
  ) throws {
    guard let query else { return }
    let keys = try connection.query(query).compactMap { $0["key"] }
    guard !keys.isEmpty else { return }
    throw ExecutionError(
      .rowsDangle(
        constraint: reference.constraint.name,
        table: reference.table.name,
        referenced: reference.referencedTable.name,
        keys: Set(keys).sorted()
      )
    )
  }

  /// What is done when all is in its place.
  var settlement: CopySettlement {
    CopySettlement(
      store: store,
      jobID: jobID,
      epoch: epoch,
      interruption: interruption,
      failpoints: settings.failpoints,
      onEvent: onEvent
    )
  }
}
