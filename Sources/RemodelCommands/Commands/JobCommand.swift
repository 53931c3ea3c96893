import ArgumentParser

/// The group of verbs `remodel job`.
struct JobCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "job",
    abstract: "Work on copies that take many transactions.",
    subcommands: [
      JobListCommand.self, JobShowCommand.self, JobPauseCommand.self, JobResumeCommand.self,
      JobCancelCommand.self,
    ]
  )
}
