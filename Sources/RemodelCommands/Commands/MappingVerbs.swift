import ArgumentParser
import RemodelKit

/// The group of verbs `remodel mapping`.
struct MappingCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mapping",
    abstract: "Work on the mappings between model versions.",
    subcommands: [
      Command<MappingInferVerb>.self, Command<MappingShowVerb>.self,
      Command<MappingNewVerb>.self, Command<MappingValidateVerb>.self,
      Command<MappingConvertVerb>.self,
    ]
  )
}

/// The verb `remodel mapping infer`.
enum MappingInferVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "infer",
    abstract: "Show the inferred mapping of two versions, or every reason why there is none."
  )
  static let options = CommandOption.versions
  static let sections = ModelListVerb.sections

  static func result(_ call: Call) throws -> VerbResult {
    let versions = try call.options.versions()
    let report = try call.remodel.inferMapping(from: versions.source, to: versions.target)
    return VerbResult(report: report, warnings: report.step.warnings)
  }
}

/// The verb `remodel mapping show`.
enum MappingShowVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show the complete mapping model of two versions.",
    discussion: "Parts of a mapping file are marked with a star; the rest is inferred."
  )
  static let formats: [OutputFormat] = [.text, .json, .yaml]
  static let options = CommandOption.versions
  static let sections = MappingValidateVerb.sections

  static func result(_ call: Call) throws -> VerbResult {
    let versions = try call.options.versions()
    let report = try call.remodel.completeMapping(from: versions.source, to: versions.target)
    return VerbResult(report: report, warnings: report.warnings)
  }
}

/// The verb `remodel mapping new`.
enum MappingNewVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "new",
    abstract: "Draft a mapping model between two versions.",
    discussion: """
      The draft leaves out everything that can be inferred, and marks the rest as holes, with the \
      reasons. Write it to a file NAME.mapping.yaml beside the model.
      """
  )
  static let options = CommandOption.versions
  static let sections = ModelListVerb.sections

  static func result(_ call: Call) throws -> VerbResult {
    let versions = try call.options.versions()
    let report = try call.remodel.draftMapping(from: versions.source, to: versions.target)
    return VerbResult(report: report, warnings: report.warnings)
  }
}

/// The verb `remodel mapping validate`.
enum MappingValidateVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "validate",
    abstract: "Check mapping models: one, those between two versions, or all.",
    discussion: "A hole that has not been filled is a fault like any other."
  )
  static let options = [source, target]
  static let sections: [any OptionSection.Type] = [ModelOptions.self, MappingOptions.self]

  private static let source = CommandOption(
    "source",
    .operand,
    "The version before, or the path of a mapping model.",
    default: "all"
  )
  private static let target = CommandOption(
    "target",
    .operand,
    "The version after.",
    default: "the current one"
  )

  static func result(_ call: Call) throws -> VerbResult {
    let (names, warnings) = try call.remodel.validateMappings(
      call.options[source],
      to: call.options[target]
    )
    return VerbResult(
      report: MappingValidationReport(names: names, warnings: warnings),
      warnings: warnings
    )
  }
}

/// The verb `remodel mapping convert`.
enum MappingConvertVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "convert",
    abstract: "Write a mapping model of Xcode's as YAML.",
    discussion: """
      What a server cannot run, such as calls of a policy's code, is marked as a hole; \
      "mapping validate" reports them.
      """
  )
  static let options = [path]
  static let sections = ModelListVerb.sections

  private static let path = CommandOption(
    "path",
    .requiredOperand,
    "The mapping model: an .xcmappingmodel.",
    completion: .directory
  )

  static func result(_ call: Call) throws -> VerbResult {
    let report = try call.remodel.convertedMapping(at: call.options[path] ?? "")
    return VerbResult(report: report, warnings: report.warnings)
  }
}

extension CommandOption {
  /// Two versions to compare.
  static let versions = [
    source, target,
    CommandOption("from", .value("version"), "The version before."),
    CommandOption("to", .value("version"), "The version after."),
  ]

  private static let source = CommandOption("source", .operand, "The version before.")
  private static let target = CommandOption(
    "target",
    .operand,
    "The version after.",
    default: "the current one"
  )
}

extension OptionValues {
  /// Returns the versions to compare.
  func versions() throws(UsageError) -> (source: String, target: String?) {
    let (source, target) = (given["source"]?.first, given["target"]?.first)
    let (from, to) = (given["from"]?.first, given["to"]?.first)
    if source != nil, from != nil { throw UsageError(.conflict("--from", "a version before")) }
    if target != nil, to != nil { throw UsageError(.conflict("--to", "a version after")) }
    guard let source = source ?? from else {
      throw UsageError(.missing("the version before", hint: "Name it: --from VERSION."))
    }
    return (source, target ?? to)
  }
}
