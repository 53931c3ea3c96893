import ArgumentParser
import RemodelKit

/// The verb `remodel adopt`.
enum AdoptVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "adopt",
    abstract: "Adopt a database that remodel did not create.",
    discussion: """
      With a model, adopt compares the tables with those of the version and records the version. If \
      they differ, it lists every difference, and exits with code 7. With --write, it derives the model \
      from the tables. It lists objects that a model cannot describe, and leaves them alone. It does \
      not change rows and tables.
      """
  )
  static let options: [CommandOption] = [
    CommandOption("to", .value("version"), "The version that it is.", default: "the current one"),
    write, .dryRun("Compare, and write and record nothing."),
  ]
  static let sections: [any OptionSection.Type] = [
    ConnectionOptions.self, SchemaOptions.self, ModelOptions.self, LockOptions.self,
    MetricsOptions.self,
  ]

  private static let write = CommandOption(
    "write",
    .flag,
    "Derive the model from the tables, and write it to the path of --models."
  )

  static func result(_ call: Call) async throws -> VerbResult {
    let options = call.options
    if options.has(write), options.has(.to) { throw UsageError(.conflict("--write", "--to")) }
    return try await call.withStore { remodel, database in
      let report =
        options.has(write)
        ? try await remodel.adoptByWriting(database, isDryRun: options.has(.dryRun))
        : try await remodel.adopt(database, to: options[.to], isDryRun: options.has(.dryRun))
      return VerbResult(
        report,
        status: report.outcome == .differs ? .refused : .success
      )
    }
  }
}

/// The verb `remodel finish`.
enum FinishVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "finish",
    abstract: "Do the deferred work of an online migration, while others read and write.",
    discussion: """
      An online migration defers building and dropping indexes, and validating constraints, where no \
      release has to wait for them. If interrupted, finish continues when called again. With --one or \
      --for, the exit code is 8 while something is left.
      """
  )
  static let options = [one, time]
  static let sections: [any OptionSection.Type] = [
    ConnectionOptions.self, SchemaOptions.self, TargetOptions.self, ModelOptions.self,
    LockOptions.self, MetricsOptions.self,
  ]

  private static let one = CommandOption("one", .flag, "Do a single piece of the work.")
  private static let time = CommandOption(
    "for",
    .value("duration"),
    "Begin no piece after this time, such as 10m; one that has begun is done to its end."
  )

  static func result(_ call: Call) async throws -> VerbResult {
    let options = call.options
    let limit = FinishLimit(
      count: options.has(one) ? 1 : nil,
      duration: try options.setting(time)?.duration()
    )
    let isLimited = limit != FinishLimit()
    return try await call.withStores { remodel, database in
      let report = try await remodel.finish(database, upTo: limit)
      return VerbResult(
        report,
        status: isLimited && !report.left.isEmpty ? .unfinishedJob : .success
      )
    } many: { remodel, targets, onEvent in
      try TargetsSummary(
        await remodel.finish(targets, upTo: limit, onTargetEvent: onEvent),
        isLimited: isLimited
      )
    }
  }
}

/// The verb `remodel cleanup`.
enum CleanupVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "cleanup",
    abstract: "Drop tables and columns that are retained.",
    discussion: """
      Migrations retain what a version no longer has, for the previous release and for a revert. Clean \
      up when neither is needed any more: dropped values are lost for good. Without --yes, an age or a \
      version it shows what it would drop, and drops nothing. Each table has a short transaction of its \
      own; if interrupted, cleanup continues when called again.
      """
  )
  static let options: [CommandOption] = [
    olderThan, version, yes, .dryRun("Show what would be dropped, without dropping it."),
  ]
  static let sections: [any OptionSection.Type] = [Hazards.self] + FinishVerb.sections

  enum Hazards: OptionSection {
    static let title = "Cleanup"
    static let options: [CommandOption] = [.allow, .deny]
  }

  private static let olderThan = CommandOption(
    "older-than",
    .value("duration"),
    "Only objects that have been retained for this long, such as 7d.",
    default: "all"
  )
  private static let version = CommandOption(
    "version",
    .list("version"),
    "Only objects whose last version is this one. Can be repeated.",
    default: "all"
  )

  private static let yes = CommandOption("yes", .flag, "Drop all of them, whatever their age.")

  static func result(_ call: Call) async throws -> VerbResult {
    let options = call.options
    if options.has(.dryRun), options.has(yes) { throw UsageError(.conflict("--dry-run", "--yes")) }
    let isAsked = options.has(yes) || options.has(olderThan) || options.has(version)
    let isDryRun = options.has(.dryRun) || !isAsked
    let selection = CleanupSelection(
      olderThan: try options.setting(olderThan)?.duration(),
      versions: options.all(version)
    )
    return try await call.withStores { remodel, database in
      let report = try await remodel.cleanUp(database, selection, isDryRun: isDryRun)
      return VerbResult(
        isAsked || options.has(.dryRun) ? report : UnaskedCleanup(report: report),
        status: report.isRefused ? .refused : .success,
        warnings: report.diagnostics
      )
    } many: { remodel, targets, onEvent in
      try TargetsSummary(
        await remodel.cleanUp(targets, selection, isDryRun: isDryRun, onTargetEvent: onEvent)
      )
    }
  }
}
