internal import Diagnostics
internal import MigrationPlanning
internal import ModelLoading
internal import ModelMapping
internal import ObjectModel

/// Plans the steps of a path, one after the other: what a step retains, the next one knows of.
struct StepPlanning {
  let catalog: VersionCatalog
  let planner: MigrationPlanner

  init(_ catalog: VersionCatalog, serverMajor: Int = MigrationPlanner.oldestServerMajor) {
    self.catalog = catalog
    planner = MigrationPlanner(
      removals: catalog.configuration.removals,
      serverMajor: serverMajor
    )
  }

  func creation(of target: PlannedVersion, createsSchema: Bool) throws -> MigrationStep {
    let step = try planner.step(
      creating: target,
      createsSchema: createsSchema
    )
    try checkDenials([step])
    return step
  }

  /// Plans the steps from one version over others.
  func steps(
    from start: PlannedVersion,
    over versions: [LoadedVersion],
    retained: [RetainedObject],
    dependents: [DependentObject] = []
  ) throws -> [MigrationStep] {
    var steps: [MigrationStep] = []
    var source = start
    var retained = retained
    var dependents = dependents
    for version in versions {
      let destination = try catalog.planned(version)
      let step = try step(
        from: source,
        to: destination,
        retained: retained,
        dependents: dependents,
        target: versions.last ?? version
      )
      retained = step.retainedAfterwards(retained)
      dependents = step.dependentsAfterwards(dependents)
      steps.append(step)
      source = destination
    }
    try checkDenials(steps)
    return steps
  }

  private func step(
    from source: PlannedVersion,
    to destination: PlannedVersion,
    retained: [RetainedObject],
    dependents: [DependentObject],
    target: LoadedVersion
  ) throws -> MigrationStep {
    do {
      let mapping = try InferredMapping(
        from: source.projection.model,
        to: destination.projection.model,
        hashes: (source.hashes, destination.hashes),
        earlierVersions: catalog.versions(before: destination.name)
      )
      return try planner.step(
        from: source,
        to: destination,
        by: mapping,
        retained: retained,
        dependents: dependents
      )
    } catch let error as InferenceError {
      throw noMapping(
        source,
        destination,
        error.diagnostics,
        isNotYetSupported: error.obstacles.allSatisfy(\.isNotYetSupported),
        target
      )
    } catch let error as PlanningError {
      guard case .notYetSupported = error.fact else { throw error }
      throw noMapping(source, destination, error.diagnostics, isNotYetSupported: true, target)
    }
  }

  private func noMapping(
    _ source: PlannedVersion,
    _ destination: PlannedVersion,
    _ obstacles: [Diagnostic],
    isNotYetSupported: Bool,
    _ target: LoadedVersion
  ) -> RemodelError {
    var directWorks = false
    if target.name != destination.name {
      let direct = try? InferredMapping(
        from: source.projection.model,
        to: target.model,
        earlierVersions: catalog.versions(before: target.name)
      )
      directWorks = direct != nil
    }
    return RemodelError(
      .noMapping(
        source: source.name,
        target: destination.name,
        obstacles: obstacles,
        isNotYetSupported: isNotYetSupported,
        directWorks: directWorks
      )
    )
  }

  private func checkDenials(_ steps: [MigrationStep]) throws {
    let denials = catalog.configuration.denials
    guard !denials.isEmpty else { return }
    var denied: [String] = []
    for step in steps {
      for statement in step.statements {
        for denial in denials where statement.impact.allHazards.contains(denial.hazard) {
          if let table = denial.tableName,
            !statement.impact.locks.keys.contains(where: { $0.name == table })
          {
            continue
          }
          denied.append("\(denial.hazard.rawValue): \(statement.reason)")
        }
      }
    }
    guard denied.isEmpty else { throw RemodelError(.hazardDenied(denied)) }
  }
}
