import ArgumentParser
import RemodelKit

/// The verb `remodel revert`.
enum RevertVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "revert",
    abstract: "Revert to the version before the last migration.",
    discussion: """
      Retained tables and columns are put back, and rows and values written since are kept where both \
      versions have them. If something would be lost, revert lists it and does nothing. A change that \
      cannot be inferred in the other direction needs a mapping model. Called again, it reverts the \
      migration before.
      """
  )
  static let formats = OutputFormat.ofPlans
  static let options: [CommandOption] = [
    CommandOption(
      "to",
      .value("version"),
      "The version to revert to, over several migrations.",
      default: "the one before the last"
    ),
    .dryRun("Show the plan, and run nothing."),
  ]
  static let sections: [any OptionSection.Type] = [
    Hazards.self, ConnectionOptions.self, SchemaOptions.self, TargetOptions.self, ModelOptions.self,
    MappingOptions.self, CopyOptions.self, LockOptions.self, MetricsOptions.self,
  ]

  enum Hazards: OptionSection {
    static let title = "Revert"
    static let options: [CommandOption] = [.allow, .deny]
  }

  static func result(_ call: Call) async throws -> VerbResult {
    let options = call.options
    if options.has(.dryRun), options.has(.to) { throw UsageError(.conflict("--dry-run", "--to")) }
    let acceptsLosses = options.all(.allow).contains(Hazard.deletesData.rawValue)
    return try await call.withStores(check: { _ in try check(options) }) { remodel, database in
      guard options.has(.dryRun) else {
        // A script is asked for to read it, so nothing may run.
        _ = try options.format(among: MigrateVerb.formats)
        let report = try await remodel.revert(
          database,
          to: options[.to],
          acceptingLosses: acceptsLosses
        )
        return VerbResult(report)
      }
      let report = try await remodel.planRevert(database, acceptingLosses: acceptsLosses)
      return VerbResult(
        plan: report.called(try options.planCall(RevertVerb.self, among: formats))
      )
    } many: { remodel, targets, onEvent in
      try TargetsSummary(
        await remodel.revert(
          targets,
          to: options[.to] ?? "",
          acceptingLosses: acceptsLosses,
          onTargetEvent: onEvent
        )
      )
    }
  }

  /// Checks the options for many stores.
  private static func check(_ options: OptionValues) throws {
    _ = try options.format(among: MigrateVerb.formats)
    try options.refuseForMany(.dryRun)
    guard options.has(.to) else {
      // One of them may be a version ahead, and a rerun would go another one back.
      throw UsageError(
        .missing("the version for many stores", hint: "Name it with --to: revert --to 1.")
      )
    }
  }
}

extension CommandOption {
  /// Returns the flag that has nothing be done.
  static func dryRun(_ help: String) -> CommandOption { CommandOption("dry-run", .flag, help) }

  static let dryRun = dryRun("")
}
