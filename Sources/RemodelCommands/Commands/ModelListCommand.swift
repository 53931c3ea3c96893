import ArgumentParser
import RemodelKit

/// The verb `remodel model list`.
struct ModelListCommand: ModelVerb {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the versions of a model."
  )

  @OptionGroup(title: "Models")
  var modelOptions: ModelOptions
  @OptionGroup(title: "Output")
  var outputOptions: OutputOptions
  @OptionGroup(title: "Logs")
  var logOptions: LogOptions

  func result(_ remodel: Remodel) throws -> VerbResult {
    VerbResult(report: VersionsReport(versions: try remodel.versions()))
  }
}
