import RemodelKit

/// The exit code of a call.
enum ExitStatus: Int32, CaseIterable, Sendable {
  /// Done, or nothing to do.
  case success = 0
  /// Failed; the database is as it was, or at the end of an earlier step.
  case failure = 1
  /// There is a difference.
  case difference = 2
  /// There is no mapping.
  case noMapping = 3
  /// The database is not ours to move.
  case notOurs = 4
  /// No lock, or not the migration lock.
  case notAvailable = 5
  /// The server cannot be reached, or refused the login.
  case unreachable = 6
  /// A denied action, or one that the server or the role does not allow.
  case refused = 7
  /// A copy job is unfinished or paused.
  case unfinishedJob = 8
  /// The rows do not allow it.
  case dataNotAllowed = 9
  /// The call is faulty.
  case usage = 64
  /// A file is not valid.
  case invalidFile = 65
  /// SIGINT came.
  case interrupted = 130
  /// SIGTERM or SIGHUP came.
  case terminated = 143
}

// MARK: - In words

extension ExitStatus {
  /// The meaning, as a sentence.
  var meaning: String {
    switch self {
    case .success: "Done, or nothing to do."
    case .failure:
      "Failed; the database is as it was, or at the end of an earlier step, which a rerun continues "
        + "from."
    case .difference: "There is a difference: check, verify; status and plan with --exit-code."
    case .noMapping: "No mapping can be inferred."
    case .notOurs:
      "Remodel does not migrate this database: tables that it did not create, metadata of another owner, "
        + "an unknown version, a later version, an earlier target without --to, or a worker of Citus."
    case .notAvailable: "No lock on a table, or no migration lock, in the time allowed."
    case .unreachable: "The server cannot be reached, or refused the login."
    case .refused:
      "Refused: a denied hazard, a removal, missing rights, tables or functions of other owners, "
        + "a dependent object, a standby, a pooler, a server before 15, a plan that is not the approved one."
    case .unfinishedJob: "A copy job is unfinished or paused; running again continues it."
    case .dataNotAllowed: "The rows do not allow it; nothing of the step was changed."
    case .usage: "The call is faulty, or there is no such version or no bundle."
    case .invalidFile: "A model, mapping or plan file is not valid."
    case .interrupted: "Interrupted (SIGINT)."
    case .terminated: "Terminated (SIGTERM, SIGHUP)."
    }
  }
}

// MARK: - By error

extension ExitStatus {
  /// Creates the status of an error.
  init(_ error: any Error) {
    self =
      switch error {
      case let error as Interrupted: Self(signal: error.signal)
      case let error as RehearsalFailure: Self(error.error)
      case let error as TransferFailure: Self(error.error)
      case is RehearsalError: .refused
      case let error as UsageError: Self(error.fact)
      case let error as PlanFileError: Self(error.fact)
      case let error as TargetError: Self(error.fact)
      case let error as RemodelError: Self(error.fact)
      case let error as ModelLoadingError: Self(error.kind)
      case is MappingLoadingError, is InvalidMappingError: .invalidFile
      case let error as ModelConversionError: Self(error.fact)
      case let error as ExecutionError: Self(error.fact)
      case let error as PostgresError: Self(error.kind)
      case let error as PlanningError: Self(error.fact)
      case is ProjectionError: .invalidFile
      case is InferenceError: .noMapping
      // The requested server is not available.
      case is ScratchError: .unreachable
      default: .failure
      }
  }

  /// Creates the status of a call that a signal ended.
  init(signal: Int32) {
    self = signal == interruptSignal ? .interrupted : .terminated
  }

  private init(_ fact: UsageError.Fact) {
    self =
      switch fact {
      case .noDatabase, .unusableValue, .conflict, .missing, .notParsed, .unreadableSecret,
        .emptySecret, .binarySecret, .unreadableFile, .digestOfSchemas, .formOfOneStore:
        .usage
      case .unwritableFile, .unwritableOutput: .failure
      }
  }

  private init(_ fact: TargetError.Fact) {
    self =
      switch fact {
      case .noTargets, .noSchemas, .planOfOneStore: .usage
      case .invalidFile: .invalidFile
      }
  }

  private init(_ fact: PlanFileError.Fact) {
    self =
      switch fact {
      case .unreadable: .usage
      case .invalid: .invalidFile
      case .changed, .otherDigest, .otherSetting: .refused
      }
  }

