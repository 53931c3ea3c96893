import ArgumentParser
import RemodelKit

/// The verb `remodel mapping infer`.
struct MappingInferCommand: ModelVerb {
  static let configuration = CommandConfiguration(
    commandName: "infer",
    abstract: "Show the inferred mapping of two versions, or every reason why there is none."
  )

  @OptionGroup
  var pair: VersionPair
  @OptionGroup(title: "Models")
  var modelOptions: ModelOptions
  @OptionGroup(title: "Output")
  var outputOptions: OutputOptions
  @OptionGroup(title: "Logs")
  var logOptions: LogOptions

  func result(_ remodel: Remodel) throws -> VerbResult {
    let versions = try pair.versions()
    let report = try remodel.inferMapping(from: versions.source, to: versions.target)
    return VerbResult(report: report, warnings: report.step.warnings)
  }
}
