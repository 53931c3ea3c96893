internal import MigrationExecution
public import MigrationPlanning
public import SQLSyntax

/// The settings that affect a plan, besides the models' files and the database: with the same
/// settings, the plan is the same.
///
/// They are part of a configuration and of a plan file, so that an approved plan can be reproduced.
public struct PlanSettings: Hashable, Sendable {
  /// The name of the model; none before its bundle is read.
  public package(set) var modelName: String?
  /// The requested version; `nil` for the current one.
  public package(set) var version: String?
  /// The configuration of the model that the database holds; the whole model if there is none.
  public var configurationName: String?
  /// The schema of the tables.
  public var schema: SQLIdentifier = "public"
  /// The schema of the metadata.
  public var metadataSchema: SQLIdentifier = "remodel"
  /// The schema in which the target is created; the database itself is changed if there is none.
  public var intoSchema: SQLIdentifier?
  /// The treatment of tables and columns that a version no longer has.
  public var removals = RemovalPolicy.retain
  /// Whether to go from the source to the target in one step, past the versions between.
  public var isDirect = false
  /// Whether to go from a text of a version that is being written to its edited one, on a database
  /// for development.
  public var isDraft = false
  /// Whether every step needs a mapping model, and none is inferred.
  public var usesMappingsOnly = false
  /// How rows are copied into rebuilt tables; by default chosen by the duration.
  public var strategy: CopyStrategy?
  /// The time that writers may be blocked.
  public var maxBlock = Duration.seconds(5)
  /// Whether the version before stays served beside the new one; `nil` for what the store does: it does if it
  /// has interfaces.
  public var keep: KeptVersions?
  /// The beginning of the names of the schemas of views; by default that of the tables, and `_v`.
  public var interfacePrefix: String?
  /// The entities that the version before may lose while it stays served.
  public var unservedEntities: Set<String> = []
  /// The user info of the manager, which expressions can read as `$manager.userInfo`.
  public var userInfo: [String: String] = [:]

  /// Creates the defaults of the command line.
  public init() {}
}

extension PlanSettings: Codable {
  /// The word for a strategy that is chosen by the time that a copy takes.
  package static let automaticStrategy = "auto"

  private enum CodingKeys: String, CodingKey {
    case modelName = "model"
    case version
    case configurationName = "configuration"
    case schema, metadataSchema, intoSchema, removals
    case isDirect = "direct"
    case isDraft = "draft"
    case usesMappingsOnly = "mappingsOnly"
    case strategy
    case maxBlock = "maxBlockMilliseconds"
    case keep, interfacePrefix
    case unservedEntities = "unserved"
    case userInfo
  }

  /// Reads settings as a plan file has them.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    modelName = try container.decodeIfPresent(String.self, forKey: .modelName)
    version = try container.decodeIfPresent(String.self, forKey: .version)
    configurationName = try container.decodeIfPresent(String.self, forKey: .configurationName)
    schema = try container.decode(SQLIdentifier.self, forKey: .schema)
    metadataSchema = try container.decode(SQLIdentifier.self, forKey: .metadataSchema)
    intoSchema = try container.decodeIfPresent(SQLIdentifier.self, forKey: .intoSchema)
    removals = try container.decode(RemovalPolicy.self, forKey: .removals)
    isDirect = try container.decode(Bool.self, forKey: .isDirect)
    isDraft = try container.decodeIfPresent(Bool.self, forKey: .isDraft) ?? false
    usesMappingsOnly =
      try container.decodeIfPresent(Bool.self, forKey: .usesMappingsOnly) ?? false
    if try container.decode(String.self, forKey: .strategy) != Self.automaticStrategy {
      strategy = try container.decode(CopyStrategy.self, forKey: .strategy)
    }
    maxBlock = .milliseconds(try container.decode(Int.self, forKey: .maxBlock))
    keep = try container.decodeIfPresent(KeptVersions.self, forKey: .keep)
    interfacePrefix = try container.decodeIfPresent(String.self, forKey: .interfacePrefix)
    unservedEntities =
      try container.decodeIfPresent(Set<String>.self, forKey: .unservedEntities) ?? []
    userInfo = try container.decodeIfPresent([String: String].self, forKey: .userInfo) ?? [:]
  }

  /// Writes settings as a plan file has them: every key, and null where there is nothing; those
  /// of a draft, of mapping models alone, of interfaces and of user info only where they are in use.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(modelName, forKey: .modelName)
    try container.encode(version, forKey: .version)
    try container.encode(configurationName, forKey: .configurationName)
    try container.encode(schema, forKey: .schema)
    try container.encode(metadataSchema, forKey: .metadataSchema)
    try container.encode(intoSchema, forKey: .intoSchema)
    try container.encode(removals, forKey: .removals)
    try container.encode(isDirect, forKey: .isDirect)
    if isDraft { try container.encode(isDraft, forKey: .isDraft) }
    if usesMappingsOnly { try container.encode(usesMappingsOnly, forKey: .usesMappingsOnly) }
    try container.encode(strategy?.rawValue ?? Self.automaticStrategy, forKey: .strategy)
    try container.encode(maxBlock.inMilliseconds, forKey: .maxBlock)
    try container.encodeIfPresent(keep, forKey: .keep)
    try container.encodeIfPresent(interfacePrefix, forKey: .interfacePrefix)
    if !unservedEntities.isEmpty {
      try container.encode(unservedEntities.sorted(), forKey: .unservedEntities)
    }
    if !userInfo.isEmpty { try container.encode(userInfo, forKey: .userInfo) }
  }
}

extension VersionCatalog {
  func planSettings(to version: String?) -> PlanSettings {
    var settings = configuration.planSettings
    settings.modelName = bundle.name
    settings.version = version
    return settings
  }
}

extension PlanSettings {
  /// Returns the difference between the requested store and that of the plan.
  func otherStore(_ asked: PlanSettings) -> PlanDifference? {
    let names: [(PlanDifference.Setting, planned: String?, asked: String?)] = [
      (.model, modelName, asked.modelName),
      (.configuration, configurationName, asked.configurationName),
      (.schema, schema.name, asked.schema.name),
      (.metadataSchema, metadataSchema.name, asked.metadataSchema.name),
    ]
    return names.first { $0.planned != $0.asked }
      .map { .setting($0.0, planned: $0.planned, asked: $0.asked) }
  }
}
