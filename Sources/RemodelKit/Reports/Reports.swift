public import CatalogComparison
public import Diagnostics
public import MigrationExecution
public import MigrationPlanning
public import ObjectModel
internal import PostgresClient
internal import SQLSyntax

/// A version of a model by its name and hash.
public struct VersionReference: Hashable, Sendable {
  /// The name.
  public let name: String
  /// The hash of the whole version.
  public let checksum: VersionHash

  /// Creates a reference.
  package init(name: String, checksum: VersionHash) {
    self.name = name
    self.checksum = checksum
  }
}

/// The result of `migrate`.
public struct MigrationReport: Hashable, Sendable {
  /// The outcome of a migration.
  public enum Outcome: String, Hashable, Sendable {
    /// An empty schema got the target's tables.
    case created
    /// The database was brought to the target.
    case migrated
    /// The last migration, or several, were taken back.
    case reverted
    /// The rows of another database are in this one, which is at the target.
    case transferred
    /// The database was at the target already.
    case unchanged
  }

  /// One step that was taken.
  public struct Step: Hashable, Sendable {
    /// The version that it started from; none if it filled an empty schema.
    public let source: String?
    /// The version that it led to.
    public let destination: String
    /// How many statements it ran.
    public let statementCount: Int
    /// How long it took, waiting included.
    public let duration: Duration
    /// The digest of the step.
    public let digest: String
    /// The objects that it retained because the destination does not have them.
    public let retained: [RetainedObject]
  }

  /// The outcome.
  public var outcome: Outcome
  /// The version that the database was at.
  public var source: VersionReference?
  /// The version that it is at now.
  public var target: VersionReference
  /// The steps that were taken.
  public var steps: [Step]
  /// The deferred work for `finish`.
  public var pending: [PendingWork] = []
  /// The rows that came from another database; `nil` if none did.
  public var transfer: TransferReport?
  /// The warnings.
  public var warnings: [Diagnostic]
}

/// The result of `finish`.
public struct FinishReport: Hashable, Sendable {
  /// The version that the database is at; none if it is at none.
  public let version: VersionReference?
  /// The finished work, in order.
  public let done: [DeferredWorkExecution.Done]
  /// The work that is left, because the call was to do no more.
  public let left: [PendingWork]
  /// The warnings.
  public let warnings: [Diagnostic]
}

/// The result of `plan`.
public struct PlanReport: Sendable {
  /// The plan; one without steps if there is nothing to do.
  public let plan: MigrationPlan
  /// The version that it starts from.
  public let source: VersionReference?
  /// The version that it leads to.
  public let target: VersionReference
  /// The counts for the preconditions of the first step; empty if none was checked.
  public let findings: [PreconditionFinding]
  /// Why it may not be carried out; none if it may.
  public let refusal: RemodelError?
  /// The settings of the plan.
  public let settings: PlanSettings
  /// The origin of the plan; `nil` without a database.
  public let origin: PlanOrigin?
  /// The sizes of the existing tables, by name; empty without a database.
  public let sizes: [String: TableSize]
  /// The cost of the plan, and the time that it blocks others.
  public let forecast: PlanForecast
  /// The current activity in the database; `nil` without a database.
  public let activity: Activity?
  /// Writes the whole as a script.
  let writeScript: @Sendable () throws -> String
  /// The warnings.
  public let warnings: [Diagnostic]
  /// The measurements of a rehearsal; `nil` without one.
  public internal(set) var rehearsal: RehearsalReport?
  /// How each step can be taken back; empty if that was not looked up.
  var waysBack: [StepWayBack] = []
  /// The numbers of rows and values that are lost, by the queries that have counted them.
  var lossCounts: [SQLFragment: Int] = [:]
  /// The call of the command line that has asked for the plan; `nil` if none has.
  package var call: PlanCall?
  /// The lines of the model files that it follows from.
  package internal(set) var places = PlanPlaces()

