import ArgumentParser
import RemodelKit

/// The verb `remodel adopt`.
enum AdoptVerb: Verb {
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
  static let options: [CommandOption] = [
    CommandOption("to", .value("version"), "The version that it is.", default: "the current one"),
    write, .dryRun("Compare, and write and record nothing."),
  ]
  static let sections = FinishVerb.sections

  private static let write = CommandOption(
    "write",
    .flag,
    "Make the model of the tables, and write it where --models says."
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
        report: report,
        status: report.outcome == .differs ? .refused : .success,
        warnings: report.warnings
      )
    }
  }
}

/// The verb `remodel finish`.
enum FinishVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "finish",
    abstract: "Do what an online migration has left to do, while others read and write.",
    discussion: """
      An online migration leaves indexes to be built and dropped, and constraints to be validated, \
      that no release has to wait for. Cut off anywhere, it goes on when called again.
      """
  )
  static let sections: [any OptionSection.Type] = [
    ConnectionOptions.self, SchemaOptions.self, ModelOptions.self, LockOptions.self,
  ]

  static func result(_ call: Call) async throws -> VerbResult {
    try await call.withStore { remodel, database in
      let report = try await remodel.finish(database)
      return VerbResult(report: report, warnings: report.warnings)
    }
  }
}

/// The verb `remodel cleanup`.
enum CleanupVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "cleanup",
    abstract: "Drop tables and columns that versions have left in place.",
    discussion: """
      What a version no longer has is retained, for the release before it and for the way back. Clean \
      up when neither is needed any more: what is dropped is gone for good. Each table has a short \
      transaction of its own; cut off anywhere, it goes on when called again.
      """
  )
  static let options: [CommandOption] = [
    olderThan, version, .dryRun("Show what would be dropped, and drop nothing."),
  ]
  static let sections: [any OptionSection.Type] = [Hazards.self] + FinishVerb.sections

  enum Hazards: OptionSection {
    static let title = "Cleanup"
    static let options: [CommandOption] = [.allow, .deny]
  }

  private static let olderThan = CommandOption(
    "older-than",
    .value("duration"),
    "Only what has been retained for so long, as 7d.",
    default: "all"
  )
  private static let version = CommandOption(
    "version",
    .list("version"),
    "Only what this version was the last one to have. Can be repeated.",
    default: "all"
  )

  static func result(_ call: Call) async throws -> VerbResult {
    let options = call.options
    return try await call.withStore { remodel, database in
      let report = try await remodel.cleanUp(
        database,
        CleanupSelection(
          olderThan: options.setting(olderThan)?.duration(),
          versions: options.all(version)
        ),
        isDryRun: options.has(.dryRun)
      )
      return VerbResult(
        report: report,
        status: report.isRefused ? .refused : .success,
        warnings: report.diagnostics
      )
    }
  }
}
