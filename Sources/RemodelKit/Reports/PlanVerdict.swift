public import Diagnostics
public import MigrationPlanning

/// Whether a plan can be carried out while others use the database: the one answer, from all that is known of
/// the plan.
public struct PlanVerdict: Hashable, Sendable {
  /// A finding about a plan.
  public enum Finding: Hashable, Sendable {
    /// There is nothing to do.
    case nothingToDo
    /// So many conditions do not hold for the rows; the migration changes nothing as long as that is so.
    case rowsInTheWay(conditions: Int)
    /// The settings do not allow the plan.
    case refused
    /// Rows lose values for good.
    case losesValues(RowsAtRisk)
    /// Authored SQL runs whose effects are unknown.
    case unknownEffect
    /// Somebody waits for a table for so many seconds, more than five.
    case blocks(seconds: Double)
    /// Statements of a release that still runs on the previous version fail afterwards: certainly, or for
    /// some values.
    case breaksPreviousRelease(isCertain: Bool)
    /// Nobody knows the size of a table that others would wait for.
    case unknownWait
    /// Somebody waits for a table for so many seconds, one to five.
    case brief(seconds: Double)
    /// Others hold locks now that the plan waits for.
    case heldUp
    /// Not all conditions could be checked.
    case uncheckedRows
    /// Nobody waits for a table for more than about a second.
    case safe
  }

  /// How grave a finding is: the colour that it is shown in.
  public enum Severity: String, Hashable, Sendable {
    /// There is nothing to decide.
    case plain
    /// It can run at any time.
    case fine
    /// It can run when somebody has looked at it.
    case care
    /// It cannot run, or does damage.
    case stop
  }

  /// The findings, the gravest first; never empty.
  public let findings: [Finding]
  /// The gravest finding.
  public var answer: Finding { findings.first ?? .nothingToDo }
  /// How grave the gravest finding is.
  public var severity: Severity { answer.severity }
}

extension PlanVerdict.Finding {
  /// How grave it is.
  public var severity: PlanVerdict.Severity {
    switch self {
    case .nothingToDo: .plain
    case .safe: .fine
    case .breaksPreviousRelease, .unknownWait, .brief, .heldUp, .uncheckedRows: .care
    case .rowsInTheWay, .refused, .losesValues, .unknownEffect, .blocks: .stop
    }
  }
}

extension PlanVerdict.Finding {
  /// Creates the verdict about the longest time that a table is blocked; `nil` up to a second.
  package init?(waitingFor longest: BlockedTime) {
    switch longest {
    case .none: return nil
    case .about(let seconds):
      guard seconds > 1 else { return nil }
      self = seconds > 5 ? .blocks(seconds: seconds) : .brief(seconds: seconds)
    case .notKnown: self = .unknownWait
    }
  }
}

extension PlanReport {
  /// Whether the plan can be carried out while others use the database.
  public var verdict: PlanVerdict {
    guard !plan.steps.isEmpty else { return PlanVerdict(findings: [.nothingToDo]) }
    var found: [PlanVerdict.Finding] = []
    let violated = findings.count(where: \.isViolated)
    if violated > 0 { found.append(.rowsInTheWay(conditions: violated)) }
    if violated == 0, refusal != nil { found.append(.refused) }
    if let loss = rowsAtRisk { found.append(.losesValues(loss)) }
    if plan.steps.flatMap(\.allStatements).contains(where: \.hasUnknownEffect) {
      found.append(.unknownEffect)
    }
    let wait = PlanVerdict.Finding(waitingFor: forecast.longestWait)
    if let wait, case .blocks = wait { found.append(wait) }
    if knownStatements.contains(where: { $0.hazards.contains(.breaksPreviousRelease) }) {
      found.append(.breaksPreviousRelease(isCertain: hasCertainBreakages))
    }
    if let wait, !found.contains(wait) { found.append(wait) }
    if let activity, !activity.obstacles.isEmpty { found.append(.heldUp) }
    if findings.contains(where: { $0.count == nil }) { found.append(.uncheckedRows) }
    return PlanVerdict(findings: found.isEmpty ? [.safe] : found)
  }

