import ArgumentParser
import RemodelKit

/// The verb `remodel cleanup`.
struct CleanupCommand: DatabaseVerb {
  static let configuration = CommandConfiguration(
    commandName: "cleanup",
    abstract: "Drop tables and columns that versions have left in place.",
    discussion: """
      What a version no longer has is retained, for the release before it and for the way back. Clean \
      up when neither is needed any more: what is dropped is gone for good. Each table has a short \
      transaction of its own; cut off anywhere, it goes on when called again.
      """
  )

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Only what has been retained for so long, as 7d. (default: all)",
      valueName: "duration"
    )
  )
  var olderThan: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Only what this version was the last one to have. Can be repeated. (default: all)",
      valueName: "version"
    )
  )
  var version: [String] = []

  @Flag(name: .long, help: "Show what would be dropped, and drop nothing.")
  var dryRun = false

  @OptionGroup(title: "Cleanup")
  var hazardOptions: HazardOptions
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
    try hazardOptions.apply(to: &configuration, environment)
    return configuration
  }

  func result(_ remodel: Remodel, _ database: ConnectionSource) async throws -> VerbResult {
    let age = try olderThan.map { text throws(UsageError) in
      try Setting(source: .option("--older-than"), text: text).duration()
    }
    let report = try await remodel.cleanUp(
      database,
      CleanupSelection(olderThan: age, versions: version),
      isDryRun: dryRun
    )
    return VerbResult(
      report: report,
      status: report.isRefused ? .refused : .success,
      warnings: report.diagnostics
    )
  }
}
