import ArgumentParser
import RemodelKit

/// The verb `remodel init`.
enum InitVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "init",
    abstract: "Write a first model to edit.",
    discussion: """
      The bundle NAME.remodel has one version, with comments, and the JSON Schema that editors check \
      it with. A model that is there already stays. To begin with the tables of a database instead, \
      use "adopt --write".
      """
  )
  static let options = [name]
  static let sections = ModelListVerb.sections

  private static let name = CommandOption(
    "name",
    .operand,
    "The name of the model.",
    default: "that of the working directory"
  )

  static func result(_ call: Call) throws -> VerbResult {
    let model = try call.remodel.newModel(named: call.options[name])
    try model.write(replacing: false)
    return VerbResult(
      NewModelReport(
        model: model,
        models: call.options.typedModels,
        hasDatabase: (try? call.options.database()) != nil
      )
    )
  }
}

/// The verb `remodel model new`.
enum ModelNewVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "new",
    abstract: "Add a version: a copy of the current one, which becomes the current one."
  )
  static let options = [name]
  static let sections = ModelListVerb.sections

  private static let name = CommandOption(
    "name",
    .operand,
    "The name of the version.",
    default: "the next number"
  )

  static func result(_ call: Call) throws -> VerbResult {
    let version = try call.remodel.newVersion(named: call.options[name])
    try version.write()
    return VerbResult(NewVersionReport(version: version, models: call.options.typedModels))
  }
}

/// The verb `remodel model schema`.
enum ModelSchemaVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "schema",
    abstract: "Show the JSON Schema of model files, mapping files or reports.",
    discussion: """
      The schemas are those of this version of the tool. Editors find one by a first line such as \
      "# yaml-language-server: $schema=model.schema.json".
      """
  )
  static let options = [subject]
  static let sections: [any OptionSection.Type] = []

  private static let subject = CommandOption(
    "subject",
    .operand,
    "model, mapping, report for the JSON of all verbs, or that of one: plan, model-list.",
    default: "model",
    completion: .list(SchemaReport.subjects)
  )

  static func result(_ call: Call) throws -> VerbResult {
    let name = call.options[subject] ?? FileSchema.model.rawValue
    guard let report = SchemaReport(of: name) else {
      throw Setting(source: .argument(subject.name), text: name).notAmong(SchemaReport.subjects)
    }
    return VerbResult(report)
  }
}

extension OptionValues {
  /// The option that later calls need to find the models that this one has found, as it is typed.
  fileprivate var typedModels: String {
    given["models"]?.first.map {
      " " + PlanCall.words("--models", $0).map(\.quotedForShell).joined(separator: " ")
    } ?? ""
  }
}
