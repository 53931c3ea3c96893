public import Diagnostics
public import ModelMapping
public import ObjectModel
public import SQLSyntax

/// A step from one version to another: preconditions on the rows, then one transaction, or several
/// for a creation of more objects than the server has locks for.
public struct MigrationStep: Sendable {
  /// The purpose of a step.
  public enum Kind: String, Hashable, Sendable {
    /// It leads from one version to another.
    case migration
    /// It leads back to the version before a migration.
    case revert
    /// It drops retained objects, and does not change the version.
    case cleanup
    /// It changes which versions are served, and not the one that the database is at.
    case interfaces

    /// A Boolean value that indicates whether the database stays at its version.
    package var staysAtVersion: Bool {
      switch self {
      case .migration, .revert: false
      case .cleanup, .interfaces: true
      }
    }
  }

  /// The purpose of the step.
  public internal(set) var kind = Kind.migration
  /// The version that the step starts from; none if it fills an empty schema.
  public let source: PlannedVersion?
  /// The version that the step leads to.
  public let destination: PlannedVersion
  /// The versions between that the step leads over at once.
  public let passedVersions: [String]
  /// The mapping that the step carries out; none if it fills an empty schema.
  public let mappingModel: MappingModel?
  /// The preconditions on the rows, checked before anything is changed.
  public internal(set) var preconditions: [PlannedPrecondition]
  /// The tables that are locked before all else, in the order of their names.
  public internal(set) var lockedTables: [LockedTable]
  /// The statements in their order.
  public internal(set) var statements: [PlannedStatement]
  /// The objects that the step retains because the destination does not have them.
  public let retained: [RetainedObject]
  /// The objects retained earlier that are renamed, by their old form.
  package let renamedRetained: [RetainedObject: RetainedObject]
  /// The objects retained earlier that are dropped with their table.
  package internal(set) var droppedRetained: Set<RetainedObject>
  /// Warnings about unintended changes.
  public internal(set) var warnings: [Diagnostic]
  /// The copy that creates tables before the statements run, if there is one.
  package internal(set) var copy: CopyPlan?
  /// The deferred work after the transaction, while others read and write.
  public internal(set) var deferredWork: [DeferredWork] = []
  var lateHazards: [StepHazards.Part] = []
  /// Why the transaction of an online step keeps others waiting all the same; none if it does not.
  package internal(set) var onlineObstacle: String?
  /// The tables that are copied into other partitions with all of their values as they are.
  package internal(set) var redividedTables: Set<SQLIdentifier> = []
  /// A Boolean value that indicates whether the step carries out an authored mapping model.
  package internal(set) var isAuthored = false
  /// A Boolean value that indicates whether people's SQL is run, which may write to any table.
  package var runsWrittenSQL: Bool {
    guard isAuthored, let mappingModel else { return false }
    return !mappingModel.before.isEmpty || !mappingModel.after.isEmpty
      || mappingModel.entityMappings.contains { $0.policy != SQLMigrationPolicy() }
  }

  /// What a release on the source has to find of its tables.
  var releaseTables: [ReleaseTable] = []
  /// What keeps tables in step for releases on the source and on the destination.
  var bridges: [TableBridge] = []
  /// What keeps links in step for releases on both versions.
  var links: [LinkBridge] = []
  /// The constraints of the destination that are the only ones in the way of releases on the source.
  package internal(set) var postponable: [PostponedConstraint] = []
  /// The versions that are served afterwards; `nil` if that does not change.
  public internal(set) var interfaces: [VersionInterface]?
  /// The versions that are no longer served.
  public internal(set) var retiredInterfaces: [VersionInterface] = []
  /// The views that are locked before any table, as those who read them do it.
  package internal(set) var lockedViews: [QualifiedName] = []
  /// The tables that the previous version is not served with any more.
  public internal(set) var unservedTables: [UnservedTable] = []

