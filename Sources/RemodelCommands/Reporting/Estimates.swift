import RemodelKit

/// Returns a number of seconds that is an estimate, as people say it.
func estimateText(_ seconds: Double) -> String {
  if seconds < 0.1 { return "less than 0.1 s" }
  if seconds < 9.95 { return "about \((seconds * 10).rounded() / 10) s" }
  if seconds < 120 { return "about \(Int(seconds.rounded())) s" }
  if seconds < 7200 { return "about \(Int((seconds / 60).rounded())) min" }
  return "about \(Int((seconds / 3600).rounded())) h"
}

extension BlockedTime {
  /// How long somebody waits, in words.
  var text: String {
    switch self {
    case .none: "not at all"
    case .about(let seconds): estimateText(seconds)
    case .notKnown: "not known"
    }
  }

  /// The milliseconds: zero where nobody waits, null where nobody knows.
  var json: JSONValue {
    switch self {
    case .none: 0
    case .about(let seconds): .milliseconds(seconds)
    case .notKnown: .null
    }
  }
}

extension RowsAtRisk {
  /// What is lost, in words.
  var text: String {
    switch self {
    case .about(let count): "values of up to \(counted(count, "row")), for good"
    case .notKnown: "values of all rows, for good"
    }
  }
}

extension JSONValue {
  /// A time in whole milliseconds, or null.
  static func milliseconds(_ seconds: Double?) -> JSONValue {
    .optional(seconds.map { Int(($0 * 1000).rounded(.up)) })
  }
}

extension PlanReport {
  /// The hazards of all statements with how often they come, in order.
  var hazardCounts: [(hazard: Hazard, count: Int)] {
    let all = forecast.steps.flatMap { $0.statements.flatMap(\.hazards) }
    return Hazard.allCases.sorted().compactMap { hazard in
      let count = all.count { $0 == hazard }
      return count > 0 ? (hazard, count) : nil
    }
  }

  /// Who waits longest for a table, and in which step: `for table "book", step to version "3"`.
  func place(of block: TableBlock) -> String {
    let step = zip(plan.steps, forecast.steps).first { $0.1.blocks.contains(block) }?.0
    let version = step.map { ", step to \(versionName($0.destination.name))" } ?? ""
    return "table \"\(block.table.name)\"\(plan.steps.count > 1 ? version : "")"
  }
}
