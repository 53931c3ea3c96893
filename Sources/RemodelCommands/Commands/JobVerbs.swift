import ArgumentParser
import RemodelKit

/// The group of verbs `remodel job`.
struct JobCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "job",
    abstract: "Work on copies that take many transactions.",
    subcommands: [
      Command<JobListVerb>.self, Command<JobShowVerb>.self, Command<JobPauseVerb>.self,
      Command<JobResumeVerb>.self, Command<JobCancelVerb>.self,
    ]
  )
}

/// The verb `remodel job list`.
enum JobListVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "Show the copy jobs of a database."
  )
  static let sections: [any OptionSection.Type] = [
    ConnectionOptions.self, SchemaOptions.self, TargetOptions.self, ModelOptions.self,
  ]

  static func result(_ call: Call) async throws -> VerbResult {
    try await call.withStores { remodel, database in
      VerbResult(JobListReport(jobs: try await remodel.jobs(database)))
    } many: { remodel, targets, onEvent in
      try TargetsSummary(await remodel.jobs(targets, onTargetEvent: onEvent))
    }
  }
}

extension CommandOption {
  fileprivate static let job = CommandOption(
    "job",
    .operand,
    "The job, or the beginning of its name.",
    default: "the latest one"
  )
}

/// The verb `remodel job show`.
enum JobShowVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show the progress and the events of a copy job."
  )
  static let options: [CommandOption] = [.job, watch]
  static let sections: [any OptionSection.Type] = [
    ConnectionOptions.self, SchemaOptions.self, ModelOptions.self,
  ]

  private static let watch = CommandOption(
    "watch",
    .flag,
    "Show the progress until the job ends; every ten seconds without a terminal."
  )

  static func result(_ call: Call) async throws -> VerbResult {
    let job = call.options[.job]
    guard call.options.has(watch) else {
      return try await call.withStore { VerbResult(try await $0.job($1, named: job)) }
    }
    do {
      return try await call.withStore { [reporter = call.reporter] remodel, database in
        VerbResult(try await JobWatch(reporter).report(remodel, database, named: job))
      }
    } catch let error as Interrupted where error.signal == interruptSignal {
      // It is how a watch ends.
      throw ExitCode(ExitStatus(error).rawValue)
    }
  }
}

/// A verb that changes a job: one of a store, or the unfinished one of each of many stores.
protocol JobChangeVerb: Verb {
  typealias Change = @Sendable (Remodel, ConnectionSource, _ job: String?) async throws -> JobReport
  typealias ChangeOfMany =
    @Sendable (
      Remodel, MigrationTargets, @escaping @Sendable (TargetEvent) -> Void
    ) async throws -> TargetsReport<JobReport?>

  static var change: Change { get }
  static var changeOfMany: ChangeOfMany { get }
  /// What the job of a store is afterwards, in a word.
  static var outcome: String { get }
}

extension JobChangeVerb {
  static var options: [CommandOption] { [.job] }
  static var sections: [any OptionSection.Type] { JobListVerb.sections }

  static func result(_ call: Call) async throws -> VerbResult {
    let options = call.options
    return try await call.withStores(check: { _ in try options.refuseForMany(.job) }) {
      VerbResult(try await change($0, $1, options[.job]))
    } many: {
      try TargetsSummary(await changeOfMany($0, $1, $2), outcome: outcome)
    }
  }
}

/// The verb `remodel job pause`.
enum JobPauseVerb: JobChangeVerb {
  static let configuration = CommandConfiguration(
    commandName: "pause",
    abstract: "Pause a copy job; it continues to capture changes."
  )
  static let outcome = "paused"

  static let change: Change = { try await $0.setJobPaused(true, $1, named: $2) }
  static let changeOfMany: ChangeOfMany = {
    try await $0.setJobsPaused(true, $1, onTargetEvent: $2)
  }
}

/// The verb `remodel job resume`.
enum JobResumeVerb: JobChangeVerb {
  static let configuration = CommandConfiguration(
    commandName: "resume",
    abstract: "Resume a copy job."
  )
  static let outcome = "resumed"

  static let change: Change = { try await $0.setJobPaused(false, $1, named: $2) }
  static let changeOfMany: ChangeOfMany = {
    try await $0.setJobsPaused(false, $1, onTargetEvent: $2)
  }
}

/// The verb `remodel job cancel`.
enum JobCancelVerb: JobChangeVerb {
  static let configuration = CommandConfiguration(
    commandName: "cancel",
    abstract: "Cancel a copy job, and remove everything that it has created."
  )
  static let sections = FinishVerb.sections
  static let outcome = "cancelled"

  static let change: Change = { try await $0.cancelJob($1, named: $2) }
  static let changeOfMany: ChangeOfMany = { try await $0.cancelJobs($1, onTargetEvent: $2) }
}
