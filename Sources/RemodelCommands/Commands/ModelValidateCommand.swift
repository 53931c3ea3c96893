import ArgumentParser
import RemodelKit

/// The verb `remodel model validate`.
struct ModelValidateCommand: ModelVerb {
  static let configuration = CommandConfiguration(
    commandName: "validate",
    abstract: "Check every version of a model."
  )

  @OptionGroup(title: "Models")
  var modelOptions: ModelOptions
  @OptionGroup(title: "Output")
  var outputOptions: OutputOptions
  @OptionGroup(title: "Logs")
  var logOptions: LogOptions

  func result(_ remodel: Remodel) throws -> VerbResult {
    let warnings = try remodel.validate()
    return VerbResult(report: ValidationReport(warnings: warnings), warnings: warnings)
  }
}
