import ArgumentParser
import RemodelKit

/// Which models are meant.
struct ModelOptions: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      "A model bundle, or a folder that holds exactly one. (REMODEL_MODELS; default: migrations)",
      valueName: "path"
    ),
    completion: .directory
  )
  var models: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The configuration of the model that the database holds. (REMODEL_CONFIGURATION; default: "
        + "the whole model)",
      valueName: "name"
    )
  )
  var configuration: String?

  /// Adds these options to a configuration.
  func apply(
    to configuration: inout RemodelConfiguration,
    _ environment: CommandEnvironment
  ) throws(UsageError) {
    if let setting = environment.setting(models, "--models", "REMODEL_MODELS") {
      configuration.modelsPath = try setting.nonEmpty("a path")
    }
    if let setting = environment.setting(
      self.configuration,
      "--configuration",
      "REMODEL_CONFIGURATION"
    ) {
      configuration.configurationName = try setting.nonEmpty("a name")
    }
  }
}

/// The schema that the tables are in.
struct SchemaOptions: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      "The schema of the tables. (REMODEL_SCHEMA; default: public)",
      valueName: "name"
    )
  )
  var schema: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The schema of remodel's own tables. (REMODEL_METADATA_SCHEMA; default: remodel)",
      valueName: "name"
    )
  )
  var metadataSchema: String?

  /// Adds these options to a configuration.
  func apply(
    to configuration: inout RemodelConfiguration,
    _ environment: CommandEnvironment
  ) throws(UsageError) {
    if let setting = environment.setting(schema, "--schema", "REMODEL_SCHEMA") {
      configuration.schema = try setting.identifier()
    }
    if let setting = environment.setting(
      metadataSchema,
      "--metadata-schema",
      "REMODEL_METADATA_SCHEMA"
    ) {
      configuration.metadataSchema = try setting.identifier()
    }
  }
}
