import ArgumentParser
import RemodelKit

/// The verb `remodel adopt`.
struct AdoptCommand: DatabaseVerb {
  static let configuration = CommandConfiguration(
    commandName: "adopt",
    abstract: "Take over a database that remodel has not made.",
    discussion: """
      By a model: the tables are compared in full with what the version would be, and recorded as \
      that version; where they differ, every difference is listed, and the end is 7. With --write: the \
      model is made of the tables. What no model has words for is listed and left alone. Rows and \
      tables are not changed.
      """
  )

  @Option(
    name: .long,
    help: ArgumentHelp("The version that it is. (default: the current one)", valueName: "version")
  )
  var to: String?

  @Flag(name: .long, help: "Make the model of the tables, and write it where --models says.")
  var write = false

  @Flag(name: .long, help: "Compare, and write and record nothing.")
  var dryRun = false

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
    if write, to != nil { throw UsageError(.conflict("--write", "--to")) }
    var configuration = RemodelConfiguration()
    try connectionOptions.apply(to: &configuration, environment)
    try schemaOptions.apply(to: &configuration, environment)
    try modelOptions.apply(to: &configuration, environment)
    try lockOptions.apply(to: &configuration, environment)
    return configuration
  }

  func result(_ remodel: Remodel, _ database: ConnectionSource) async throws -> VerbResult {
    let report =
      write
      ? try await remodel.adoptByWriting(database, isDryRun: dryRun)
      : try await remodel.adopt(database, to: to, isDryRun: dryRun)
    return VerbResult(
      report: report,
      status: report.outcome == .differs ? .refused : .success,
      warnings: report.warnings
    )
  }
}
