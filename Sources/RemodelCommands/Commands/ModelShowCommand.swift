import ArgumentParser
import RemodelKit

/// The verb `remodel model show`.
struct ModelShowCommand: ModelVerb {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show the entities of a version."
  )

  @Argument(help: "The version. (default: the current one)")
  var version: String?

  @OptionGroup(title: "Models")
  var modelOptions: ModelOptions
  @OptionGroup(title: "Output")
  var outputOptions: OutputOptions
  @OptionGroup(title: "Logs")
  var logOptions: LogOptions

  func result(_ remodel: Remodel) throws -> VerbResult {
    let version = try remodel.version(version)
    return VerbResult(report: try ModelReport(version), warnings: version.warnings)
  }
}
