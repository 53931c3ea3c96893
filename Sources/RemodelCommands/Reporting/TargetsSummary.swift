import RemodelKit

/// The results of many stores, in one report: a line for each changed or failed one, and the total.
struct TargetsSummary: Report {
  /// The result of one store.
  struct Entry: Sendable {
    let target: MigrationTarget
    /// The outcome, in a word of the JSON.
    let outcome: String
    let duration: Duration
    /// More of it in a line; none if there is nothing to tell.
    let line: String?
    /// The report of the verb, as JSON.
    let report: JSONObject?
    fileprivate let failure: (any Error)?
    fileprivate var showsValues = false
    /// What the call would end with if this were all; none if there is nothing wrong.
    let fault: ExitStatus?
  }

  private(set) var entries: [Entry]
  let warnings: [Diagnostic]
  /// The common plans of stores, if the summary shows plans instead of results.
  private let plans: [SharedPlan]
  /// Whether there is a difference that the exit code is to tell.
  private let isDifferent: Bool
  /// The words of the verb, in the order of the sum.
  private let words: [String]
  /// Keys that only this verb has.
  private let ownKeys: JSONObject
  /// The states of the stores, if the verb is about them.
  private(set) var statuses: [StoreStatus] = []

  /// The words of a verb for one store.
  struct Words {
    let outcome: String
    var line: String?
    var isDifferent = false
    var fault: ExitStatus?
  }

  init<Result: Report>(
    _ report: TargetsReport<Result>,
    words: [String],
    plans: [SharedPlan] = [],
    isDifferenceTold: Bool = true,
    ownKeys: (Bool) throws -> JSONObject = { _ in [:] },
    _ describe: (Result) -> Words
  ) throws {
    let described = report.results.map { $0.report.map(describe) }
    entries = try zip(report.results, described).map { try Entry($0, $1) }
    let isDifferent = described.contains { $0?.isDifferent == true }
    self.isDifferent = isDifferent && isDifferenceTold
    self.words = words + Self.otherWords
    self.plans = plans
    self.ownKeys = try ownKeys(
      !isDifferent && report.results.allSatisfy { $0.report != nil }
    )
    self.warnings = report.warnings + report.ownWarnings
  }

  private static let otherWords = ["failed", "interrupted", "not-started", "left-out"]

  /// Has errors tell the values of rows that they are about.
  mutating func showValues() {
    for index in entries.indices { entries[index].showsValues = true }
  }

  // MARK: - Exit code

  /// Returns the exit code of the call: the common one of all errors, if there is one.
  func status(interruptedBy signal: Int32?) -> ExitStatus {
    if let signal, entries.contains(where: \.isInterrupted) { return ExitStatus(signal: signal) }
    let failures = Set(entries.compactMap(\.fault))
    if failures.isEmpty { return isDifferent ? .difference : .success }
    return failures.count == 1 ? failures.first ?? .failure : .failure
  }

  // MARK: - Forms

  var json: JSONObject {
    ownKeys.merging([
      "outcomes": Dictionary(
        words.map { word in (word, entries.count { $0.outcome == word }) },
        uniquingKeysWith: { first, _ in first }
      ),
      "targets": entries,
      "warnings": warnings,
    ])
  }

  var blocks: [Block] {
    for (number, plan) in zip(1..., plans) {
      plan.blocks(number: number, of: plans.count)
      ""
    }
    for entry in entries where entry.line != nil || entry.error != nil {
      Block.row(entry.target.name, entry.outcome.inWords, entry.line ?? "")
      Block.nested(2, entry.error?.blocks ?? [])
    }
    let parts = words.compactMap { word -> String? in
      let count = entries.count { $0.outcome == word }
      return count == 0 ? nil : "\(count) \(word.inWords)"
    }
    "\(counted(entries.count, "store")): \(parts.joined(separator: ", "))"
    let leftOut = entries.filter { $0.outcome == "left-out" }.map(\.target.name)
    if !leftOut.isEmpty { "left out: \(Self.names(leftOut))" }
  }

  /// Returns the first names of many, and how many more there are.
  private static func names(_ names: [String]) -> String {
    let more = names.count > 3 ? " and \(names.count - 3) more" : ""
    return "\(names.prefix(3).joined(separator: ", "))\(more)"
  }
}

extension TargetsSummary.Entry: JSONKeyed {
  fileprivate init<Result: Report>(
    _ result: TargetResult<Result>,
    _ words: TargetsSummary.Words?
  ) throws {
    target = result.target
    duration = result.duration
    line = words?.line
    report = try StoreOptions.$current.withValue(StoreOptions.current.of(result.target)) {
      try result.report?.json
    }
    failure = result.error
    fault = failure.map { ExitStatus($0) } ?? words?.fault
    outcome =
      switch result.outcome {
      case .done: words?.outcome ?? ""
      case .failed: "failed"
      case .interrupted: "interrupted"
      case .notStarted: "not-started"
      case .leftOut: "left-out"
      }
  }

