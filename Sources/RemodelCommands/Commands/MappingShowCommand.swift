import ArgumentParser
import RemodelKit

/// The verb `remodel mapping show`.
struct MappingShowCommand: ModelVerb {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show the complete mapping model of two versions.",
    discussion: "What a mapping file says is marked with a star; the rest is inferred."
  )

  @OptionGroup
  var pair: VersionPair
  @OptionGroup(title: "Models")
  var modelOptions: ModelOptions
  @OptionGroup(title: "Models")
  var mappingOptions: MappingOptions
  @OptionGroup(title: "Output")
  var outputOptions: OutputOptions
  @OptionGroup(title: "Logs")
  var logOptions: LogOptions

  static var formats: [OutputFormat] { [.text, .json, .yaml] }

  func configuration(_ environment: CommandEnvironment) throws -> RemodelConfiguration {
    var configuration = RemodelConfiguration()
    try modelOptions.apply(to: &configuration, environment)
    try mappingOptions.apply(to: &configuration, environment)
    return configuration
  }

  func result(_ remodel: Remodel) throws -> VerbResult {
    let versions = try pair.versions()
    let report = try remodel.completeMapping(from: versions.source, to: versions.target)
    return VerbResult(report: report, warnings: report.warnings)
  }
}
