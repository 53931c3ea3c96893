import ArgumentParser
import RemodelKit

/// The verb `remodel status`.
struct StatusCommand: TargetsVerb {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Show what version a database is at, and the way still to go."
  )

  @Flag(name: .long, help: "End with 2 if the database is not at the current version.")
  var exitCode = false

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
    return configuration
  }

  func result(_ remodel: Remodel, _ database: ConnectionSource) async throws -> VerbResult {
    let report = try await remodel.status(database)
    return VerbResult(
      report: report,
      status: exitCode && report.state != .current ? .difference : .success,
      warnings: report.warnings
    )
  }

  func summary(
    _ remodel: Remodel,
    _ targets: MigrationTargets,
    _ onEvent: @escaping @Sendable (TargetEvent) -> Void
  ) async throws -> TargetsSummary {
    TargetsSummary(
      try await remodel.status(targets, onTargetEvent: onEvent),
      isDifferenceTold: exitCode
    )
  }
}
