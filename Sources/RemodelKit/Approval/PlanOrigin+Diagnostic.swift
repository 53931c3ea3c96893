internal import Diagnostics

extension PlanOrigin {
  /// Returns what may not have been expected of those who work in a database, given for what a plan was
  /// made.
  func warning(from planned: PlanOrigin) -> Diagnostic? {
    guard planned.assumedRole == nil, let assumedRole else { return nil }
    return Diagnostic(
      .warning,
      "the plan runs as role \"\(assumedRole)\", and was made without a role",
      detail: "It was made by role \"\(planned.role)\".",
      hint: "Make the plan with the same --role, and it runs as no other."
    )
  }
}
