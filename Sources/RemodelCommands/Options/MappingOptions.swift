import ArgumentParser
import RemodelKit

/// Which mapping models are meant.
struct MappingOptions: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      "A mapping model, or a folder with all of them. (REMODEL_MAPPINGS; default: the bundle and "
        + "the folder that holds it)",
      valueName: "path"
    ),
    completion: .directory
  )
  var mappings: String?

  /// Adds these options to a configuration.
  func apply(
    to configuration: inout RemodelConfiguration,
    _ environment: CommandEnvironment
  ) throws(UsageError) {
    configuration.policies = environment.policies
    if let setting = environment.setting(mappings, "--mappings", "REMODEL_MAPPINGS") {
      configuration.mappingsPath = try setting.nonEmpty("a path")
    }
  }
}
