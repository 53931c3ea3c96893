import ArgumentParser
import RemodelKit

/// The verb `remodel model hash`.
struct ModelHashCommand: ModelVerb {
  static let configuration = CommandConfiguration(
    commandName: "hash",
    abstract: "Show the version hashes of a version."
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
    return VerbResult(report: HashReport(name: version.name, hashes: version.hashes))
  }
}
