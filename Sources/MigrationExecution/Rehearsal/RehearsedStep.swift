public import MigrationPlanning
public import SQLSyntax

/// A rehearsed step with its measurements.
public struct RehearsedStep: Sendable {
  /// The version that it leads from; none if it fills an empty schema.
  public let source: String?
  /// The version that it leads to.
  public let destination: String
  /// A Boolean value that indicates whether rows are copied in transactions of their own, of which
  /// there are no figures by statement.
  public let isJob: Bool
  /// The statements in their order.
  public var statements: [RehearsedStatement]
  /// The work after the step's transaction, of which only the time is known.
  public package(set) var deferredWork: [DeferredWorkExecution.Done] = []
  /// For how long locks were held.
  public let holds: [HeldLock]
  /// How long it took.
  public let duration: Duration
  /// The bytes of write-ahead log; none where others write to the server, too.
  public let logBytes: Int?
  /// By how many bytes the database was larger at most; none where others write to it, too.
  public let diskBytes: Int?
}

/// A statement that was carried out for trial.
public struct RehearsedStatement: Sendable {
  /// The statement with its forecast.
  public let statement: PlannedStatement
  /// How long it took.
  public let duration: Duration
  /// The bytes of write-ahead log; none where others write to the server, too.
  public let logBytes: Int?
  /// The comparison of the measurement with the forecast; `nil` if only the time is known.
  public var comparison: ImpactComparison?
}

/// A lock that was held until its transaction ended.
public struct HeldLock: Hashable, Sendable {
  /// The table, by its name before.
  public let table: QualifiedName
  /// The lock.
  public let mode: LockMode
  /// The time from the locking statement to the end of the transaction.
  public let duration: Duration
}
