import RemodelKit

extension PlanPage {
  /// The place of a statement in the plan.
  struct StatementPlace: Hashable {
    /// The step, from zero.
    let step: Int
    /// The place among all statements of the step, from zero.
    let statement: Int
  }

  /// Returns what a statement costs.
  func forecast(of place: StatementPlace) -> StatementForecast? {
    guard report.forecast.steps.indices.contains(place.step) else { return nil }
    let statements = report.forecast.steps[place.step].statements
    return statements.indices.contains(place.statement) ? statements[place.statement] : nil
  }

  /// Returns what may hurt about a statement: what takes no time to speak of does not.
  func hazards(of statement: PlannedStatement, _ place: StatementPlace) -> [Hazard] {
    forecast(of: place)?.hazards ?? statement.impact.allHazards
  }

  /// How many statements have each hazard.
  var hazardCounts: [(hazard: Hazard, count: Int)] {
    var counts: [Hazard: Int] = [:]
    for (index, step) in steps.enumerated() {
      for (position, statement) in step.allStatements.enumerated() {
        let place = StatementPlace(step: index, statement: position)
        for hazard in hazards(of: statement, place) { counts[hazard, default: 0] += 1 }
      }
    }
    return counts.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// Returns what a statement takes, where that is more than a moment.
  func estimates(
    of statement: PlannedStatement,
    _ place: StatementPlace
  ) -> [(term: String, description: Markup)] {
    guard let forecast = forecast(of: place) else { return [] }
    guard let seconds = forecast.seconds else {
      return [("Takes", "<span class=\"dim\">not known</span>")]
    }
    let amounts: [(name: String, bytes: Int?)] = [
      ("writes", forecast.writtenBytes), ("log", forecast.logBytes),
    ]
    guard forecast.rows ?? 0 > 0 || forecast.writtenBytes ?? 0 > 0 else { return [] }
    var parts: [String] = []
    if let rows = forecast.rows, rows > 0 { parts.append(counted(rows, "row")) }
    for (name, bytes) in amounts {
      if let bytes, bytes > 0 { parts.append("\(name) \(byteCount(bytes))") }
    }
    return [
      (
        "Takes",
        "about \(Duration.seconds(seconds).brief) <span class=\"dim\">\(parts.joined(separator: ", "))</span>"
      )
    ]
  }

  /// Returns for how long somebody waits, in a word.
  static func text(of time: BlockedTime) -> String {
    switch time {
    case .none: "not at all"
    case .about(let seconds): "about \(Duration.seconds(seconds).brief)"
    case .notKnown: "not known"
    }
  }
}
