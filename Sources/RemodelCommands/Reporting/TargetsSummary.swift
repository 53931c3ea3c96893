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
    fileprivate(set) var error: ErrorReport?
    fileprivate let failure: (any Error)?
    /// The exit code for this store alone; `nil` if it has no error.
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
    warnings: (Result) -> [Diagnostic],
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
    self.warnings = report.warnings + report.ownWarnings(warnings)
  }

  private static let otherWords = ["failed", "interrupted", "not-started"]

  /// Has errors tell the values of rows that they are about.
  mutating func showValues() {
    for index in entries.indices {
      entries[index].error = entries[index].failure.map {
        ErrorReport($0, status: ExitStatus($0), showsValues: true)
      }
    }
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

  func lines(_ style: TextStyle) -> [String] {
    let sections = zip(1..., plans).flatMap { number, plan in
      plan.lines(style, number: number, of: plans.count) + [""]
    }
    return sections + ownLines(style)
  }

  private func ownLines(_ style: TextStyle) -> [String] {
    let told = entries.filter { $0.line != nil || $0.error != nil }
    var table = TextTable()
    for entry in told { table.add(entry.target.name, entry.outcome.inWords, entry.line ?? "") }
    var lines: [String] = []
    for (line, entry) in zip(table.lines(), told) {
      lines.append(line)
      guard let error = entry.error else { continue }
      lines += error.text(style).lines.map { "  \($0)" }
    }
    let parts = words.compactMap { word -> String? in
      let count = entries.count { $0.outcome == word }
      return count == 0 ? nil : "\(count) \(word.inWords)"
    }
    lines.append("\(counted(entries.count, "store")): \(parts.joined(separator: ", "))")
    return lines
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
    report = try result.report?.json
    let error = result.error.map { ErrorReport($0, status: ExitStatus($0)) }
    failure = result.error
    self.error = error
    fault = error?.status ?? words?.fault
    outcome =
      switch result.outcome {
      case .done: words?.outcome ?? ""
      case .failed: "failed"
      case .interrupted: "interrupted"
      case .notStarted: "not-started"
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

extension TargetsReport {
  /// The warnings about some stores, each once, with the stores.
  fileprivate func ownWarnings(_ warnings: (Report) -> [Diagnostic]) -> [Diagnostic] {
    var names: [Diagnostic: [String]] = [:]
    var order: [Diagnostic] = []
    for result in results {
      for warning in result.report.map(warnings) ?? [] where !self.warnings.contains(warning) {
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
      words: ["created", "migrated", "reverted", "unchanged"],
      warnings: \.warnings
    ) { report in
      guard report.outcome != .unchanged else { return Words(outcome: report.outcome.rawValue) }
      let way = "\(versionName(report.source?.name)) -> \(versionName(report.target.name))"
      let time = report.steps.map(\.duration).reduce(.zero, +).brief
      let rest = report.pending.isEmpty ? "" : ", \(report.pending.count) left for finish"
      return Words(outcome: report.outcome.rawValue, line: "\(way)  \(time)\(rest)")
    }
  }

  init(_ report: TargetsReport<CheckReport>) throws {
    try self.init(
      report,
      words: ["current", "not-current"],
      warnings: \.warnings,
      ownKeys: { ["current": $0] }
    ) { report in
      guard !report.isCurrent else { return Words(outcome: "current") }
      let text = report.text(.plain)
      let prefix = "not current: "
      return Words(
        outcome: "not-current",
        line: text.hasPrefix(prefix) ? String(text.dropFirst(prefix.count)) : text,
        isDifferent: true
      )
    }
  }

  init(_ report: TargetsReport<StatusReport>, isDifferenceTold: Bool) throws {
    try self.init(
      report,
      words: ["empty", "creating", "current", "behind", "older", "blocked", "newer", "reverted"],
      warnings: \.warnings,
      isDifferenceTold: isDifferenceTold
    ) { report in
      let isCurrent = report.state == .current
      let version = report.version.map { versionName($0.name) } ?? "no version"
      let job = report.job.map { ", copy job \($0.id)" } ?? ""
      let pending = report.pending.isEmpty ? "" : ", \(report.pending.count) left to do"
      let obstacle = report.obstacles.first.map { ": \($0.message)" } ?? ""
      let isTold = !isCurrent || report.job != nil || !report.pending.isEmpty
      return Words(
        outcome: report.state.rawValue,
        line: isTold ? "\(version)\(job)\(pending)\(obstacle)" : nil,
        isDifferent: !isCurrent
      )
    }
  }
}

extension TargetsSummary {
  init(_ report: TargetPlans, isDifferenceTold: Bool) throws {
    let plans = report.plans
    try self.init(
      report.stores,
      words: ["planned", "refused", "rows-in-the-way", "unchanged"],
      warnings: \.warnings,
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

  func lines(_ style: TextStyle) -> [String] {
    ["\(versionName(source?.name)) -> \(versionName(target.name)), digest \(digest)"]
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
  func lines(_ style: TextStyle, number: Int, of count: Int) -> [String] {
    let isShared = targets.count > 1
    let example = isShared ? ", shown as for \(example.name), where it takes longest" : ""
    let heading = "plan \(number) of \(count): \(counted(targets.count, "store"))\(example)"
    return [style.bold(heading)] + nameLines + [""] + report.lines(style)
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