  /// The whole as a script for `psql`; a plan in which rows pass through policies in code has none.
  public var script: String {
    get throws { try writeScript() }
  }
}

/// The result of `status`.
public struct StatusReport: Sendable {
  /// The state of a database with respect to the models.
  public enum State: String, Hashable, Sendable {
    /// The schema is empty.
    case empty
    /// The tables are being created, in several transactions.
    case creating
    /// The database is at the target.
    case current
    /// The rows are at the target, and an index, a default or a delete rule is not.
    case behind
    /// The database is at an earlier version, and there is a way to the target.
    case older
    /// The database is at an earlier version, and there is no way to the target.
    case blocked
    /// The database is at a version that these models do not lead away from.
    case newer
    /// The database was at the target and was reverted; it only migrates there again if the target
    /// is explicit.
    case reverted
  }

  /// The state.
  public let state: State
  /// The version that the database is at.
  public let version: VersionReference?
  /// The progress of the creation, while the store is being created.
  public let creation: CreationProgress?
  /// A Boolean value that indicates whether the database is marked as one for development.
  public let isDevelopment: Bool
  /// A Boolean value that indicates whether the version is a draft: only `migrate --draft` has led to it.
  public let isDraft: Bool
  /// The version that these models lead to.
  public let target: VersionReference
  /// The steps still to go, by their versions.
  public let steps: [(source: String?, destination: String)]
  /// The retained objects.
  public var retained: [RetainedObject] { retainedEntries.map(\.object) }
  /// The retained objects with their times, the earliest first.
  public let retainedEntries: [RetainedEntry]
  /// The copy job that is not ended.
  public let job: CopyJob?
  /// The deferred work of online migrations.
  public let pending: [PendingWork]
  /// Why there is no way, where there is none.
  public let obstacles: [Diagnostic]
  /// Warnings about obstacles to later versions.
  public let warnings: [Diagnostic]
  /// The name of the database.
  public let database: String
  /// The schema of the tables.
  public let schema: String
  /// When it was looked at, by the server's clock, as ISO 8601 in UTC.
  public let time: String
  /// The latest entry of the audit log, without its statements; `nil` if there is none.
  public let lastEntry: HistoryEntry?
  /// The differences between the database and its recorded version; `nil` if they were not looked
  /// for.
  public internal(set) var drift: [Drift]?
  /// The versions between which a mapping model is missing.
  let unmapped: (source: String, target: String)?
  /// A Boolean value that indicates whether there is no way only because a draft was edited, in a
  /// database for development.
  let isEditedDraft: Bool
}

/// The progress of a store's creation in several transactions.
public struct CreationProgress: Hashable, Sendable {
  /// The version that is being created.
  public let version: VersionReference
  /// How many statements are done.
  public let done: Int
  /// How many there are.
  public let total: Int

  init(_ record: CreationRecord) {
    version = VersionReference(name: record.versionName, checksum: record.checksum)
    done = record.done
    total = record.total
  }
}

/// The result of `check`.
public struct CheckReport: Hashable, Sendable {
  /// A Boolean value that indicates whether the database's version hashes are the target's, and nothing is
  /// left to do that a release of it relies on.
  public let isCurrent: Bool
  /// A Boolean value that indicates whether the rows are current and the layout is not.
  public let isBehind: Bool
  /// A Boolean value that indicates whether the version is the target's and something is left to do that
  /// a release relies on.
  public let isUnfinished: Bool
  /// The version that the database is at.
  public let version: VersionReference?
  /// The progress of the creation, while the store is being created.
  public let creation: CreationProgress?
  /// The copy job that is not ended.
  public let jobID: String?
  /// The version that these models lead to.
  public let target: VersionReference
  /// The faults of the models, if the database is not current because of them.
  public var warnings: [Diagnostic] = []
}

