import ArgumentParser
import RemodelKit

/// The verb `remodel model diff`.
struct ModelDiffCommand: ModelVerb {
  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Show in what two versions differ."
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
    let found = try remodel.difference(from: versions.source, to: versions.target)
    return VerbResult(
      report: DifferenceReport(
        source: found.source,
        target: found.target,
        difference: found.difference
      )
    )
  }
}
