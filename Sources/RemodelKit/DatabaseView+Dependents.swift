internal import MigrationExecution
internal import MigrationPlanning
internal import PostgresClient

extension DatabaseView {
  /// Refuses steps that fill tables which a publication of all tables would send to subscribers.
  func refusePublications(
    in steps: [MigrationStep],
    _ connection: borrowing PostgresConnection
  ) throws {
    guard let copying = steps.first(where: \.fillsTables) else { return }
    let refusals = try copying.publicationsInTheWay(connection)
    guard refusals.isEmpty else { throw PlanningError(fact: .dependentsInTheWay(refusals)) }
  }

  /// Refuses steps after which functions that return rows would fail.
  func refuseRowFunctions(
    in steps: [MigrationStep],
    _ connection: borrowing PostgresConnection
  ) throws {
    var refusals: [DependentRefusal] = []
    for (index, step) in steps.enumerated() {
      refusals += try step.rowFunctionsInTheWay(after: Array(steps[..<index]), connection)
        .filter { !refusals.contains($0) }
    }
    guard refusals.isEmpty else { throw PlanningError(fact: .dependentsInTheWay(refusals)) }
  }
}
