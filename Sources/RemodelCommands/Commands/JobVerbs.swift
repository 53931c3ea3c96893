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
    ConnectionOptions.self, SchemaOptions.self, ModelOptions.self,
  ]

  static func result(_ call: Call) async throws -> VerbResult {
    try await call.withStore { remodel, database in
      VerbResult(report: JobListReport(jobs: try await remodel.jobs(database)))
    }
  }
}

/// A verb about one job.
protocol JobVerb: Verb {
  typealias Action = @Sendable (Remodel, ConnectionSource, _ job: String?) async throws -> JobReport

  static var action: Action { get }
}

extension JobVerb {
  static var options: [CommandOption] { [.job] }
  static var sections: [any OptionSection.Type] { JobListVerb.sections }

  static func result(_ call: Call) async throws -> VerbResult {
    let job = call.options[.job]
    return try await call.withStore { VerbResult(report: try await action($0, $1, job)) }
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
enum JobShowVerb: JobVerb {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show how far a copy job is, and what happened to it."
  )

  static let action: Action = { try await $0.job($1, named: $2) }
}

/// The verb `remodel job pause`.
enum JobPauseVerb: JobVerb {
  static let configuration = CommandConfiguration(
    commandName: "pause",
    abstract: "Have a copy job wait; it goes on keeping track of what changes."
  )

  static let action: Action = { try await $0.setJobPaused(true, $1, named: $2) }
}

/// The verb `remodel job resume`.
enum JobResumeVerb: JobVerb {
  static let configuration = CommandConfiguration(
    commandName: "resume",
    abstract: "Let a copy job go on."
  )

  static let action: Action = { try await $0.setJobPaused(false, $1, named: $2) }
}

/// The verb `remodel job cancel`.
enum JobCancelVerb: JobVerb {
  static let configuration = CommandConfiguration(
    commandName: "cancel",
    abstract: "Take back all that a copy job has made."
  )
  static let sections = FinishVerb.sections

  static let action: Action = { try await $0.cancelJob($1, named: $2) }
}
