public import Diagnostics
public import MigrationExecution
public import MigrationPlanning
internal import SQLSyntax

/// The result of `plan`.
public struct PlanReport: Sendable {
  /// The plan; one without steps if there is nothing to do.
  public let plan: MigrationPlan
  /// The version that it starts from.
  public let source: VersionReference?
  /// The version that it leads to.
  public let target: VersionReference
  /// The counts for the preconditions of the first step; empty if none was checked.
  public let findings: [PreconditionFinding]
  /// Why it may not be carried out; none if it may.
  public let refusal: RemodelError?
  /// The settings of the plan.
  public let settings: PlanSettings
  /// The origin of the plan; `nil` without a database.
  public let origin: PlanOrigin?
  /// The sizes of the existing tables, by name; empty without a database.
  public let sizes: TableSizes
  /// The cost of the plan, and the time that it blocks others.
  public let forecast: PlanForecast
  /// The current activity in the database; `nil` without a database.
  public let activity: Activity?
  /// Writes the whole as a script.
  let writeScript: @Sendable () throws -> String
  /// The warnings.
  public let warnings: [Diagnostic]
  /// The measurements of a rehearsal; `nil` without one.
  public internal(set) var rehearsal: RehearsalReport?
  /// How each step can be taken back; empty if that was not looked up.
  var waysBack: [StepWayBack] = []
  /// The numbers of rows and values that are lost, by the queries that have counted them.
  var lossCounts: [SQLFragment: Int] = [:]
  /// The call of the command line that has asked for the plan; `nil` if none has.
  package var call: PlanCall?
  /// The lines of the model files that it follows from.
  package internal(set) var places = PlanPlaces()

  /// The whole as a script for `psql`; a plan in which rows pass through policies in code has none.
  public var script: String {
    get throws { try writeScript() }
  }
}

extension PlanReport {
  init(
    _ plan: MigrationPlan,
    from source: VersionReference?,
    to target: LoadedVersion,
    by settings: PlanSettings,
    origin: PlanOrigin? = nil,
    findings: [PreconditionFinding],
    sizes: TableSizes,
    script: @escaping @Sendable () throws -> String,
    activity: Activity? = nil,
    lockWarnings: [Diagnostic] = [],
    refusal: RemodelError? = nil,
    places: PlanPlaces = PlanPlaces()
  ) {
    self.init(
      plan: plan,
      source: source,
      target: target.reference,
      findings: findings,
      refusal: refusal,
      settings: settings,
      origin: origin,
      sizes: sizes,
      forecast: PlanForecast(of: plan.steps, sizes: sizes),
      activity: activity,
      writeScript: script,
      warnings: target.warnings + plan.steps.flatMap(\.warnings) + lockWarnings
    )
    self.places = places
  }
}
