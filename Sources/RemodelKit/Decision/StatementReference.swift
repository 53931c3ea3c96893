/// The place of a statement in a plan.
public struct StatementReference: Hashable, Sendable {
  /// The step, by its place in ``MigrationPlan/steps``, from zero.
  public let step: Int
  /// The statement, by its place in ``MigrationStep/allStatements``, from zero.
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