  fileprivate var error: ErrorReport? {
    StoreOptions.$current.withValue(StoreOptions.current.of(target)) {
      failure.map { ErrorReport($0, showsValues: showsValues) }
    }
  }

  fileprivate var isInterrupted: Bool { outcome == "interrupted" || outcome == "not-started" }

  var json: JSONObject {
    [
      "name": target.name,
      "schema": target.schema?.name,
      "outcome": outcome,
      "durationMilliseconds": duration,
      "report": report,
      "error": error?.keys,
    ]
  }
}

extension TargetsReport where Report: RemodelCommands.Report {
  /// What may not have been meant in some stores, each once, with the stores.
  fileprivate var ownWarnings: [Diagnostic] {
    var names: [Diagnostic: [String]] = [:]
    var order: [Diagnostic] = []
    for result in results {
      for warning in result.report?.warnings ?? [] where !self.warnings.contains(warning) {
        if names[warning] == nil { order.append(warning) }
        names[warning, default: []].append(result.target.name)
      }
    }
    return order.map { warning in
      let stores = names[warning] ?? []
      let more = stores.count > 3 ? " and \(stores.count - 3) more" : ""
      var warning = warning
      let context = "target \(stores.prefix(3).joined(separator: ", "))\(more)"
      warning.context = warning.context.map { "\($0)\n\(context)" } ?? context
      return warning
    }
  }
}

extension String {
  /// The word of the JSON as a text has it.
  fileprivate var inWords: String { replacing("-", with: " ") }
}

// MARK: - Verbs

extension TargetsSummary {
  init(_ report: TargetsReport<MigrationReport>) throws {
    try self.init(
      report,
      words: ["created", "migrated", "reverted", "unchanged"]
    ) { report in
      guard report.outcome != .unchanged else { return Words(outcome: report.outcome.rawValue) }
      let names = versionNames(report.source?.name, report.target.name)
      let time = report.steps.map(\.duration).reduce(.zero, +).brief
      let rest = report.pending.isEmpty ? "" : ", \(report.pending.count) left for finish"
      return Words(outcome: report.outcome.rawValue, line: "\(names)  \(time)\(rest)")
    }
  }

  init(_ report: TargetsReport<CheckReport>) throws {
    try self.init(
      report,
      words: ["current", "not-current"],
      ownKeys: { ["current": $0] }
    ) { report in
      report.isCurrent
        ? Words(outcome: "current")
        : Words(outcome: "not-current", line: report.explanation, isDifferent: true)
    }
  }

  init(_ report: TargetsReport<StatusReport>, isDifferenceTold: Bool) throws {
    try self.init(
      report,
      words: ["empty", "creating", "current", "behind", "older", "blocked", "newer", "reverted"],
      isDifferenceTold: isDifferenceTold
    ) { report in
      let isCurrent = report.state == .current
      let version = report.version.map { versionName($0.name) } ?? "no version"
      let job = report.job.map { ", copy job \($0.id)" } ?? ""
      let pending = report.pending.isEmpty ? "" : ", \(report.pending.count) left to do"
      let obstacle = report.obstacles.first.map { ": \($0.message)" } ?? ""
      let drifted = report.drift.flatMap { $0.isEmpty ? nil : ", \($0.summary)" } ?? ""
      let isTold =
        !isCurrent || report.job != nil || !report.pending.isEmpty || !drifted.isEmpty
      return Words(
        outcome: report.state.rawValue,
        line: isTold ? "\(version)\(job)\(pending)\(drifted)\(obstacle)" : nil,
        isDifferent: report.isDifferent
      )
    }
    statuses = zip(report.results, entries).map { StoreStatus($0, outcome: $1.outcome) }
  }
}

extension TargetsSummary {
  init(_ report: TargetsReport<VerificationReport>) throws {
    try self.init(report, words: ["clean", "drifted", "not-verified"]) { report in
      if report.isClean { return Words(outcome: "clean") }
      guard let version = report.version else {
        return Words(
          outcome: "not-verified",
          line: report.creation?.text ?? "the database is at no version",
          isDifferent: true
        )
      }
      return Words(
        outcome: "drifted",
        line: "\(versionName(version.name)): \(report.summary)",
        isDifferent: true
      )
    }
  }

