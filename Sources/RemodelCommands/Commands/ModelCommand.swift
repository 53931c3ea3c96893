import ArgumentParser

/// The group of verbs `remodel model`.
struct ModelCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "model",
    abstract: "Work on model files.",
    subcommands: [
      ModelListCommand.self, ModelShowCommand.self, ModelHashCommand.self,
      ModelValidateCommand.self, ModelDiffCommand.self, ModelConvertCommand.self,
      ModelDiagramCommand.self, ModelExportCommand.self,
    ]
  )
}
