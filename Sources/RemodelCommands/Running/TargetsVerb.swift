import RemodelKit

/// A verb that can be about many stores at once.
protocol TargetsVerb: DatabaseVerb {
  var targetOptions: TargetOptions { get }
  var schemaOptions: SchemaOptions { get }

  /// Makes sure that the other options can be gone by for many stores.
  func check(_ targets: MigrationTargets, _ environment: CommandEnvironment) throws

  /// Does the work with the stores that are meant.
  func summary(
    _ remodel: Remodel,
    _ targets: MigrationTargets,
    _ onEvent: @escaping @Sendable (TargetEvent) -> Void
  ) async throws -> TargetsSummary
}

extension TargetsVerb {
  func check(_ targets: MigrationTargets, _ environment: CommandEnvironment) throws {}

  func result(_ call: Call) async throws -> VerbResult {
    try await storeResult(call)
  }

  /// Does the work with the stores that are meant, be it one or many.
  func storeResult(_ call: Call) async throws -> VerbResult {
    let environment = call.environment
    if targetOptions.givenOption != nil {
      try connectionOptions.readSecrets(targetOptions.targets != nil)
    }
    guard
      let targets = try targetOptions.targets(environment, connectionOptions, schemaOptions)
    else { return try await databaseResult(call) }
    try check(targets, environment)
    return try await untilSignal(call) { remodel in
      let reporter = TargetReporter(call.reporter)
      var summary = try await summary(remodel, targets) { reporter.report($0) }
      if logOptions.debugSql { summary.showValues() }
      return VerbResult(
        report: summary,
        status: summary.status(interruptedBy: call.interruption.signal),
        warnings: summary.warnings
      )
    }
  }
}
