internal import Diagnostics
internal import MigrationExecution
internal import MigrationPlanning
internal import PostgresClient

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
    refusal: RemodelError? = nil
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
  }
}

extension StatusReport {
  init(
    _ view: DatabaseView,
    _ target: LoadedVersion,
    _ connection: borrowing PostgresConnection
  ) {
    var steps: [MigrationStep] = []
    var obstacles: [Diagnostic] = []
    var warnings: [Diagnostic] = []
    var state = State.older
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
      }
    } catch {
      obstacles = (error as? any DiagnosticError)?.diagnostics ?? [Diagnostic("\(error)")]
      state = .blocked
      if let error = error as? RemodelError {
        switch error.fact {
        case .newerVersion, .unknownVersion: state = .newer
        case .wentBack: state = .reverted
        case .otherCreation, .unfinishedCreation: state = .creating
        case .noSuchVersion, .ambiguousVersion, .noSuchConfiguration, .noMapping, .editedVersion,
          .editedMappedVersion, .noMappingModel, .notAMappingModel, .unmatchedMapping,
          .notOnline, .notPhased, .notInParts, .noScript, .notScriptable,
          .hazardDenied, .blocksTooLong, .missingNames, .takenTables,
          .planDiffers,
          .tooManyLocks,
          .unusableSchemaName,
          .sharedSchema, .nothingToExport, .severalModels, .unlikeExport, .nothingToCopy,
          .noWayBack, .noWayBackTo, .returnLoses, .occupiedSchema,
          .nothingToAdopt, .nothingToModel, .storeExists, .bundleExists, .notABundle,
          .wholeModelOnly, .unsettledSchema:
          state = .blocked
        }
      }
    }
    self.init(
      state: state,
      version: view.reference,
      creation: view.creation.map(CreationProgress.init),
      target: target.reference,
      steps: steps.map { ($0.source?.name, $0.destination.name) },
      retained: view.retained,
      job: view.job,
      pending: view.pending,
      obstacles: obstacles,
      warnings: warnings
    )
  }
}

extension Diagnostic {
  fileprivate func with(_ severity: Severity) -> Diagnostic {
    var diagnostic = self
    diagnostic.severity = severity
    return diagnostic
  }
}
