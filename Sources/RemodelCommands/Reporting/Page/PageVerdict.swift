import RemodelKit

/// The answer to whether a plan can be carried out while others use the database.
struct PageVerdict: Hashable {
  /// How grave it is.
  enum Weight: Hashable {
    case plain, fine, care, stop
  }

  let weight: Weight
  /// The answer in a line.
  let answer: String
  /// What speaks for it, in whole sentences.
  let reasons: [String]

  /// Weighs what is known of a plan.
  init(_ page: PlanPage) {
    let report = page.report
    guard !page.steps.isEmpty else {
      weight = .plain
      answer = "Nothing to do"
      reasons = ["The database is at \(versionName(report.target.name))."]
      return
    }
    let violated = report.findings.filter(\.isViolated)
    let hazards = Set(report.hazardCounts.map(\.hazard))
    var reasons = [Self.sentence(about: report)]
    if report.origin == nil {
      reasons.append("It was planned from the models alone; no database was asked.")
    }
    if hazards.contains(.deletesData) { reasons.append("Some values are deleted for good.") }
    if hazards.contains(.breaksPreviousRelease) {
      reasons.append("A release that still runs on the previous version may fail afterwards.")
    }
    let isInWay = report.activity.map { !$0.obstacles.isEmpty } ?? false
    if isInWay { reasons.append("Something holds it up now; it is named below.") }
    guard violated.isEmpty else {
      weight = .stop
      answer = "Cannot run: the rows do not allow it"
      let count = counted(violated.count, "condition does", plural: "conditions do")
      self.reasons = ["\(count) not hold; nothing is changed as long as that is so."] + reasons
      return
    }
    if let refusal = report.refusal {
      weight = .stop
      answer = "May not run"
      self.reasons = refusal.diagnostics.map { "\($0.message)." } + reasons
      return
    }
    let isUnasked = report.findings.contains { $0.count == nil }
    if isUnasked { reasons.append("Not all conditions could be asked of the rows.") }
    self.reasons = reasons
    let isGrave = hazards.contains(.deletesData) || hazards.contains(.breaksPreviousRelease)
    switch report.forecast.verdict {
    case .safe:
      weight = isGrave || isInWay || isUnasked ? .care : .fine
      answer =
        isGrave
        ? "Quick, but read this first"
        : isInWay
          ? "Safe, as soon as others are out of the way"
          : isUnasked ? "Safe, if the rows allow it" : "Safe to run at any time"
    case .brief(let seconds):
      weight = .care
      answer = "Others wait for \(estimateText(seconds))"
    case .blocks(let seconds):
      weight = .stop
      answer = "Not at a busy time: others wait for \(estimateText(seconds))"
    case .notKnown:
      weight = .care
      answer = "Not known how long others wait"
    }
  }

  private static func sentence(about report: PlanReport) -> String {
    switch report.forecast.verdict {
    case .safe: "Nobody waits for a table for more than about a second."
    case .brief, .blocks: "Whoever uses the tables named below waits for them as long."
    case .notKnown:
      report.origin == nil
        ? "Nobody knows how large the tables are."
        : "Nobody knows how large a table is that others would wait for."
    }
  }
}