  init(_ report: TargetsReport<FinishReport>, isLimited: Bool) throws {
    try self.init(report, words: ["finished", "unfinished", "unchanged"]) { report in
      let done = "\(counted(report.done.count, "piece")) done"
      if report.left.isEmpty {
        return report.done.isEmpty && report.partitions.isEmpty
          ? Words(outcome: "unchanged") : Words(outcome: "finished", line: done)
      }
      return Words(
        outcome: "unfinished",
        line: "\(done), \(report.left.count) left",
        fault: isLimited ? .unfinishedJob : nil
      )
    }
  }

  init(_ report: TargetsReport<CleanupReport>) throws {
    try self.init(report, words: ["dropped", "to-be-dropped", "refused", "unchanged"]) { report in
      if report.isRefused {
        return Words(
          outcome: "refused",
          line: report.diagnostics.first?.message,
          fault: .refused
        )
      }
      guard !report.items.isEmpty else { return Words(outcome: "unchanged") }
      return Words(
        outcome: report.isDryRun ? "to-be-dropped" : "dropped",
        line: report.items.prefix(3).map(\.entry.object.summary).joined(separator: "; ")
          + (report.items.count > 3 ? " and \(report.items.count - 3) more" : "")
      )
    }
  }

  init(_ report: TargetsReport<[CopyJob]>) throws {
    try self.init(
      report.map { JobListReport(jobs: $0) },
      words: ["running", "ended", "none"]
    ) { report in
      guard let job = report.jobs.last else { return Words(outcome: "none") }
      return Words(
        outcome: job.state.isEnded ? "ended" : "running",
        line: job.state.isEnded ? nil : "\(job.id)  \(job.summary)"
      )
    }
  }

  /// Creates the summary of what was done to the job of each store, with a word for it.
  init(_ report: TargetsReport<JobReport?>, outcome: String) throws {
    try self.init(
      report.map { JobListReport(jobs: $0.map { [$0.job] } ?? [], warnings: $0?.warnings ?? []) },
      words: [outcome, "none"]
    ) { report in
      guard let job = report.jobs.first else { return Words(outcome: "none") }
      return Words(outcome: outcome, line: "\(job.id)  \(job.summary)")
    }
  }
}

extension TargetsSummary {
  init(_ report: TargetPlans, isDifferenceTold: Bool) throws {
    let plans = report.plans
    try self.init(
      report.stores,
      words: ["planned", "refused", "rows-in-the-way", "unchanged"],
      plans: plans,
      isDifferenceTold: isDifferenceTold,
      ownKeys: { _ in ["plans": try plans.map { try $0.json }] }
    ) { plan in
      if plan.isEmpty { return Words(outcome: "unchanged") }
      if let refusal = plan.refusal {
        return Words(
          outcome: "refused",
          line: refusal.diagnostics.first?.message,
          isDifferent: true,
          fault: .refused
        )
      }
      guard let first = plan.violations.first else {
        return Words(outcome: "planned", isDifferent: true)
      }
      let rows = first.count.map { "\(counted($0, "row")): " } ?? ""
      let more = plan.violations.count > 1 ? ", and \(plan.violations.count - 1) more" : ""
      return Words(
        outcome: "rows-in-the-way",
        line: rows + first.precondition.requirement + more,
        isDifferent: true,
        fault: .dataNotAllowed
      )
    }
  }
}

extension TargetPlan: Report {
  var json: JSONObject {
    [
      "digest": digest,
      "source": source?.name,
      "target": target.name,
      "refusal": refusal?.diagnostics,
      "violations": violations.map {
        $0.precondition.json.merging(["count": $0.count, "sampleKeys": $0.sampleKeys])
      },
      "warnings": warnings,
    ]
  }

  var blocks: [Block] {
    "\(versionNames(source?.name, target.name)), digest \(digest)"
  }
}

extension SharedPlan {
  fileprivate var json: JSONObject {
    get throws {
      var plan = try report.json
      plan["seal"] = nil
      return ["targets": targets.map(\.name), "example": example.name, "plan": plan]
    }
  }

  /// The stores, and the plan as it is for one of them.
  @BlockBuilder
  fileprivate func blocks(number: Int, of count: Int) -> [Block] {
    let isShared = targets.count > 1
    let example = isShared ? ", shown as for \(example.name), where it takes longest" : ""
    Block.title("plan \(number) of \(count): \(counted(targets.count, "store"))\(example)")
    nameLines
    ""
    report.blocks
  }

  /// The names of the stores, as many in a line as a terminal has room for.
  private var nameLines: [String] {
    var lines: [String] = []
    for (index, target) in targets.enumerated() {
      let name = target.name + (index + 1 < targets.count ? "," : "")
      if let last = lines.last, last.count + 1 + name.count <= 100 {
        lines[lines.count - 1] = "\(last) \(name)"
      } else {
        lines.append("  \(name)")
      }
    }
    return lines
  }
}
