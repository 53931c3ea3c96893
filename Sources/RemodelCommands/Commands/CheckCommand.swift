import ArgumentParser
import RemodelKit

/// The verb `remodel check`.
struct CheckCommand: TargetsVerb {
  static let configuration = CommandConfiguration(
    commandName: "check",
    // The parser then does not look for a request for completions, which takes a third of its time.
    _superCommandName: "remodel",
    abstract: "End with 0 if a database is at the current model version, else with 2.",
    discussion: "For entry points of containers and for health probes."
  )

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Ask again until it is, for so long; wait as long for the server, unless --wait says "
        + "otherwise.",
      valueName: "duration"
    )
  )
  var untilCurrent: String?

  @OptionGroup(title: "Database")
  var connectionOptions: ConnectionOptions
  @OptionGroup(title: "Schema")
  var schemaOptions: SchemaOptions
  @OptionGroup(title: "Many stores")
  var targetOptions: TargetOptions
  @OptionGroup(title: "Models")
  var modelOptions: ModelOptions
  @OptionGroup(title: "Output")
  var outputOptions: OutputOptions
  @OptionGroup(title: "Logs")
  var logOptions: LogOptions

  func configuration(_ environment: CommandEnvironment) throws -> RemodelConfiguration {
    var configuration = RemodelConfiguration()
    configuration.wait = try waitingTime() ?? configuration.wait
    try connectionOptions.apply(to: &configuration, environment)
    try schemaOptions.apply(to: &configuration, environment)
    try modelOptions.apply(to: &configuration, environment)
    return configuration
  }

  func result(_ remodel: Remodel, _ database: ConnectionSource) async throws -> VerbResult {
    let report = try await remodel.check(database, untilCurrent: waitingTime())
    return VerbResult(
      report: report,
      status: report.isCurrent ? .success : .difference,
      warnings: report.warnings
    )
  }

  func summary(
    _ remodel: Remodel,
    _ targets: MigrationTargets,
    _ onEvent: @escaping @Sendable (TargetEvent) -> Void
  ) async throws -> TargetsSummary {
    TargetsSummary(
      try await remodel.check(targets, untilCurrent: waitingTime(), onTargetEvent: onEvent)
    )
  }

  private func waitingTime() throws(UsageError) -> Duration? {
    guard let untilCurrent else { return nil }
    return try Setting(source: .option("--until-current"), text: untilCurrent).duration()
  }
}
