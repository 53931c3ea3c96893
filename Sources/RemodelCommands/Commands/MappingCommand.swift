import ArgumentParser

/// The group of verbs `remodel mapping`.
struct MappingCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mapping",
    abstract: "Work on the mappings between model versions.",
    subcommands: [
      MappingInferCommand.self, MappingShowCommand.self, MappingNewCommand.self,
      MappingValidateCommand.self,
      MappingConvertCommand.self,
    ]
  )
}
