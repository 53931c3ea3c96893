import ArgumentParser
import RemodelKit

/// The verb `remodel revert`.
struct RevertCommand: DatabaseVerb {
  static let configuration = CommandConfiguration(
    commandName: "revert",
    abstract: "Go back to the version before the last migration.",
    discussion: """
      What the migration left in place is bound again, and what was written meanwhile is kept where \
      both versions have it. What cannot be brought back is listed, and nothing is done; a change \
      that cannot be inferred the other way round needs a mapping model. Called again, it goes back \
      over the migration before.
      """
  )
  static let formats: [OutputFormat] = [.text, .json, .sql, .html, .markdown]

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The version to go back to, over several migrations. (default: the one before the last)",
      valueName: "version"
    )
  )
  var to: String?

  @Flag(name: .long, help: "Show the plan, and run nothing.")
  var dryRun = false

  @OptionGroup(title: "Revert")
  var hazardOptions: HazardOptions
  @OptionGroup(title: "Database")
  var connectionOptions: ConnectionOptions
  @OptionGroup(title: "Schema")
  var schemaOptions: SchemaOptions
  @OptionGroup(title: "Models")
  var modelOptions: ModelOptions
  @OptionGroup(title: "Models")
  var mappingOptions: MappingOptions
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
    try hazardOptions.apply(to: &configuration, environment)
    try copyOptions.apply(to: &configuration, environment)
    return configuration
  }

  func result(_ remodel: Remodel, _ database: ConnectionSource) async throws -> VerbResult {
    let acceptsLosses = hazardOptions.allow.contains(Hazard.deletesData.rawValue)
    if dryRun, to != nil { throw UsageError(.conflict("--dry-run", "--to")) }
    guard dryRun else {
      let report = try await remodel.revert(
        database,
        to: to,
        acceptingLosses: acceptsLosses
      )
      return VerbResult(report: report, warnings: report.warnings)
    }
    let report = try await remodel.planRevert(database, acceptingLosses: acceptsLosses)
    return VerbResult(
      report: report,
      status: report.refusal != nil
        ? .refused : report.findings.contains(where: \.isViolated) ? .dataNotAllowed : .success,
      warnings: (report.refusal?.diagnostics ?? []) + report.warnings,
      steps: report.plan.steps
    )
  }
}