/// The result of `job show`.
public struct JobReport: Hashable, Sendable {
  /// The job.
  public let job: CopyJob
  /// Its events, the earliest first.
  public let events: [CopyJobEvent]
  /// The warnings.
  public let warnings: [Diagnostic]
}

/// A version in a bundle.
public struct VersionListing: Hashable, Sendable {
  /// The version's name.
  public let name: String
  /// The file or folder.
  public let path: String
  /// A Boolean value that indicates whether it is the current version.
  public let isCurrent: Bool
  /// Its hashes.
  public let hashes: ModelVersionHashes
  /// How many entities it has.
  public let entityCount: Int
}

/// The result of `mapping infer`.
public struct InferenceReport: Sendable {
  /// The version before.
  public let source: VersionReference
  /// The version after.
  public let target: VersionReference
  /// The step of the mapping.
  public let step: MigrationStep
}

// MARK: - Making

extension PlanReport {
  init(
    _ plan: MigrationPlan,
    from source: VersionReference?,
    to target: LoadedVersion,
    by settings: PlanSettings,
    origin: PlanOrigin? = nil,
    findings: [PreconditionFinding],
    sizes: [String: TableSize],
    script: @escaping @Sendable () throws -> String,
    activity: Activity? = nil,
    lockWarnings: [Diagnostic] = [],
    refusal: RemodelError? = nil,
    places: PlanPlaces = PlanPlaces()
  ) {
    self.init(
      plan: plan,
      source: source,
      target: target.reference,
      findings: findings,
      refusal: refusal,
      settings: settings,
      origin: origin,
      sizes: sizes,
      forecast: PlanForecast(of: plan.steps, sizes: sizes),
      activity: activity,
      writeScript: script,
      warnings: target.warnings + plan.steps.flatMap(\.warnings) + lockWarnings
    )
    self.places = places
  }
}

extension StatusReport {
  init(
    _ view: DatabaseView,
    _ target: LoadedVersion,
    _ connection: borrowing PostgresConnection
  ) throws {
    let latest = try view.metadata.latest(
      hasMetadata: view.presence != .noMetadata,
      connection
    )
    var steps: [MigrationStep] = []
    var obstacles: [Diagnostic] = []
    var warnings: [Diagnostic] = []
    var state = State.older
    var unmapped: (String, String)?
    var isEditedDraft = false
    do {
      steps = try view.steps(to: target, isExplicit: false, connection)
      if view.creation != nil {
        state = .creating
      } else if case .store(let record) = view.presence {
        if steps.isEmpty {
          state = .current
          warnings = try view.editedVersions(besides: target).flatMap(\.diagnostics)
            .map { $0.with(.warning) }
        } else if record.checksum == target.hashes.checksum, steps.count == 1 {
          state = .behind
        }
      } else {
        state = .empty
        let schema = view.catalog.store.schema.name
        warnings = try view.catalog.formerNames(connection).map { $0.warning(schema: schema) }
      }
    } catch {
      obstacles = (error as? any DiagnosticError)?.diagnostics ?? [Diagnostic("\(error)")]
      state = .blocked
      if let error = error as? RemodelError {
        if case .noMapping(let source, let target, _, _) = error.fact {
          unmapped = (source, target)
        }
        if case .editedVersion = error.fact {
          isEditedDraft = view.marks.isDevelopment && view.isAtDraft
        }
        switch error.fact {
        case .newerVersion, .unknownVersion: state = .newer
        case .wentBack: state = .reverted
        case .otherCreation, .unfinishedCreation, .unfinishedTransfer: state = .creating
        case .noSuchVersion, .ambiguousVersion, .noSuchConfiguration, .noMapping, .editedVersion,
          .editedMappedVersion, .noMappingModel, .stepWithoutMappingModel, .notAMappingModel,
          .nothingToPreview, .noSuchEntities,
          .unmatchedMapping,
          .notOnline, .notPhased, .notInParts, .managerInParts, .noScript, .notScriptable,
          .hazardDenied, .blocksTooLong, .missingExtension, .missingNames, .takenTables,
          .planDiffers,
          .tooManyLocks,
          .unusableSchemaName,
          .sharedSchema, .nothingToExport, .severalModels, .unlikeExport, .nothingToCopy,
          .noWayBack, .noWayBackTo, .returnLoses, .occupiedSchema, .nothingToTransfer,
          .occupiedDestination, .otherTransfer, .noTransferScript,
          .nothingToAdopt, .nothingToModel, .storeExists, .bundleExists, .notABundle,
          .wholeModelOnly, .unsettledSchema, .fork, .mergeConflicts, .nothingToMerge, .noMergeBase,
          .noBundle, .versionExists, .notForDevelopment, .finishedVersion,
          .draftElsewhere:
          state = .blocked
        }
      }
    }
    self.init(
      state: state,
      version: view.reference,
      creation: view.creation.map(CreationProgress.init),
      isDevelopment: view.marks.isDevelopment,
      isDraft: view.isAtDraft,
      target: target.reference,
      steps: steps.map { ($0.source?.name, $0.destination.name) },
      retainedEntries: view.retainedEntries,
      job: view.job,
      pending: view.pending,
      obstacles: obstacles,
      warnings: warnings + view.branchWarnings(),
      database: connection.databaseName,
      schema: view.catalog.store.schema.name,
      time: latest.time,
      lastEntry: latest.entry,
      unmapped: unmapped,
      isEditedDraft: isEditedDraft
    )
  }
}

