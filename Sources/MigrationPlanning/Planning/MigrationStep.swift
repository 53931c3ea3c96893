public import Diagnostics
public import ModelMapping
public import ObjectModel
public import SQLSyntax

/// The way from one version to another: what is asked of the rows, then one transaction, or several
/// where that is a creation of more than the server has locks for.
public struct MigrationStep: Sendable {
  /// What a step is for.
  public enum Kind: String, Hashable, Sendable {
    /// It leads from one version to another.
    case migration
    /// It leads back to the version before a migration.
    case revert
    /// It drops what was retained, and leaves the version as it is.
    case cleanup
  }

  /// What the step is for.
  public internal(set) var kind = Kind.migration
  /// The version that the step starts from; none if it fills an empty schema.
  public let source: PlannedVersion?
  /// The version that the step leads to.
  public let destination: PlannedVersion
  /// The versions between that the step leads over at once.
  public let passedVersions: [String]
  /// The mapping that the step carries out; none if it fills an empty schema.
  public let mappingModel: MappingModel?
  /// What is asked of the rows before anything is changed.
  public internal(set) var preconditions: [PlannedPrecondition]
  /// The tables that are locked before all else, in the order of their names.
  public internal(set) var lockedTables: [LockedTable]
  /// The statements in their order.
  public internal(set) var statements: [PlannedStatement]
  /// What the step leaves in place although the destination does not have it.
  public let retained: [RetainedObject]
  /// What had been retained before and gets another name, as it was and as it is.
  public let renamedRetained: [RetainedObject: RetainedObject]
  /// What had been retained before and goes with the table that it is in.
  public let droppedRetained: Set<RetainedObject>
  /// What may not have been meant.
  public let warnings: [Diagnostic]
  /// The tables that are made by a copy before the statements run; none if there are none.
  public internal(set) var copy: CopyPlan?
  /// What is done when the transaction has ended, while others read and write.
  public internal(set) var deferredWork: [DeferredWork] = []
  /// What hurts about each part of that.
  var lateHazards: [StepHazards.Part] = []
  /// Why the transaction of an online step keeps others waiting all the same; none if it does not.
  public internal(set) var onlineObstacle: String?
  /// A Boolean value that indicates whether a mapping model of somebody's is carried out.
  public internal(set) var isAuthored = false
  /// A Boolean value that indicates whether people's SQL is run, which may write to any table.
  public var runsWrittenSQL: Bool {
    guard isAuthored, let mappingModel else { return false }
    return !mappingModel.before.isEmpty || !mappingModel.after.isEmpty
      || mappingModel.entityMappings.contains { $0.policy != SQLMigrationPolicy() }
  }

  /// How the step is carried out.
  public internal(set) var strategy = CopyStrategy.locked

  /// The tables that others take the place of; none if no table is made anew.
  var replacements: TableReplacements?

  /// A Boolean value that indicates whether the step makes its destination in another schema and
  /// leaves the source as it is.
  public internal(set) var isIntoSchema = false

  /// The operations that the statements are made of, in their order.
  let operations: [MigrationOperation]

  /// The statements of each transaction where there is not just one for all.
  private(set) var parts: [Range<Int>]?

  /// The statements of each transaction.
  ///
  /// The first one does not begin with the first statement where a creation is continued.
  public var transactions: [Range<Int>] { parts ?? [0..<statements.count] }

  /// A Boolean value that indicates whether the step takes several transactions in all.
  public var isInParts: Bool { parts != nil }

  /// Returns the step in transactions that keep to a number of locks, without the statements before
  /// one that are done already.
  package func divided(from start: Int, limit: Int) -> MigrationStep {
    var step = self
    step.parts = transactions(from: start, limit: limit)
    return step
  }

  /// The same step as the way back to the version before a migration.
  package var asRevert: MigrationStep {
    var step = self
    step.kind = .revert
    return step
  }

  /// A Boolean value that indicates whether the database changes in nothing but its metadata.
  public var isMetadataOnly: Bool { statements.isEmpty && deferredWork.isEmpty }

  /// Returns what is retained after this step, given what was before.
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
  public let projection: ModelProjection

  /// Creates a version.
  public init(name: String, hashes: ModelVersionHashes, projection: ModelProjection) {
    self.name = name
    self.hashes = hashes
    self.projection = projection
  }
}
