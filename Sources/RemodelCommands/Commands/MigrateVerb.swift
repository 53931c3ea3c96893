import ArgumentParser
import RemodelKit

/// The verb `remodel migrate`.
enum MigrateVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "migrate",
    abstract: "Bring a database to the current model version, or to another one."
  )
  static let sections: [any OptionSection.Type] = [
    ConnectionOptions.self, SchemaOptions.self, TargetOptions.self, ModelOptions.self,
    MappingOptions.self, PlanningOptions.self, ApprovalOptions.self, CopyOptions.self,
    LockOptions.self, MetricsOptions.self,
  ]

  static func result(_ call: Call) async throws -> VerbResult {
    let options = call.options
    try options.refuseApprovalForTwoDatabases()
    for option in [CommandOption.intoSchema, .intoDatabase] where options.has(.keep) {
      if options.has(option) { throw UsageError(.conflict("--keep", option.typed)) }
    }
    return try await call.withStores(check: { try check($0, options) }) { remodel, database in
      if let destination = try options.destination() {
        return VerbResult(
          try await remodel.migrate(database, into: destination, to: options[.to])
        )
      }
      return VerbResult(
        try await remodel.migrate(database, to: options[.to], approved: options.approvedPlan())
      )
    } many: { remodel, targets, onEvent in
      try TargetsSummary(
        await remodel.migrate(
          targets,
          to: options[.to],
          approved: options.approvedPlan(),
          onTargetEvent: onEvent
        )
      )
    }
  }

  private static func check(_ targets: MigrationTargets, _ options: OptionValues) throws {
    if options.has(.plan) { throw TargetError(.planOfOneStore) }
    try options.refuseForMany(.intoSchema)
    try options.refuseForMany(.intoDatabase)
    guard try options.approvedPlan() != nil else { return }
    guard targets.schemaPatterns.isEmpty, Set(targets.databases.map(\.schema)).count == 1 else {
      throw UsageError(.digestOfSchemas)
    }
  }
}
