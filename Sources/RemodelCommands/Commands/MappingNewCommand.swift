import ArgumentParser
import RemodelKit

/// The verb `remodel mapping new`.
struct MappingNewCommand: ModelVerb {
  static let configuration = CommandConfiguration(
    commandName: "new",
    abstract: "Draft a mapping model between two versions.",
    discussion: """
      What can be inferred is left out, since it is inferred whenever it is not said; what cannot is \
      marked as a hole, with the reason. Write it to a file NAME.mapping.yaml beside the model.
      """
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
    let report = try remodel.draftMapping(from: versions.source, to: versions.target)
    return VerbResult(report: report, warnings: report.warnings)
  }
}
