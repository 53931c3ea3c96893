/// The place of a statement in a plan.
public struct StatementReference: Hashable, Sendable {
  /// The step, by its place in the plan, from zero.
  public let step: Int
  /// The statement, by its place among all statements of the step, from zero.
  public let statement: Int

  /// Creates a reference.
  package init(step: Int, statement: Int) {
    self.step = step
    self.statement = statement
  }
}

extension StatementReference: Comparable {
  /// Orders statements as they run.
  public static func < (first: Self, second: Self) -> Bool {
    (first.step, first.statement) < (second.step, second.statement)
  }
}
