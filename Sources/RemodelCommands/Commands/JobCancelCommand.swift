import ArgumentParser
import RemodelKit

/// The verb `remodel job cancel`.
struct JobCancelCommand: DatabaseVerb {
  static let configuration = CommandConfiguration(
    commandName: "cancel",
    abstract: "Take back all that a copy job has made."
  )

  @Argument(
    help: ArgumentHelp(
      "The job, or the beginning of its name. (default: the latest one)",
      valueName: "job"
    )
  )
  var job: String?

  @OptionGroup(title: "Database")
  var connectionOptions: ConnectionOptions
  @OptionGroup(title: "Schema")
  var schemaOptions: SchemaOptions
  @OptionGroup(title: "Models")
  var modelOptions: ModelOptions
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
    try lockOptions.apply(to: &configuration, environment)
    return configuration
  }

  func result(_ remodel: Remodel, _ database: ConnectionSource) async throws -> VerbResult {
    VerbResult(report: try await remodel.cancelJob(database, named: job))
  }
}
