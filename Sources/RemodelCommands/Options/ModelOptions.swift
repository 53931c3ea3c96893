import ArgumentParser
import RemodelKit

/// Which models are meant.
enum ModelOptions: OptionSection {
  static let title = "Models"
  static let options = [
    .models,
    CommandOption(
      "model-name",
      .value("name"),
      "The name by which the database records the model, where its folder was renamed.",
      variable: "REMODEL_MODEL_NAME",
      default: "that of the bundle"
    ) { $1.modelName = try $0.nonEmpty("a name") },
    CommandOption(
      "configuration",
      .value("name"),
      "The configuration of the model that the database holds.",
      variable: "REMODEL_CONFIGURATION",
      default: "the whole model"
    ) { $1.configurationName = try $0.nonEmpty("a name") },
  ]
}

/// Which mapping models are meant.
enum MappingOptions: OptionSection {
  static let title = "Models"
  static let options = [
    CommandOption(
      "mappings",
      .value("path"),
      "A mapping model, or a folder with all of them.",
      variable: "REMODEL_MAPPINGS",
      default: "the bundle and the folder that holds it",
      completion: .directory
    ) { $1.mappingsPath = try $0.nonEmpty("a path") },
    CommandOption(
      "user-info",
      .list("key=value"),
      "A text that expressions of mapping models read as $manager.userInfo.KEY. Can be repeated.",
      isOfPlan: true
    ) {
      let parts = $0.text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, !parts[0].isEmpty else { throw $0.unusable("KEY=VALUE") }
      $1.userInfo[String(parts[0])] = String(parts[1])
    },
  ]
}

/// The schema that the tables are in.
enum SchemaOptions: OptionSection {
  static let title = "Schema"
  static let options: [CommandOption] = [
    .schema,
    CommandOption(
      "metadata-schema",
      .value("name"),
      "The schema of remodel's own tables.",
      variable: "REMODEL_METADATA_SCHEMA",
      default: "remodel"
    ) { $1.metadataSchema = try $0.identifier() },
  ]
}

extension CommandOption {
  static let models = CommandOption(
    "models",
    .list("path"),
    "A model bundle, or a folder that holds exactly one; several are merged.",
    variable: "REMODEL_MODELS",
    form: ", separated by colons",
    separator: ":",
    default: "migrations",
    completion: .directory
  )
  static let schema = CommandOption(
    "schema",
    .value("name"),
    "The schema of the tables.",
    variable: "REMODEL_SCHEMA",
    default: "public"
  ) { $1.schema = try $0.identifier() }
}
