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
enum MappingInferVerb: VersionPairVerb {
  static let configuration = CommandConfiguration(
    commandName: "infer",
    abstract: "Show the inferred mapping of two versions, or every reason why there is none."
  )
  static let sections = ModelListVerb.sections

  static let action: Action = { try $0.inferMapping(from: $1, to: $2) }
}

/// The verb `remodel mapping show`.
enum MappingShowVerb: VersionPairVerb {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show the complete mapping model of two versions.",
    discussion: "Parts of a mapping file are marked with a star; the rest is inferred."
  )
  static let formats = OutputFormat.ofMappings
  static let sections = MappingValidateVerb.sections

  static let action: Action = { try $0.completeMapping(from: $1, to: $2) }
}

/// The verb `remodel mapping new`.
enum MappingNewVerb: VersionPairVerb {
  static let configuration = CommandConfiguration(
    commandName: "new",
    abstract: "Draft a mapping model between two versions.",
    discussion: """
      The draft leaves out everything that can be inferred, and marks the rest as holes, with the \
      reasons. Write it to a file NAME.mapping.yaml beside the model.
      """
  )
  static let sections = ModelListVerb.sections

  static let action: Action = { try $0.draftMapping(from: $1, to: $2) }
}

/// The verb `remodel mapping validate`.
enum MappingValidateVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "validate",
    abstract: "Check mapping models: one, those between two versions, or all.",
    discussion: "A hole that has not been filled is a fault like any other."
  )
  static let options = [source, .target]
  static let sections: [any OptionSection.Type] = [ModelOptions.self, MappingOptions.self]

  private static let source = CommandOption(
    "source",
    .operand,
    "The version before, or the path of a mapping model.",
    default: "all"
  )

  static func result(_ call: Call) throws -> VerbResult {
    let (names, warnings) = try call.remodel.validateMappings(
      call.options[source],
      to: call.options[.target]
    )
    return VerbResult(MappingValidationReport(names: names, warnings: warnings))
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
    VerbResult(try call.remodel.convertedMapping(at: call.options[path] ?? ""))
  }
}

/// A verb about two versions.
protocol VersionPairVerb: Verb {
  typealias Action = @Sendable (Remodel, _ source: String, _ target: String?) throws -> any Report

  static var action: Action { get }
}

extension VersionPairVerb {
  static var options: [CommandOption] {
    [
      .source, .target, CommandOption("from", .value("version"), "The version before."),
      CommandOption("to", .value("version"), "The version after."),
    ]
  }

  static func result(_ call: Call) throws -> VerbResult {
    let (source, target) = (call.options[.source], call.options[.target])
    let (from, to) = (call.options.given["from"]?.first, call.options.given["to"]?.first)
    if source != nil, from != nil { throw UsageError(.conflict("--from", "a version before")) }
    if target != nil, to != nil { throw UsageError(.conflict("--to", "a version after")) }
    guard let source = source ?? from else {
      throw UsageError(.missing("the version before", hint: "Name it: --from VERSION."))
    }
    return VerbResult(try action(call.remodel, source, target ?? to))
  }
}

extension CommandOption {
  fileprivate static let source = CommandOption("source", .operand, "The version before.")
  fileprivate static let target = CommandOption(
    "target",
    .operand,
    "The version after.",
    default: "the current one"
  )
}
