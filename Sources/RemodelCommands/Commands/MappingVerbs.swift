import ArgumentParser
import RemodelKit

/// The group of verbs `remodel mapping`.
struct MappingCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mapping",
    abstract: "Work on the mappings between model versions.",
    subcommands: [
      Command<MappingInferVerb>.self, Command<MappingShowVerb>.self,
      Command<MappingNewVerb>.self, Command<MappingPreviewVerb>.self,
      Command<MappingValidateVerb>.self,
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
enum MappingNewVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "new",
    abstract: "Draft a mapping model between two versions.",
    discussion: """
      The draft leaves out everything that can be inferred, and marks the rest as holes, with the \
      reasons. Write it to a file NAME.mapping.yaml beside the model. With --entity, it has every \
      property of the entity, also what can be inferred.
      """
  )
  static let options = CommandOption.versionPair + [entity]
  static let sections = ModelListVerb.sections

  private static let entity = CommandOption(
    "entity",
    .list("name"),
    "Write out every property of this entity. Can be repeated."
  )

  static func result(_ call: Call) throws -> VerbResult {
    let (source, target) = try call.versionPair()
    return VerbResult(
      try call.remodel.draftMapping(
        from: source,
        to: target,
        writingOut: call.options.all(entity)
      )
    )
  }
}

/// The verb `remodel mapping preview`.
enum MappingPreviewVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "preview",
    abstract: "Show rows of a database beside the rows that a mapping makes of them.",
    discussion: "It only reads: one transaction that changes nothing, with a time limit."
  )
  static let options = [entity, rows, CommandOption.to]
  static let sections: [any OptionSection.Type] = [
    ConnectionOptions.self, SchemaOptions.self, ModelOptions.self, MappingOptions.self,
  ]

  private static let entity = CommandOption(
    "entity",
    .value("name"),
    "The entity, as either version calls it."
  )
  private static let rows = CommandOption(
    "rows",
    .value("number"),
    "The most rows of each entity mapping.",
    default: "10"
  )

  static func result(_ call: Call) async throws -> VerbResult {
    let options = call.options
    guard let name = options[entity] else {
      throw UsageError(.missing("the entity", hint: "Name it: --entity NAME."))
    }
    let count = try options.setting(rows)?.rowCount() ?? 10
    return try await call.withStore { remodel, database in
      VerbResult(
        try await remodel.previewMapping(database, of: name, to: options[.to], rows: count)
      )
    }
  }
}

extension Setting {
  fileprivate func rowCount() throws -> Int {
    guard let count = Int(text), (1...1000).contains(count) else {
      throw unusable("a number from 1 to 1000")
    }
    return count
  }
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
  static var options: [CommandOption] { CommandOption.versionPair }

  static func result(_ call: Call) throws -> VerbResult {
    let (source, target) = try call.versionPair()
    return VerbResult(try action(call.remodel, source, target))
  }
}

extension Call {
  /// Returns the two versions that a call is about.
  fileprivate func versionPair() throws -> (source: String, target: String?) {
    let (source, target) = (options[.source], options[.target])
    let (from, to) = (options.given["from"]?.first, options.given["to"]?.first)
    if source != nil, from != nil { throw UsageError(.conflict("--from", "a version before")) }
    if target != nil, to != nil { throw UsageError(.conflict("--to", "a version after")) }
    guard let source = source ?? from else {
      throw UsageError(.missing("the version before", hint: "Name it: --from VERSION."))
    }
    return (source, target ?? to)
  }
}

extension CommandOption {
  fileprivate static var versionPair: [CommandOption] {
    [
      .source, .target, CommandOption("from", .value("version"), "The version before."),
      CommandOption("to", .value("version"), "The version after."),
    ]
  }
  fileprivate static let source = CommandOption("source", .operand, "The version before.")
  fileprivate static let target = CommandOption(
    "target",
    .operand,
    "The version after.",
    default: "the current one"
  )
}
