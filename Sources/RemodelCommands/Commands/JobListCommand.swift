import ArgumentParser
import RemodelKit

/// The verb `remodel job list`.
struct JobListCommand: DatabaseVerb {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "Show the copy jobs of a database."
  )

  @OptionGroup(title: "Database")
  var connectionOptions: ConnectionOptions
  @OptionGroup(title: "Schema")
  var schemaOptions: SchemaOptions
  @OptionGroup(title: "Models")
  var modelOptions: ModelOptions
  @OptionGroup(title: "Output")
  var outputOptions: OutputOptions
  @OptionGroup(title: "Logs")
  var logOptions: LogOptions

  func configuration(_ environment: CommandEnvironment) throws -> RemodelConfiguration {
    var configuration = RemodelConfiguration()
    try connectionOptions.apply(to: &configuration, environment)
    try schemaOptions.apply(to: &configuration, environment)
    try modelOptions.apply(to: &configuration, environment)
    return configuration
  }

  func result(_ remodel: Remodel, _ database: ConnectionSource) async throws -> VerbResult {
    VerbResult(report: JobListReport(jobs: try await remodel.jobs(database)))
  }
}
