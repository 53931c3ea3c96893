internal import Diagnostics
internal import MigrationExecution
internal import MigrationPlanning
internal import PostgresClient
internal import SQLSyntax

extension TransferRun {
  /// What a look at the destination has found.
  private struct Found {
    let steps: [MigrationStep]
    let obstacle: RemodelError?
    let origin: PlanOrigin
  }

  /// Plans the migration, and changes neither database.
  func plan() async throws -> PlanReport {
    let origin = try await origin()
    let found = try await inDestination {
      try await call.withLook(at: database, destination.store) { _, connection -> Found in
        let view = try DatabaseView.settled(destination, connection) { view, _ in view }
        let steps = try plannedSteps(origin, view, connection)
        try view.checkOwners(connection)
        return Found(
          steps: steps,
          obstacle: try view.obstacle(to: steps, destination, connection),
          origin: try PlanOrigin(connection)
        )
      }
    }
    let limits = PlanLimits(call.configuration)
    let steps = found.steps
    var refusal = found.obstacle
    do {
      try limits.check(Array(steps.drop { $0.transferPoint != nil }), sizes: [:])
    } catch {
      refusal = error
    }
    return PlanReport(
      MigrationPlan(steps: steps, in: destination.place(as: database.role)),
      from: origin.reference,
      to: origin.target,
      by: catalog.planSettings(to: version),
      origin: found.origin,
      findings: [],
      sizes: origin.sizes,
      script: { throw RemodelError(.noTransferScript) },
      lockWarnings: origin.warnings + steps.compactMap { step in note(of: step, origin.sizes) },
      refusal: refusal,
      places: catalog.places(of: steps)
    )
  }

  /// Returns the step that brings the rows, unless it is done, and those to the target.
  private func plannedSteps(
    _ origin: Origin,
    _ view: DatabaseView,
    _ connection: borrowing PostgresConnection
  ) throws -> [MigrationStep] {
    guard case .transfer(let transfer) = try beginning(origin, view, connection) else {
      return try view.steps(to: origin.target, isExplicit: version != nil, connection)
    }
    return try [transfer] + following(origin, view, isForShow: true)
  }

  /// Returns a note of the rows that are copied between two statements of a step.
  private func note(of step: MigrationStep, _ sizes: TableSizes) -> Diagnostic? {
    guard let point = step.transferPoint else { return nil }
    let done = step.transactions.first?.lowerBound ?? 0
    guard done <= point else { return TransferReport.earlierRows }
    let tables = step.transferredTables
    // Estimates of another server may be any numbers.
    let rows = tables.reduce(0) { $0 + min(max(0, sizes[$1.name.name]?.rows ?? 0), 1 << 40) }
    let state =
      done == 0
      ? "" : " An earlier run has begun to fill them, and is continued."
    return Diagnostic(
      .warning,
      "rows of \(tables.count) \(tables.count == 1 ? "table" : "tables") are copied from the source "
        + "after statement \(point)",
      detail: "They are about \(rows), all of one snapshot.\(state)",
      hint: "Stop all writers before the migration begins: later rows stay in the source."
    )
  }
}
