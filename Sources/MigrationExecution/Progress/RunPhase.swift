public import MigrationPlanning
internal import SQLSyntax

/// A phase of a run, as people who wait for it see it.
package enum RunPhase: String, Hashable, Sendable, CaseIterable {
  /// Checks, new tables beside the old ones, triggers that note or refuse writes.
  case prepare
  case copyRows = "copy-rows"
  case buildIndexes = "build-indexes"
  /// Rows that have changed meanwhile are copied again.
  case catchUp = "catch-up"
  /// Every copied row is compared with the expected one.
  case compare
  /// The copied tables get to their places, in the transaction that records the version.
  case `switch`
  /// The statements of a step that copies no table, in the transaction that records the version.
  case change
  /// Foreign keys of copied tables are validated.
  case validate
  /// Deferred work: indexes and constraints of large tables.
  case deferredWork = "deferred-work"
  /// Retained objects are dropped.
  case cleanUp = "clean-up"
}

/// A reason why a run does nothing at the moment.
package enum RunWait: Hashable, Sendable {
  /// Another migrator of the same store is at work.
  case migrationLock
  /// Others hold locks; none are known if the list is empty.
  case locks([Blocker])
  /// The run gives way to others.
  case throttle(ThrottleReason)
  /// The server does not answer.
  case server
  /// No process works on the job.
  case worker

  /// The kind of the reason, without its facts.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    case migrationLock = "migration-lock"
    case locks
    case throttle
    case server
    case worker
  }

  /// The kind.
  package var kind: Kind {
    switch self {
    case .migrationLock: .migrationLock
    case .locks: .locks
    case .throttle: .throttle
    case .server: .server
    case .worker: .worker
    }
  }
}

/// What a run is going to do, for those who tell of its progress.
public struct RunPlan: Sendable {
  /// The steps.
  public let steps: [MigrationStep]
  /// Their forecast.
  public let forecast: PlanForecast
  /// The name of the database.
  public let database: String
  /// The schema of the store.
  public let schema: String
  /// The name of the model.
  public let model: String

  /// Creates a plan.
  ///
  /// - Parameters:
  ///   - steps: The steps.
  ///   - forecast: Their forecast.
  ///   - store: The store.
  ///   - database: The name of the database.
  package init(
    _ steps: [MigrationStep],
    _ forecast: PlanForecast,
    of store: StoreIdentity,
    in database: String
  ) {
    self.steps = steps
    self.forecast = forecast
    self.database = database
    schema = store.schema.name
    model = store.modelName
  }
}
