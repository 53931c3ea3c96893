import ArgumentParser
import RemodelKit

/// The verb `remodel plan`.
struct PlanCommand: TargetsVerb {
  static let configuration = CommandConfiguration(
    commandName: "plan",
    abstract: "Show exactly what migrate would run, and run nothing.",
    discussion: "With --from, the plan is made of the models alone, without a database."
  )
  static let formats: [OutputFormat] = [.text, .json, .sql, .html, .markdown]

  @Option(
    name: .long,
    help: ArgumentHelp("Plan from this version, without a database.", valueName: "version")
  )
  var from: String?

  @Flag(name: .long, help: "End with 2 if there is something to do.")
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
  @OptionGroup(title: "Migration")
  var planningOptions: PlanningOptions
  @OptionGroup(title: "Copies")
  var copyOptions: CopyOptions
  @OptionGroup(title: "Locks")
  var lockOptions: LockOptions
  @OptionGroup(title: "Rehearsal")
  var rehearsalOptions: RehearsalOptions
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
    try planningOptions.apply(to: &configuration, environment)
    try copyOptions.apply(to: &configuration, environment)
    return configuration
  }

  func result(_ call: Call) async throws -> VerbResult {
    guard let from else { return try await storeResult(call) }
    if let option = targetOptions.givenOption { throw UsageError(.conflict("--from", option)) }
    guard !connectionOptions.isGiven else { throw UsageError(.conflict("--from", "a database")) }
    guard try rehearsal == nil else { throw UsageError(.conflict("--from", "--rehearse")) }
    let remodel = Remodel(try configuration(call.environment))
    let role = try connectionOptions.assumedRole(call.environment)
    return result(try remodel.plan(from: from, to: planningOptions.to, as: role))
  }

  func result(_ remodel: Remodel, _ database: ConnectionSource) async throws -> VerbResult {
    guard let rehearsal = try rehearsal else {
      return result(try await remodel.plan(database, to: planningOptions.to))
    }
    return result(
      try await remodel.plan(database, to: planningOptions.to, rehearsing: rehearsal)
    )
  }

  func check(_ targets: MigrationTargets, _ environment: CommandEnvironment) throws {
    let option = targetOptions.givenOption ?? ""
    if planningOptions.intoSchema != nil { throw UsageError(.conflict("--into-schema", option)) }
    if try rehearsal != nil { throw UsageError(.conflict("--rehearse", option)) }
    switch try outputOptions.chosenFormat(among: Self.formats) {
    case .text, .json: break
    case let format: throw UsageError(.formOfOneStore(format, option))
    }
  }

  func summary(
    _ remodel: Remodel,
    _ targets: MigrationTargets,
    _ onEvent: @escaping @Sendable (TargetEvent) -> Void
  ) async throws -> TargetsSummary {
    TargetsSummary(
      try await remodel.plan(targets, to: planningOptions.to, onTargetEvent: onEvent),
      isDifferenceTold: exitCode
    )
  }

  /// How the plan is rehearsed; none if it is not.
  private var rehearsal: Rehearsal? {
    get throws(UsageError) {
      try rehearsalOptions.rehearsal(isLimited: copyOptions.maxBlock != nil)
    }
  }

  private func result(_ report: PlanReport) -> VerbResult {
    let difference: ExitStatus = exitCode && !report.plan.steps.isEmpty ? .difference : .success
    return VerbResult(
      report: report,
      status: report.refusal != nil
        ? .refused : report.findings.contains(where: \.isViolated) ? .dataNotAllowed : difference,
      warnings: (report.refusal?.diagnostics ?? []) + report.warnings
        + (report.rehearsal?.diagnostics ?? []),
      steps: report.plan.steps
    )
  }
}
