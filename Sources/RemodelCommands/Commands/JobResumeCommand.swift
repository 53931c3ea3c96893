import ArgumentParser
import RemodelKit

/// The verb `remodel job resume`.
struct JobResumeCommand: StoreVerb {
  static let configuration = CommandConfiguration(
    commandName: "resume",
    abstract: "Let a copy job go on."
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
  @OptionGroup(title: "Output")
  var outputOptions: OutputOptions
  @OptionGroup(title: "Logs")
  var logOptions: LogOptions

  func result(_ remodel: Remodel, _ database: ConnectionSource) async throws -> VerbResult {
    VerbResult(report: try await remodel.setJobPaused(false, database, named: job))
  }
}
