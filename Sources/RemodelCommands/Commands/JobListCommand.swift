import ArgumentParser
import RemodelKit

/// The verb `remodel job list`.
struct JobListCommand: StoreVerb {
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

  func result(_ remodel: Remodel, _ database: ConnectionSource) async throws -> VerbResult {
    VerbResult(report: JobListReport(jobs: try await remodel.jobs(database)))
  }
}