  /// The forecasts of the statements with known effects.
  private var knownStatements: [StatementForecast] {
    zip(plan.steps, forecast.steps).flatMap { step, expected in
      zip(step.allStatements, expected.statements).filter { !$0.0.hasUnknownEffect }.map(\.1)
    }
  }

  /// A Boolean value that indicates whether some statements of a release on the previous version no longer
  /// work, whatever their values are.
  private var hasCertainBreakages: Bool {
    plan.steps.contains { step in
      step.allStatements.flatMap(\.breakages)
        .contains { step.failingStatement(by: $0).effect != .mayFail }
    }
  }

  /// The rows that lose values for good; none if none do.
  private var rowsAtRisk: RowsAtRisk? {
    let losing = knownStatements.filter { $0.hazards.contains(.deletesData) }
    guard !losing.isEmpty else { return nil }
    // What is counted is shown beside it.
    let lost = losses.filter { $0.data != nil }.map(\.count.number)
    if !lost.isEmpty {
      return lost.contains(nil) ? .notKnown : .about(lost.compactMap(\.self).max() ?? 0)
    }
    let counts = losing.compactMap(\.rowsAtRisk).map(\.count)
    guard !counts.isEmpty, !counts.contains(nil) else { return .notKnown }
    return .about(counts.compactMap(\.self).max() ?? 0)
  }
}

extension PlanReport {
  /// Notes for those who run the application, although the plan has no fault.
  public var notes: [Diagnostic] {
    [cachedPlans].compactMap(\.self) + forecast.steps.flatMap(\.triggerCosts).map(\.note)
  }

  /// Sessions that have prepared a query for all columns of a table fail once when it gets others.
  private var cachedPlans: Diagnostic? {
    let tables = Set(plan.steps.flatMap(\.tablesOfChangedColumns).map(\.name)).sorted()
    guard !tables.isEmpty else { return nil }
    let shown = tables.prefix(5).map { "\"\($0)\"" }.joined(separator: ", ")
    let rest = tables.count > 5 ? " and \(tables.count - 5) more" : ""
    return Diagnostic(
      .warning,
      "prepared statements that select all columns of \(shown)\(rest) fail once",
      detail: "They end with 0A000, \"cached plan must not change result type\".",
      hint: "Have the application name its columns, or try again after 0A000."
    )
  }
}

extension TriggerCost {
  /// The cost in words.
  fileprivate var note: Diagnostic {
    let names = tables.prefix(5).map { "\"\($0)\"" }.joined(separator: ", ")
    let rest = tables.count > 5 ? " and \(tables.count - 5) more" : ""
    let figures = Work.allCases.compactMap { work in
      speeds[work].map { speed in
        "\(work.verb) about \(Self.rounded(speed.after)) \(work.noun) a second instead of "
          + "\(Self.rounded(speed.before))"
      }
    }
    return Diagnostic(
      .warning,
      "until version \"\(version)\" is retired, triggers keep \(names)\(rest) in step: "
        + "a statement that writes many rows \(figures.joined(separator: ", and "))"
    )
  }

  /// Returns a number with two digits that count, such as 90000.
  private static func rounded(_ speed: Double) -> Int {
    var unit = 1.0
    while speed / unit >= 100 { unit *= 10 }
    return Int((speed / unit).rounded() * unit)
  }
}

extension TriggerCost.Work {
  fileprivate var verb: String {
    switch self {
    case .insertedRows: "inserts"
    case .updatedRows: "updates"
    case .changedLinks: "changes"
    }
  }

  fileprivate var noun: String {
    switch self {
    case .insertedRows, .updatedRows: "rows"
    case .changedLinks: "links"
    }
  }
}
