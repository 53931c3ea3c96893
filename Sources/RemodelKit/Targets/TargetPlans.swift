public import Diagnostics
public import MigrationExecution
internal import MigrationPlanning
internal import ModelLoading
internal import PostgresClient
internal import SQLSyntax
internal import Synchronization

/// The result of `plan` for many stores.
public struct TargetPlans: Sendable {
  /// The plans, each once for all stores that it holds for, in the order of these.
  public let plans: [SharedPlan]
  /// The result of each store.
  public let stores: TargetsReport<TargetPlan>
}

/// A plan that differs between several stores in the name of the schema alone.
public struct SharedPlan: Sendable {
  /// The plan as it is for the store in which it takes longest.
  public let report: PlanReport
  /// That store.
  public let example: MigrationTarget
  /// The stores that it holds for.
  public let targets: [MigrationTarget]
}

/// The result of `plan` for one store of many.
public struct TargetPlan: Sendable {
  /// The digest of the store's own plan, which has the name of its schema in it.
  public let digest: String
  /// The version that the store is at; none if its schema is empty.
  public let source: VersionReference?
  /// The version that the plan leads to.
  public let target: VersionReference
  /// A Boolean value that indicates whether there is nothing to do.
  public let isEmpty: Bool
  /// Why it may not be carried out; none if it may.
  public let refusal: RemodelError?
  /// The preconditions that the rows of the store violate.
  public let violations: [PreconditionFinding]
  /// The warnings.
  public let warnings: [Diagnostic]
  /// The common part of stores that share a plan.
  let shape: String

  init(_ report: PlanReport, in store: StoreIdentity) {
    digest = report.plan.digest
    source = report.source
    target = report.target
    isEmpty = report.plan.steps.isEmpty
    refusal = report.refusal
    violations = report.findings.filter(\.isViolated)
    warnings = report.warnings
    shape = report.plan.digest(withoutNames: [report.plan.schema, store.stagingSchema])
  }
}

extension Remodel {
  /// Plans a migration of many stores, without changing anything: each plan once, with its stores.
  ///
  /// - Parameters:
  ///   - targets: The stores.
  ///   - version: The version; by default the current one.
  ///   - onTargetEvent: Gets the events of each store.
  /// - Returns: The plans.
  /// - Throws: The faults of the files, or an error if there are no stores.
  public func plan(
    _ targets: MigrationTargets,
    to version: String? = nil,
    onTargetEvent: (@Sendable (TargetEvent) -> Void)? = nil
  ) async throws -> TargetPlans {
    let catalog = try VersionCatalog(configuration)
    let warnings = try catalog.fileVersion(version)?.warnings ?? []
    let longest = LongestPlans()
    let stores = try await call.report(of: targets, catalog, warnings: warnings, onTargetEvent) {
      call,
      catalog,
      target in
      let report = try await PlanRun(call, catalog, target.database).migration(to: version)
      let plan = TargetPlan(report, in: catalog.store)
      if !plan.isEmpty { longest.add(report, of: target, shape: plan.shape) }
      return plan
    }
    return TargetPlans(plans: longest.plans(of: stores), stores: stores)
  }
}

/// The plan of each shape that takes longest; of the others nothing is kept, however many there are.
private final class LongestPlans: Sendable {
  private let known = Mutex<[String: (report: PlanReport, target: MigrationTarget)]>([:])

  func add(_ report: PlanReport, of target: MigrationTarget, shape: String) {
    known.withLock { known in
      guard let other = known[shape] else {
        known[shape] = (report, target)
        return
      }
      // Of those that take equally long always the same one, in whatever order they come.
      let isLonger =
        other.report.longestTime == report.longestTime
        ? naturallyPrecedes(target.name, other.target.name)
        : report.longestTime > other.report.longestTime
      if isLonger { known[shape] = (report, target) }
    }
  }

  func plans(of stores: TargetsReport<TargetPlan>) -> [SharedPlan] {
    var targets: [String: [MigrationTarget]] = [:]
    var order: [String] = []
    for result in stores.results {
      guard let plan = result.report, !plan.isEmpty else { continue }
      if targets[plan.shape] == nil { order.append(plan.shape) }
      targets[plan.shape, default: []].append(result.target)
    }
    return known.withLock { known in
      order.compactMap { shape in
        known[shape].map {
          SharedPlan(report: $0.report, example: $0.target, targets: targets[shape] ?? [])
        }
      }
    }
  }
}

extension PlanReport {
  /// The duration, where an unknown one is the longest.
  fileprivate var longestTime: Double { forecast.seconds ?? .infinity }
}
