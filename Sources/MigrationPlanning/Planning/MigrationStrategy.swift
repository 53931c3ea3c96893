/// How a step is carried out with respect to those who use its tables.
public enum MigrationStrategy: String, Hashable, Sendable, CaseIterable {
  /// One transaction that holds its locks to the end.
  case locked
  /// A copy in many transactions, during which writers are turned away.
  case gated
  /// A copy in many transactions, during which what writers change is copied again.
  case online
}
