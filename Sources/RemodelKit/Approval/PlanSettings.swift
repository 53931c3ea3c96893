public import MigrationPlanning
public import SQLSyntax

/// What a plan was made by, besides the models and the database: what has to be said again to get the
/// same one.
public struct PlanSettings: Hashable, Sendable {
  /// The name of the model.
  public var modelName: String
  /// The version that was asked for; none if it was the current one.
  public var version: String?
  /// The configuration of the model; none for the whole.
  public var configurationName: String?
  /// The schema of the tables.
  public var schema: SQLIdentifier
  /// The schema of the metadata.
  public var metadataSchema: SQLIdentifier
  /// The schema in which the target is made anew; none if the database itself is changed.
  public var intoSchema: SQLIdentifier?
  /// What becomes of what a version no longer has.
  public var removals: RemovalPolicy
  /// Whether the way leads past the versions between.
  public var isDirect: Bool
  /// How rows are copied; none if that is chosen by the time that it takes.
  public var strategy: CopyStrategy?
  /// For how long writers may be made to wait.
  public var maxBlock: Duration

  /// Creates settings.
  public init(
    modelName: String,
    version: String?,
    configurationName: String?,
    schema: SQLIdentifier,
    metadataSchema: SQLIdentifier,
    intoSchema: SQLIdentifier?,
    removals: RemovalPolicy,
    isDirect: Bool,
    strategy: CopyStrategy?,
    maxBlock: Duration
  ) {
    self.modelName = modelName
    self.version = version
    self.configurationName = configurationName
    self.schema = schema
    self.metadataSchema = metadataSchema
    self.intoSchema = intoSchema
    self.removals = removals
    self.isDirect = isDirect
    self.strategy = strategy
    self.maxBlock = maxBlock
  }
}

extension PlanSettings {
  init(_ catalog: VersionCatalog, version: String?) {
    let configuration = catalog.configuration
    self.init(
      modelName: catalog.bundle.name,
      version: version,
      configurationName: configuration.configurationName,
      schema: configuration.schema,
      metadataSchema: configuration.metadataSchema,
      intoSchema: configuration.intoSchema,
      removals: configuration.removals,
      isDirect: configuration.isDirect,
      strategy: configuration.strategy,
      maxBlock: configuration.maxBlock
    )
  }

  /// Returns a configuration by which the same plan is made.
  func applied(to configuration: RemodelConfiguration) -> RemodelConfiguration {
    var configuration = configuration
    configuration.intoSchema = intoSchema
    configuration.removals = removals
    configuration.isDirect = isDirect
    configuration.strategy = strategy
    configuration.maxBlock = maxBlock
    return configuration
  }

  /// Returns what tells the store that is asked for from the one that the plan was made for.
  func otherStore(_ catalog: VersionCatalog) -> PlanDifference? {
    let configuration = catalog.configuration
    let names: [(PlanDifference.Setting, planned: String?, asked: String?)] = [
      (.model, modelName, catalog.bundle.name),
      (.configuration, configurationName, configuration.configurationName),
      (.schema, schema.name, configuration.schema.name),
      (.metadataSchema, metadataSchema.name, configuration.metadataSchema.name),
    ]
    return names.first { $0.planned != $0.asked }
      .map { .setting($0.0, planned: $0.planned, asked: $0.asked) }
  }
}
