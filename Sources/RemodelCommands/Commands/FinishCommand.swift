import ArgumentParser
import RemodelKit

/// The verb `remodel finish`.
struct FinishCommand: DatabaseVerb {
  static let configuration = CommandConfiguration(
    commandName: "finish",
    abstract: "Do what an online migration has left to do, while others read and write.",
    discussion: """
      An online migration leaves indexes to be built and dropped, and constraints to be validated, \
      that no release has to wait for. Cut off anywhere, it goes on when called again.
      """
  )

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
    let report = try await remodel.finish(database)
    return VerbResult(report: report, warnings: report.warnings)
  }
}
