import RemodelKit

/// Brings the library's database to the current version of its model.
func migrateLibrary(
  at url: String = "postgresql://localhost/library",
  models: String = "migrations/Library.remodel"
) async throws {
  let remodel = Remodel(models: models)
  let plan = try await remodel.plan(.url(url))
  let report = try await remodel.migrate(.url(url))
  print("\(plan.plan.steps.count) steps planned, \(report.steps.count) taken")
}
