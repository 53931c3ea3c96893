import ArgumentParser
import RemodelKit

/// The verb `remodel plan`.
enum PlanVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "plan",
    abstract: "Show exactly what migrate would run, without running it.",
    discussion: "With --from, the plan follows from the models alone, without a database."
  )
  static let formats = OutputFormat.ofPlans
  static let options = [from, .exitCode("Exit with code 2 if there is something to do.")]
  static let sections: [any OptionSection.Type] = [
    ConnectionOptions.self, SchemaOptions.self, TargetOptions.self, ModelOptions.self,
    MappingOptions.self, PlanningOptions.self, CopyOptions.self, LockOptions.self,
    RehearsalOptions.self,
  ]

  private static let from = CommandOption(
    "from",
    .value("version"),
    "Plan from this version, without a database."
  )

  static func result(_ call: Call) async throws -> VerbResult {
    let options = call.options
    if let from = options[from] { return try result(call, from: from) }
    if try options.rehearsal() != nil { try options.refuseForTwoDatabases([.rehearse]) }
    return try await call.withStores(check: { _ in try check(options) }) { remodel, database in
      let report =
        if let destination = try options.destination() {
          try await remodel.plan(database, into: destination, to: options[.to])
        } else if let rehearsal = try options.rehearsal() {
          try await remodel.plan(database, to: options[.to], rehearsing: rehearsal)
        } else {
          try await remodel.plan(database, to: options[.to])
        }
      return VerbResult(
        plan: report.called(try options.planCall(MigrateVerb.self, among: formats)),
        tellsDifference: options.has(.exitCode)
      )
    } many: { remodel, targets, onEvent in
      try TargetsSummary(
        await remodel.plan(targets, to: options[.to], onTargetEvent: onEvent),
        isDifferenceTold: options.has(.exitCode)
      )
    }
  }

  private static func result(_ call: Call, from version: String) throws -> VerbResult {
    let options = call.options
    if let option = options.targetOption {
      throw UsageError(.conflict(from.typed, option.typed))
    }
    guard !options.isDatabaseGiven else {
      throw UsageError(.conflict(from.typed, "a database"))
    }
    guard try options.rehearsal() == nil else {
      throw UsageError(.conflict(from.typed, "--rehearse"))
    }
    try options.refuseForTwoDatabases([self.from])
    let report = try call.remodel.plan(
      from: version,
      to: options[.to],
      as: options.assumedRole()
    )
    return VerbResult(plan: report, tellsDifference: options.has(.exitCode))
  }

  private static func check(_ options: OptionValues) throws {
    try options.refuseForMany(.intoSchema)
    try options.refuseForMany(.intoDatabase)
    if try options.rehearsal() != nil { try options.refuseForMany(.rehearse) }
    let format = try options.format(among: formats)
    guard format.isGeneral else {
      throw UsageError(.formOfOneStore(format.name, options.targetOption?.typed ?? ""))
    }
  }
}

extension CommandOption {
  /// Returns the flag by which a difference changes the exit code.
  static func exitCode(_ help: String) -> CommandOption {
    CommandOption("exit-code", .flag, help)
  }

  static let exitCode = exitCode("")
}

extension OptionValues {
  /// Checks that a call about many stores does not have an option that is about one.
  func refuseForMany(_ option: CommandOption) throws(UsageError) {
    guard has(option) else { return }
    throw UsageError(.conflict(option.typed, targetOption?.typed ?? ""))
  }
}

extension VerbResult {
  /// Creates the result of a plan that is shown.
  init(plan report: PlanReport, tellsDifference: Bool = false) {
    let status: ExitStatus =
      if report.refusal != nil {
        .refused
      } else if report.findings.contains(where: \.isViolated) {
        .dataNotAllowed
      } else if tellsDifference, !report.plan.steps.isEmpty {
        .difference
      } else {
        .success
      }
    self.init(
      report,
      status: status,
      warnings: (report.refusal?.diagnostics ?? []) + report.warnings
        + (report.rehearsal?.diagnostics ?? []),
      steps: report.plan.steps
    )
  }
}
