import RemodelKit

extension TargetsSummary {
  init(_ report: TargetPlans, isDifferenceTold: Bool) {
    let plans = report.plans
    self.init(
      report.stores,
      words: ["planned", "refused", "rows-in-the-way", "unchanged"],
      warnings: \.warnings,
      plans: plans,
      isDifferenceTold: isDifferenceTold,
      ownKeys: { _ in ["plans": .array(plans.map(\.json))] }
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
  var json: [String: JSONValue] {
    [
      "digest": .string(digest),
      "source": .optional(source?.name),
      "target": .string(target.name),
      "refusal": refusal.map { .diagnostics($0.diagnostics) } ?? .null,
      "violations": .array(
        violations.map { finding in
          .object(
            finding.precondition.json.merging(
              ["count": .optional(finding.count), "sampleKeys": .optional(finding.sampleKeys)],
              uniquingKeysWith: { $1 }
            )
          )
        }
      ),
      "warnings": .diagnostics(warnings),
    ]
  }

  func lines(_ style: TextStyle) -> [String] {
    ["\(versionName(source?.name)) -> \(versionName(target.name)), digest \(digest)"]
  }
}

extension SharedPlan {
  fileprivate var json: JSONValue {
    [
      "targets": .strings(targets.map(\.name)),
      "example": .string(example.name),
      "plan": .object(report.json.filter { $0.key != "seal" }),
    ]
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
