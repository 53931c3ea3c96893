import ArgumentParser
import RemodelKit

/// The verb `remodel mapping validate`.
struct MappingValidateCommand: ModelVerb {
  static let configuration = CommandConfiguration(
    commandName: "validate",
    abstract: "Check mapping models: one, those between two versions, or all.",
    discussion: "A hole that has not been filled is a fault like any other."
  )

  @Argument(help: "The version before, or the path of a mapping model. (default: all)")
  var source: String?

  @Argument(help: "The version after. (default: the current one)")
  var target: String?

  @OptionGroup(title: "Models")
  var modelOptions: ModelOptions
  @OptionGroup(title: "Models")
  var mappingOptions: MappingOptions
  @OptionGroup(title: "Output")
  var outputOptions: OutputOptions
  @OptionGroup(title: "Logs")
  var logOptions: LogOptions

  func configuration(_ environment: CommandEnvironment) throws -> RemodelConfiguration {
    var configuration = RemodelConfiguration()
    try modelOptions.apply(to: &configuration, environment)
    try mappingOptions.apply(to: &configuration, environment)
    return configuration
  }

  func result(_ remodel: Remodel) throws -> VerbResult {
    let (names, warnings) = try remodel.validateMappings(source, to: target)
    return VerbResult(
      report: MappingValidationReport(names: names, warnings: warnings),
      warnings: warnings
    )
  }
}
