public import MigrationExecution
public import MigrationPlanning
public import ModelLoading
public import ModelMapping
public import SQLSyntax

/// The settings of migrations, besides the database.
///
/// Settings that affect plans are in ``planSettings``, and accessible as properties of the
/// configuration: `configuration.removals = .drop`.
@dynamicMemberLookup
public struct RemodelConfiguration: Sendable {
  /// The settings that affect plans.
  public var planSettings = PlanSettings()
  /// A model bundle, or a folder that holds exactly one.
  public var modelsPath: String
  /// Further bundles, or folders that hold exactly one, whose entities are merged with those of the first.
  public var furtherModelsPaths: [String] = []
  /// The name of the model by which databases record it; that of the bundle if there is none.
  public var modelName: String?
  /// A bundle that is at hand, in place of the one at the path: of models that no file holds, or of
  /// several bundles.
  public var models: ModelBundle?
  /// A mapping model, or a folder with all of them; the bundle and the folder that holds it if there
  /// is none.
  public var mappingsPath: String?
  /// Roles whose tables and functions are trusted besides those of the role that works.
  public var trustedOwners: Set<SQLIdentifier> = []
  /// The denied hazards.
  public var denials: [HazardDenial]
  /// For how long one attempt may wait for locks.
  public var lockTimeout: Duration
  /// For how long to attempt again in all.
  public var lockRetryFor: Duration
  /// For how long to wait until the server accepts connections.
  public var wait: Duration
  /// For how long to wait for another migrator of the same store.
  public var waitForMigrationLock: Duration
  /// Whether `maxBlock` binds where a strategy is given, too; where the strategy is chosen, it always does.
  package var bindsGivenStrategy = false
  /// The settings of copies in many transactions.
  public var copySettings: CopySettings
  /// The policies in code, by the class names that mappings have.
  public var policies: [String: any EntityMigrationPolicy]
  /// The folder of `initdb` and `postgres` for throwaway servers; by default searched.
  public var serverBinaries: String?
  /// Whether a plan that exceeds its limits is created nevertheless, to be shown.
  package var isForShow = false
  /// The number of locks that the server has room for, in place of its settings.
  package var lockCapacity: Int?
  /// How many stores of the server are worked on at the same time, which share that room.
  package var lockSharers = 1
  /// The sizes of the tables, in place of the server's statistics.
  package var tableSizes: TableSizes?
  /// Whether every table is taken for one that is not small, whatever its size.
  package var takesTablesForLarge = false

  /// Creates a configuration with the defaults of the command line.
  public init(
    modelsPath: String = "migrations",
    mappingsPath: String? = nil,
    configurationName: String? = nil,
    schema: SQLIdentifier = "public",
    metadataSchema: SQLIdentifier = "remodel",
    removals: RemovalPolicy = .retain,
    isDirect: Bool = false,
    intoSchema: SQLIdentifier? = nil,
    denials: [HazardDenial] = [],
    lockTimeout: Duration = .milliseconds(400),
    lockRetryFor: Duration = .seconds(60),
    wait: Duration = .zero,
    waitForMigrationLock: Duration = .seconds(600),
    strategy: CopyStrategy? = nil,
    maxBlock: Duration = .seconds(5),
    copySettings: CopySettings = CopySettings(),
    policies: [String: any EntityMigrationPolicy] = [:]
  ) {
    self.modelsPath = modelsPath
    self.mappingsPath = mappingsPath
    self.denials = denials
    self.lockTimeout = lockTimeout
    self.lockRetryFor = lockRetryFor
    self.wait = wait
    self.waitForMigrationLock = waitForMigrationLock
    self.copySettings = copySettings
    self.policies = policies
    planSettings.configurationName = configurationName
    planSettings.schema = schema
    planSettings.metadataSchema = metadataSchema
    planSettings.removals = removals
    planSettings.isDirect = isDirect
    planSettings.intoSchema = intoSchema
    planSettings.strategy = strategy
    planSettings.maxBlock = maxBlock
  }

  /// A setting that affects plans.
  public subscript<Value>(dynamicMember keyPath: WritableKeyPath<PlanSettings, Value>) -> Value {
    get { planSettings[keyPath: keyPath] }
    set { planSettings[keyPath: keyPath] = newValue }
  }
}

extension RemodelConfiguration {
  /// Returns the bundle that the settings lead to.
  func bundle() throws(ModelLoadingError) -> ModelBundle {
    var bundle: ModelBundle
    if let models {
      bundle = models
    } else {
      bundle = try ModelBundle(at: modelsPath)
      var others: [ModelBundle] = []
      for path in furtherModelsPaths { others.append(try ModelBundle(at: path)) }
      if !others.isEmpty { bundle = try ModelBundle(merging: [bundle] + others) }
    }
    return modelName.map { bundle.named($0) } ?? bundle
  }

  /// Returns whether the version before stays served.
  ///
  /// - Parameter isServing: Whether the database serves any version.
  /// - Returns: Whether it does.
  func keepsPrevious(serving isServing: Bool) -> Bool {
    planSettings.keep.map { $0 == .previous } ?? isServing
  }

  /// How the names of the schemas begin by which versions are served.
  var interfaceSchemaPrefix: String {
    planSettings.interfacePrefix ?? "\(planSettings.schema.name)_v"
  }

  /// For how long to wait for a server that restarts in the middle of something.
  var waitForServer: Duration { max(wait, .seconds(30)) }

  var stepSettings: StepExecution.Settings {
    StepExecution.Settings(
      lockTimeout: lockTimeout,
      lockRetryFor: lockRetryFor,
      waitForMigrationLock: waitForMigrationLock,
      waitForServer: waitForServer
    )
  }
}

/// A hazard that a plan may not have, anywhere, on the table of one entity, or for one property.
public struct HazardDenial: Hashable, Sendable {
  /// The hazard.
  public var hazard: Hazard
  /// The entity, as either version calls it; any of them if there is none.
  public var entityName: String?
  /// The property of the entity; any of them if there is none.
  public var propertyName: String?

  /// Creates a denial.
  public init(_ hazard: Hazard, entityName: String? = nil, propertyName: String? = nil) {
    self.hazard = hazard
    self.entityName = entityName
    self.propertyName = propertyName
  }
}
