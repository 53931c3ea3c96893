internal import MigrationExecution
public import MigrationPlanning

/// An approved plan, the only one that may run.
public struct ApprovedPlan: Hashable, Sendable {
  /// The digest of the plan.
  public var digest: String
  /// The approver, from the caller.
  public var approvedBy: String?
  /// The plan as it was written down; none where nothing but the digest is known.
  public var record: Record?

  /// Creates an approved plan.
  public init(digest: String, approvedBy: String? = nil, record: Record? = nil) {
    self.digest = digest
    self.approvedBy = approvedBy
    self.record = record
  }

  /// The contents of a plan file that decide what may run.
  public struct Record: Hashable, Sendable, Codable {
    /// The version that the database was at; none if its schema was empty.
    public var source: String?
    /// The version that the plan leads to.
    public var target: String
    /// The hash of that version.
    public var targetChecksum: String
    /// The steps.
    public var steps: [Step]
    /// The settings of the plan.
    public var settings: PlanSettings
    /// The origin of the plan; `nil` if it follows from the models alone.
    public var origin: PlanOrigin?
    /// The sizes of the tables that it uses, by name.
    public var tables: [String: TableSize]
    /// The speed of the server that it expects; that of the server on which the rates of work were measured
    /// if there is none.
    public var serverSpeed: ServerSpeed?

    /// Writes a plan down.
    public init(_ report: PlanReport) {
      source = report.source?.name
      target = report.target.name
      targetChecksum = report.target.checksum.text
      steps = report.plan.steps.map(Step.init)
      settings = report.settings
      origin = report.origin
      tables = report.sizes.tables
      serverSpeed = report.sizes.speed == .reference ? nil : report.sizes.speed
    }
  }

  /// A step of a plan as it was written down.
  public struct Step: Hashable, Sendable, Codable {
    /// The version that it leads to.
    public var target: String
    /// Its digest.
    public var digest: String
    /// The preconditions on the rows.
    public var preconditions: [Question]
    /// The statements.
    public var statements: [Statement]

    /// A question to the rows.
    public struct Question: Hashable, Sendable, Codable {
      /// The question, as SQL.
      public var query: String
    }

    /// A statement.
    public struct Statement: Hashable, Sendable, Codable {
      /// The statement, as SQL.
      public var sql: String
    }
  }
}

extension ApprovedPlan.Step {
  /// Writes a step down.
  init(_ step: MigrationStep) {
    self.init(
      target: step.destination.name,
      digest: step.digest,
      preconditions: step.preconditions.map { Question(query: $0.query.text) },
      statements: step.allStatements.map { Statement(sql: $0.sql.text) }
    )
  }
}

extension ApprovedPlan {
  /// The approval for the audit log.
  var approval: PlanApproval { PlanApproval(planDigest: digest, approvedBy: approvedBy) }

  /// Returns the differences between a plan and the approved one.
  ///
  /// - Parameters:
  ///   - plan: The plan to run.
  ///   - taken: The digests of the finished steps of the approved plan, in their order.
  ///   - version: The version of the database.
  /// - Returns: The differences.
  func differences(
    from plan: MigrationPlan,
    after taken: [String],
    at version: String?
  ) -> [PlanDifference]? {
    let isApproved = plan.digest(afterSteps: taken) == digest
    guard let record else {
      return isApproved ? nil : [.digest(plan.digest(afterSteps: taken))]
    }
    let rest = Array(record.steps.drop { taken.contains($0.digest) })
    if isApproved, plan.steps.map(Step.init) == rest { return nil }
    if let difference = otherBeginning(after: taken, at: version) { return [difference] }
    let targets = plan.steps.map(\.destination.name)
    guard targets == rest.map(\.target) else {
      return [.way(planned: rest.map(\.target), found: targets)]
    }
    let differences = zip(plan.steps, rest).filter { Step($0) != $1 }
      .flatMap { now, before in Self.differences(of: Step(now), from: before) }
    return differences.isEmpty ? [.fileDigest] : differences
  }

  /// Returns why a plan is not to begin where the database is; none if it is.
  func otherBeginning(after taken: [String], at version: String?) -> PlanDifference? {
    guard let record, taken.isEmpty, version != record.source else { return nil }
    return .beginning(planned: record.source, found: version)
  }

  private static func differences(of now: Step, from before: Step) -> [PlanDifference] {
    let step = now.target
    func changes(
      _ part: PlanDifference.Part,
      _ now: [String],
      _ before: [String]
    ) -> [PlanDifference] {
      now.difference(from: before).map { change in
        switch change {
        case .insert(_, let sql, _): .added(part, sql: sql, step: step)
        case .remove(_, let sql, _): .removed(part, sql: sql, step: step)
        }
      }
    }
    let all =
      changes(.question, now.preconditions.map(\.query), before.preconditions.map(\.query))
      + changes(.statement, now.statements.map(\.sql), before.statements.map(\.sql))
    return all.isEmpty ? [.circumstances(step: step)] : all
  }
}