extension Diagnostic {
  /// Returns the diagnostic with another severity.
  func with(_ severity: Severity) -> Diagnostic {
    var diagnostic = self
    diagnostic.severity = severity
    return diagnostic
  }
}

extension CheckReport {
  init(
    _ catalog: VersionCatalog,
    _ target: LoadedVersion,
    _ connection: borrowing PostgresConnection
  ) throws {
    let presence = try MetadataStore(catalog.store).presenceWithJob(connection)
    guard case .store(let record) = presence else {
      var creation: CreationProgress?
      if case .creating(let record) = presence {
        creation = CreationProgress(record)
      } else {
        // Tables that are not ours are an error, an empty schema is just not current.
        _ = try DatabaseView(catalog, connection)
      }
      let formerNames = try catalog.formerNames(connection)
      self.init(
        isCurrent: false,
        isBehind: false,
        isUnfinished: false,
        version: nil,
        creation: creation,
        jobID: nil,
        target: target.reference,
        warnings: formerNames.map { $0.warning(schema: catalog.store.schema.name) }
      )
      return
    }
    self.init(record, target)
    if record.checksum != target.hashes.checksum, record.versionName == target.name {
      let applied = try MetadataStore(catalog.store).archivedModels(connection)
        .last { $0.version == record.identity }
      let changes = applied?.changes(to: target) ?? []
      warnings = RemodelError(.editedVersion(target.name, changes: changes)).diagnostics
    }
  }

  /// Tells that a database is current, by a session without settings; none if it takes more to tell.
  init?(
    atOnce catalog: VersionCatalog,
    _ target: LoadedVersion,
    _ connection: borrowing PostgresConnection
  ) {
    guard let record = MetadataStore(catalog.store).recordAtOnce(connection) else { return nil }
    self.init(record, target)
    guard isCurrent else { return nil }
  }

  private init(_ record: StoreRecord, _ target: LoadedVersion) {
    let isSame = record.checksum == target.hashes.checksum
    self.init(
      isCurrent: isSame && !record.isUnfinished,
      isBehind: isSame && record.layoutDigest != target.hashes.layoutDigest,
      isUnfinished: isSame && record.isUnfinished,
      version: VersionReference(name: record.versionName, checksum: record.checksum),
      creation: nil,
      jobID: record.unfinishedJobID,
      target: target.reference
    )
  }
}
