import ArgumentParser
import RemodelKit

/// The verb `remodel mapping convert`.
struct MappingConvertCommand: ModelVerb {
  static let configuration = CommandConfiguration(
    commandName: "convert",
    abstract: "Write a mapping model of Xcode's as YAML.",
    discussion: """
      What a server cannot run, such as calls of a policy's code, is marked as a hole; \
      "mapping validate" reports them.
      """
  )

  @Argument(help: "The mapping model: an .xcmappingmodel.", completion: .directory)
  var path: String

  @OptionGroup(title: "Models")
  var modelOptions: ModelOptions
  @OptionGroup(title: "Output")
  var outputOptions: OutputOptions
  @OptionGroup(title: "Logs")
  var logOptions: LogOptions

  func result(_ remodel: Remodel) throws -> VerbResult {
    let report = try remodel.convertedMapping(at: path)
    return VerbResult(report: report, warnings: report.warnings)
  }
}