  /// Whether Citus distributes the schema as a whole from then on, or no longer; `nil` if that stays.
  package internal(set) var schemaDistribution: SchemaDistribution?
  /// The strategy of the step.
  public internal(set) var strategy = CopyStrategy.locked
  /// Why the strategy was chosen among others; `nil` if it was not.
  public package(set) var choice: StrategyChoice?

  /// The replaced tables; `nil` if no table is rebuilt.
  var replacements: TableReplacements?

  /// A Boolean value that indicates whether the step creates its destination in another schema and
  /// does not change the source.
  package internal(set) var isIntoSchema = false

  /// The first statement after the rows of another database are copied; `nil` if none are.
  ///
  /// A transaction ends there.
  package internal(set) var transferPoint: Int?

  /// The operations of the statements, in their order.
  let operations: [MigrationOperation]

  /// The statements of each transaction where there is not just one for all.
  private(set) var parts: [Range<Int>]?

  /// The statements of each transaction.
  ///
  /// The first one does not begin with the first statement where a creation is continued.
  package var transactions: [Range<Int>] { parts ?? [0..<statements.count] }

  /// A Boolean value that indicates whether the step takes several transactions in all.
  package var isInParts: Bool { parts != nil }

  /// Returns the step in transactions that keep to a number of locks, without the statements before
  /// one that are done already.
  package func divided(from start: Int, limit: Int) -> MigrationStep {
    var step = self
    step.parts = transactions(from: start, limit: limit)
    return step
  }

  /// The same step as a revert.
  package var asRevert: MigrationStep {
    var step = self
    step.kind = .revert
    return step
  }

  /// A Boolean value that indicates whether the database changes in nothing but its metadata.
  public var isMetadataOnly: Bool { statements.isEmpty && deferredWork.isEmpty }

  /// Returns the retained objects after this step, given those before it.
  package func retainedAfterwards(_ before: [RetainedObject]) -> [RetainedObject] {
    before.filter { !droppedRetained.contains($0) }.map { renamedRetained[$0] ?? $0 } + retained
  }

  /// A table that is locked before all else.
  public struct LockedTable: Hashable, Sendable {
    /// The table.
    public let name: QualifiedName
    /// The lock.
    public let mode: LockMode

    /// Creates a table to lock.
    package init(name: QualifiedName, mode: LockMode) {
      self.name = name
      self.mode = mode
    }
  }
}

/// A version of a model in a plan.
public struct PlannedVersion: Hashable, Sendable {
  /// The version's name.
  public let name: String
  /// Its hashes.
  public let hashes: ModelVersionHashes
  /// The model laid out as tables.
  package let projection: ModelProjection
  /// A Boolean value that indicates whether it is a text of a version that is being written.
  package var isDraft: Bool
  /// The names of the bundle's versions up to this one; `nil` if it is in no bundle.
  package var lineage: [String]?
  /// The constraints that the projection is without, since they hold later.
  package internal(set) var postponed: [PostponedConstraint] = []
  /// The tables with these constraints; `nil` if there are none.
  var whole: DatabaseSchema?

  /// Creates a version.
  package init(
    name: String,
    hashes: ModelVersionHashes,
    projection: ModelProjection,
    isDraft: Bool = false,
    lineage: [String]? = nil
  ) {
    self.name = name
    self.hashes = hashes
    self.projection = projection
    self.isDraft = isDraft
    self.lineage = lineage
  }

  /// The identity of the version.
  package var identity: VersionIdentity {
    VersionIdentity(
      name: name,
      checksum: hashes.checksum,
      layoutDigest: hashes.layoutDigest
    )
  }

  /// The name by which what is retained of the version is known: the texts of a draft have one name and
  /// several layouts, and only that of the same layout can be put back.
  package var retentionName: String { isDraft ? Self.draftName(name, hashes) : name }

  /// Returns the name by which what is retained of a text of a draft is known.
  package static func draftName(_ name: String, _ hashes: ModelVersionHashes) -> String {
    "\(name)-draft-\(hashes.layoutDigest.text.dropFirst(3).prefix(8))"
  }
}
