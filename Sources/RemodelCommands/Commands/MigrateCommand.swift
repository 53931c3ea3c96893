import ArgumentParser
import RemodelKit

/// The verb `remodel migrate`.
struct MigrateCommand: TargetsVerb {
  static let configuration = CommandConfiguration(
    commandName: "migrate",
    abstract: "Bring a database to the current model version, or to another one."
  )

  @OptionGroup(title: "Database")
  var connectionOptions: ConnectionOptions
  @OptionGroup(title: "Schema")
  var schemaOptions: SchemaOptions
  @OptionGroup(title: "Many stores")
  var targetOptions: TargetOptions
  @OptionGroup(title: "Models")
  var modelOptions: ModelOptions
  @OptionGroup(title: "Models")
  var mappingOptions: MappingOptions
  @OptionGroup(title: "Migration")
  var planningOptions: PlanningOptions
  @OptionGroup(title: "Approval")
  var approvalOptions: ApprovalOptions
  @OptionGroup(title: "Copies")
  var copyOptions: CopyOptions
  @OptionGroup(title: "Locks")
  var lockOptions: LockOptions
  @OptionGroup(title: "Output")
  var outputOptions: OutputOptions
  @OptionGroup(title: "Logs")
  var logOptions: LogOptions

  func configuration(_ environment: CommandEnvironment) throws -> RemodelConfiguration {
    var configuration = RemodelConfiguration()
    try connectionOptions.apply(to: &configuration, environment)
    try schemaOptions.apply(to: &configuration, environment)
    try modelOptions.apply(to: &configuration, environment)
    try mappingOptions.apply(to: &configuration, environment)
    try lockOptions.apply(to: &configuration, environment)
    try planningOptions.apply(to: &configuration, environment)
    try copyOptions.apply(to: &configuration, environment)
    return configuration
  }

  func result(_ remodel: Remodel, _ database: ConnectionSource) async throws -> VerbResult {
    let report = try await remodel.migrate(
      database,
      to: planningOptions.to,
      approved: approvedPlan(.process)
    )
    return VerbResult(report: report, warnings: report.warnings)
  }

  func check(_ targets: MigrationTargets, _ environment: CommandEnvironment) throws {
    let option = targetOptions.givenOption ?? ""
    if approvalOptions.plan != nil { throw TargetError(.planOfOneStore) }
    if planningOptions.intoSchema != nil { throw UsageError(.conflict("--into-schema", option)) }
    guard try approvedPlan(environment) != nil else { return }
    guard targets.schemaPatterns.isEmpty, Set(targets.databases.map(\.schema)).count == 1 else {
      throw UsageError(.digestOfSchemas)
    }
  }

  func summary(
    _ remodel: Remodel,
    _ targets: MigrationTargets,
    _ onEvent: @escaping @Sendable (TargetEvent) -> Void
  ) async throws -> TargetsSummary {
    TargetsSummary(
      try await remodel.migrate(
        targets,
        to: planningOptions.to,
        approved: approvedPlan(.process),
        onTargetEvent: onEvent
      )
    )
  }

  private func approvedPlan(_ environment: CommandEnvironment) throws -> ApprovedPlan? {
    try approvalOptions.approvedPlan(
      environment,
      planning: planningOptions,
      copying: copyOptions
    )
  }
}
