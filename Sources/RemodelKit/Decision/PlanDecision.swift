public import MigrationPlanning
public import SQLSyntax

/// What has to be known to decide on a plan: facts without sentences, each with the statements that
/// cause it.
///
/// It is a pure function of a ``PlanReport``; every form of a plan shows the same.
public struct PlanDecision: Hashable, Sendable {
  /// The database, the versions and the time.
  public let origin: Origin
  /// Whether the plan can be carried out while others use the database.
  public let verdict: PlanVerdict
  /// Who waits how long for which table, the longest first; tables of which others wait for no longer than
  /// ``Wait/noticedSeconds`` are left out.
  public let waits: [Wait]
  /// What is lost for good, in the order of the statements.
  ///
  /// What is retained is not lost: it is part of ``wayBack``.
  public let losses: [Loss]
  /// What breaks a release that still runs on the previous version, in the order of the statements.
  public let breakages: [Breakage]
  /// The conditions that the rows have to meet, in the order of the plan, those that they do meet included.
  public let rowChecks: [RowCheck]
  /// What is retained, and what `revert` would do.
  public let wayBack: WayBack
  /// What to call next.
  public let next: NextCommands
  /// Whether rows are copied beside the service, by a run that can be stopped and continued.
  package let isCopy: Bool

  /// The row checks that the rows do not meet.
  public var rowsInTheWay: [RowCheck] { rowChecks.filter { $0.state == .violated } }
  /// The row checks that nobody has made.
  public var uncheckedRows: [RowCheck] { rowChecks.filter { $0.state == .notChecked } }
}

extension PlanDecision {
  /// Where a plan is for, and when it was made.
  public struct Origin: Hashable, Sendable {
    /// The database with its server, the roles and the time; `nil` for a plan from the models alone.
    public let database: PlanOrigin?
    /// The schema of the tables.
    public let schema: SQLIdentifier
    /// The name of the model.
    public let modelName: String
    /// The configuration of the model; `nil` for the whole model.
    public let configurationName: String?
    /// The version that the plan starts from; `nil` for an empty schema.
    public let source: VersionReference?
    /// The version that it leads to.
    public let target: VersionReference
    /// The digest of the plan.
    public let digest: String
  }

  /// For how long others wait for a table in a step.
  public struct Wait: Hashable, Sendable {
    /// The longest time in seconds that nobody notices.
    public static let noticedSeconds = 0.1

    /// The table, by its name before the plan.
    public let table: QualifiedName
    /// The step, from zero.
    public let step: Int
    /// The strongest lock.
    public let lock: LockMode
    /// For how long readers wait at most.
    public let readers: BlockedTime
    /// For how long writers wait at most.
    public let writers: BlockedTime
    /// The statement that takes the longest part of that; `nil` if it is the check of rows under the locks.
    public let cause: StatementReference?
    /// The purpose of that statement, in a line.
    public let reason: String?
    /// How many rows are written to the table in a second, as measured; `nil` if unknown.
    public let rowsWrittenPerSecond: Double?
  }

  /// Something that is lost for good.
  public struct Loss: Hashable, Sendable {
    /// The statement that deletes it.
    public let statement: StatementReference
    /// What is lost, by the names of the model and of the database; `nil` for authored SQL whose effects are
    /// unknown.
    public let data: DataLoss?
    /// How many rows, values or links are lost.
    public internal(set) var count: RowCount
    /// Whether the model removes it, so that `--removals retain` would keep it.
    package let isRemoval: Bool
  }

  /// How many rows there are.
  public enum RowCount: Hashable, Sendable {
    /// So many, counted when the plan was made.
    case counted(Int)
    /// About so many at most, from the statistics of the table.
    case about(Int)
    /// Nobody knows.
    case notKnown

    /// The number; `nil` if nobody knows.
    var number: Int? {
      switch self {
      case .counted(let count), .about(let count): count
      case .notKnown: nil
      }
    }
  }

  /// A change that breaks a release on the previous version.
  public struct Breakage: Hashable, Sendable {
    /// The statement of the plan that makes the change.
    public let statement: StatementReference
    /// The change.
    public let change: ReleaseBreakage
    /// The statement of the release that no longer works.
    public let failing: FailingStatement
  }

  /// A condition that the rows have to meet.
  public struct RowCheck: Hashable, Sendable {
    /// The result of a check.
    public enum State: String, Hashable, Sendable {
      /// All rows meet it.
      case met
      /// Rows are in the way.
      case violated
      /// The role may not read the rows, they were locked, or an earlier step changes them.
      case notChecked = "not-checked"
    }

    /// The step, from zero.
    public let step: Int
    /// The place among the preconditions of the step, from zero.
    public let number: Int
    /// The statements that need it; empty if none can be told.
    public let statements: [StatementReference]
    /// The condition.
    public let condition: PlannedPrecondition
    /// The result.
    public let state: State
    /// How many rows are in the way, as counted; `nil` if it was not checked.
    public let count: Int?
    /// The keys of up to five of these rows, as text: values of rows, for the eyes of who has asked alone.
    public let exampleKeys: [String]
    /// A query for the keys of all of them, which psql runs as it is; `nil` where they cannot be named.
    public let query: SQLFragment?
  }
}