  private init(_ fact: RemodelError.Fact) {
    self =
      switch fact {
      case .noSuchVersion, .ambiguousVersion, .noSuchConfiguration, .unusableSchemaName,
        .sharedSchema, .noMappingModel, .nothingToPreview, .noSuchEntities, .notAMappingModel,
        .severalModels, .noWayBackTo, .bundleExists, .notABundle, .wholeModelOnly,
        .nothingToMerge, .noMergeBase, .noBundle, .versionExists, .versionNotServed,
        .currentVersion:
        .usage
      case .unlikeExport: .failure
      case .noMapping, .stepWithoutMappingModel: .noMapping
      case .unsettledSchema, .versionInUse: .notAvailable
      case .newerVersion, .wentBack, .unknownVersion, .otherCreation, .unfinishedCreation,
        .nothingToCopy, .nothingToExport, .nothingToAdopt, .nothingToModel, .storeExists,
        .occupiedSchema, .nothingToTransfer, .occupiedDestination, .otherTransfer,
        .unfinishedTransfer:
        .notOurs
      case .editedVersion, .editedMappedVersion, .unmatchedMapping, .fork, .mergeConflicts:
        .invalidFile
      case .notOnline, .notPhased, .notInParts, .managerInParts, .noScript, .notScriptable,
        .noTransferScript,
        .hazardDenied, .blocksTooLong, .missingExtension, .missingNames, .takenTables,
        .planDiffers, .noWayBack, .returnLoses,
        .tooManyLocks, .notForDevelopment, .finishedVersion,
        .draftElsewhere, .interfacesOfCitus, .takenInterfaceSchema:
        .refused
      }
  }

  private init(_ kind: ModelLoadingError.Kind) {
    self =
      switch kind {
      case .noBundle: .usage
      case .invalid: .invalidFile
      }
  }

  private init(_ fact: ModelConversionError.Fact) {
    self =
      switch fact {
      case .unrecognizedForm, .severalVersions, .exists, .differ, .otherForm, .otherVersions,
        .sameModel, .modelExists, .unusableModelName, .otherModelName, .versionExists,
        .notExtensible, .laterVersion:
        .usage
      case .noPlace, .unnaturalOrder, .unlistable, .unusableName: .invalidFile
      case .couldNotWrite: .failure
      }
  }

  private init(_ fact: PlanningError.Fact) {
    self =
      switch fact {
      case .removalsRefused, .linksMove, .dependentsInTheWay, .kindsInTheWay,
        .numberingChanges, .notFillable, .versionNotServable, .versionNotServed:
        .refused
      case .circularOperations: .noMapping
      case .unmappable: .invalidFile
      case .unenforceable: .invalidFile
      }
  }

  private init(_ fact: ExecutionError.Fact) {
    self =
      switch fact {
      case .statementFailed, .connectionLost: .failure
      case .lockNotAvailable, .migrationLockNotAvailable: .notAvailable
      case .heldTooLong: .refused
      case .preconditionsViolated, .dataChanged: .dataNotAllowed
      case .foreignSchema, .foreignMetadata, .exposedMetadata, .newerMetadata, .damagedMetadata:
        .notOurs
      case .otherConfiguration, .oldServer, .readOnly, .unsafePooler, .dependentObject, .nameTaken,
        .otherObject, .foreignObjects,
        .tooFewLocks, .insufficientPrivilege, .rightsMissing:
        .refused
      case .jobUnfinished: .unfinishedJob
      case .jobCancelled, .sourceChanged, .copyDiffers: .failure
      case .rowNotCopied, .policyFailed, .rowsDangle, .valueMissing: .dataNotAllowed
      case .sourceNotCopyable, .throttleQueryFailed: .refused
      case .noSuchJob, .jobEnded: .usage
      case .interrupted(let signal): Self(signal: signal)
      case .sourceMoved: .notOurs
      case .inSource(let fact): Self(fact)
      }
  }

  private init(_ kind: PostgresError.Kind) {
    self =
      switch kind {
      case .connection, .authentication: .unreachable
      case .malformedURL: .usage
      case .pooler, .role: .refused
      case .worker: .notOurs
      case .server, .connectionLost: .failure
      }
  }
}

/// SIGINT, the same number on every system.
let interruptSignal: Int32 = 2
