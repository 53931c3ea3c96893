public import CatalogComparison
public import Diagnostics
public import MigrationExecution
public import MigrationPlanning
internal import ObjectModel
internal import PostgresClient
internal import SQLSyntax

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
  /// The servers that Citus spreads the database over, the coordinator first; none without Citus.
  public let nodes: [DatabaseNode]
  /// The name of the database.
  public let database: String
  /// The schema of the tables.
  public let schema: String
  /// When it was looked at, by the server's clock, as ISO 8601 in UTC.
  public let time: String
  /// The latest entry of the audit log, without its statements; `nil` if there is none.
  public let lastEntry: HistoryEntry?
  /// The versions that are served, the earliest first.
  public internal(set) var servedVersions: [ServedVersion] = []
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
    version = VersionReference(name: record.versionName, checksum: record.identity.checksum)
    done = record.done
    total = record.total
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
          .draftElsewhere, .interfacesOfCitus, .takenInterfaceSchema, .versionNotServed,
          .versionInUse, .currentVersion:
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
      warnings: warnings + view.branchWarnings() + NodeInspection.warnings(connection),
      nodes: try NodeInspection.nodes(connection),
      database: connection.databaseName,
      schema: view.catalog.store.schema.name,
      time: latest.time,
      lastEntry: latest.entry,
      servedVersions: try view.servedVersions(connection),
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
