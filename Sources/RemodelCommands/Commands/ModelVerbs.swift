import ArgumentParser
import RemodelKit

/// The group of verbs `remodel model`.
struct ModelCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "model",
    abstract: "Work on model files.",
    subcommands: [
      Command<ModelNewVerb>.self, Command<ModelListVerb>.self, Command<ModelShowVerb>.self,
      Command<ModelHashVerb>.self,
      Command<ModelValidateVerb>.self, Command<ModelDiffVerb>.self,
      Command<ModelConvertVerb>.self, Command<ModelDiagramVerb>.self,
      Command<ModelExportVerb>.self, Command<ModelSchemaVerb>.self, Command<ModelMergeVerb>.self,
    ]
  )
}

/// A verb about one version.
protocol VersionVerb: Verb {
  static func report(_ version: LoadedVersion) throws -> any Report
}

extension VersionVerb {
  static var options: [CommandOption] { [.version] }
  static var sections: [any OptionSection.Type] { ModelListVerb.sections }

  static func result(_ call: Call) throws -> VerbResult {
    VerbResult(try report(call.remodel.version(call.options[.version])))
  }
}

extension CommandOption {
  fileprivate static let version = CommandOption(
    "version",
    .operand,
    "The version.",
    default: "the current one"
  )
}

/// The verb `remodel model list`.
enum ModelListVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the versions of a model."
  )
  static let sections: [any OptionSection.Type] = [ModelOptions.self]

  static func result(_ call: Call) throws -> VerbResult {
    let found = try call.remodel.validVersions()
    return VerbResult(VersionsReport(versions: found.versions), warnings: found.warnings)
  }
}

/// The verb `remodel model show`.
enum ModelShowVerb: VersionVerb {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show the entities of a version."
  )

  static func report(_ version: LoadedVersion) throws -> any Report {
    try ModelReport(version)
  }
}

/// The verb `remodel model hash`.
enum ModelHashVerb: VersionVerb {
  static let configuration = CommandConfiguration(
    commandName: "hash",
    abstract: "Show the version hashes of a version."
  )

  static func report(_ version: LoadedVersion) -> any Report {
    HashReport(name: version.name, hashes: version.hashes)
  }
}

/// The verb `remodel model validate`.
enum ModelValidateVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "validate",
    abstract: "Check every version of a model.",
    discussion: "Versions that lead apart are an error: see model merge."
  )
  static let options = [strict]
  static let sections = ModelListVerb.sections

  private static let strict = CommandOption(
    "strict",
    .flag,
    "Take warnings for errors."
  )

  static func result(_ call: Call) throws -> VerbResult {
    let warnings = try call.remodel.validate(isStrict: call.options.has(strict))
    return VerbResult(ValidationReport(warnings: warnings))
  }
}

/// The verb `remodel model diff`.
enum ModelDiffVerb: VersionPairVerb {
  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Show the differences between two versions."
  )
  static let sections = ModelListVerb.sections

  static let action: Action = { remodel, source, target in
    let found = try remodel.difference(from: source, to: target)
    return DifferenceReport(
      source: found.source,
      target: found.target,
      difference: found.difference
    )
  }
}

/// The verb `remodel model convert`.
enum ModelConvertVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "convert",
    abstract: "Write a model in another form: Xcode's, or YAML.",
    discussion: """
      The extension of the path selects the form: .xcdatamodeld or .remodel for all versions, \
      .xcdatamodel or .yaml for one.
      """
  )
  static let options = [
    path,
    CommandOption("version", .operand, "The only version to convert.", default: "all"),
    force,
  ]
  static let sections = ModelListVerb.sections

  private static let path = CommandOption(
    "path",
    .requiredOperand,
    "The path of the new model.",
    completion: .directory
  )
  private static let force = CommandOption(
    "force",
    .flag,
    "Write over files that are there already."
  )

  static func result(_ call: Call) throws -> VerbResult {
    let conversion = try call.remodel.conversion(
      of: call.options[.version],
      to: call.options[path] ?? ""
    )
    try conversion.write(replacing: call.options.has(force))
    return VerbResult(ConversionReport(conversion: conversion))
  }
}

/// The verb `remodel model diagram`.
enum ModelDiagramVerb: VersionVerb {
  static let configuration = CommandConfiguration(
    commandName: "diagram",
    abstract: "Draw the entities of a version.",
    discussion: "The forms are mermaid (the default), dot for Graphviz, svg, and json."
  )
  static let formats = OutputFormat.ofDiagrams

  static func report(_ version: LoadedVersion) -> any Report {
    DiagramReport(version: version)
  }
}

/// The verb `remodel model export`.
enum ModelExportVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write the models in a database's metadata to files.",
    discussion: """
      The database stores the model of every version that it has had. --output names a bundle \
      (.remodel or .xcdatamodeld), a folder for one, or with --version a single model file; without it, \
      the files are added to the bundle of --models. --format yaml or xcode selects the form, if the \
      path does not. A file with the same model does not change; if one has another model, nothing is \
      written.
      """
  )
  static let formats = OutputFormat.ofModels
  static let options = [
    CommandOption("version", .value("version"), "The only version to write.", default: "all")
  ]
  static let sections = JobShowVerb.sections
  /// The path of the output is that of the models.
  static let writesReport = false

  static func result(_ call: Call) async throws -> VerbResult {
    let options = call.options
    let form: ModelForm? =
      switch options[.format] {
      case OutputFormat.yaml.name: .yaml
      case OutputFormat.xcode.name: .xcode
      case _: nil  // How it is told says nothing of the files.
      }
    return try await call.withStore { remodel, database in
      VerbResult(
        try await remodel.exportModels(
          database,
          version: options[.version],
          to: options[.output],
          form: form
        )
      )
    }
  }
}
