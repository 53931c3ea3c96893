import ArgumentParser
import RemodelKit

/// The verb `remodel migrate`.
struct MigrateCommand: DatabaseVerb {
  static let configuration = CommandConfiguration(
    commandName: "migrate",
    abstract: "Bring a database to the current model version, or to another one."
  )

  @OptionGroup(title: "Database")
  var connectionOptions: ConnectionOptions
  @OptionGroup(title: "Schema")
  var schemaOptions: SchemaOptions
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
    let approved = try approvalOptions.approvedPlan(
      .process,
      planning: planningOptions,
      copying: copyOptions
    )
    let report = try await remodel.migrate(database, to: planningOptions.to, approved: approved)
    return VerbResult(report: report, warnings: report.warnings)
  }
}
