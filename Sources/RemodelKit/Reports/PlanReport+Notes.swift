public import Diagnostics
internal import MigrationPlanning

extension PlanReport {
  /// What those who run the application have to know, although nothing is wrong with the plan.
  public var notes: [Diagnostic] { [cachedPlans].compactMap(\.self) }

  /// Sessions that have prepared a query for all columns of a table fail once when it gets others.
  private var cachedPlans: Diagnostic? {
    let tables = Set(plan.steps.flatMap(\.tablesOfChangedColumns).map(\.name)).sorted()
    guard !tables.isEmpty else { return nil }
    let shown = tables.prefix(5).map { "\"\($0)\"" }.joined(separator: ", ")
    let rest = tables.count > 5 ? " and \(tables.count - 5) more" : ""
    return Diagnostic(
      .warning,
      "prepared statements that select all columns of \(shown)\(rest) fail once",
      detail: "They end with 0A000, \"cached plan must not change result type\".",
      hint: "Have the application name its columns, or try again after 0A000."
    )
  }
}
