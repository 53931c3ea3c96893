import RemodelKit

extension PlanReport {
  /// Returns what there is to know of a statement besides its text.
  func facts(of member: StatementGroup.Member) -> [(label: String, text: String)] {
    let impact = member.statement.impact
    var facts: [(label: String, text: String)] = []
    let locks = impact.locks.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.name)" }
    if !locks.isEmpty { facts.append(("locks", locks.joined(separator: ", "))) }
    for (label, tables) in [("rewrites", impact.rewrites), ("scans", impact.scans)]
    where !tables.isEmpty {
      facts.append((label, tables.sorted().map(described).joined(separator: ", ")))
    }
    if let cost = member.forecast.costText { facts.append(("takes", cost)) }
    if !member.forecast.hazards.isEmpty {
      let hazards = member.forecast.hazards.map(\.rawValue)
      facts.append(("hazards", hazards.joined(separator: ", ")))
    }
    if let rows = member.forecast.rowsAtRisk { facts.append(("at risk", rows.text)) }
    if member.statement.hasUnknownEffect {
      facts.append(("unknown", "what this SQL does is not known"))
    }
    for breakage in member.statement.breakages {
      facts.append(("breaks", "the previous release: \(breakage)"))
    }
    return facts
  }

  private func described(_ table: SQLIdentifier) -> String {
    guard let size = sizes[table.name] else { return table.name }
    return "\(table) (about \(counted(size.rows, "row")), \(byteCount(size.bytes)))"
  }
}

extension StatementForecast {
  /// What a statement takes, in a line; none if that is next to nothing.
  fileprivate var costText: String? {
    guard let seconds, let rows, let writtenBytes, let logBytes else {
      return "not known without the size of the table"
    }
    guard seconds >= 0.05 else { return nil }
    let written = writtenBytes > 0 ? ", writes \(byteCount(writtenBytes))" : ""
    return "\(estimateText(seconds)): goes through \(counted(rows, "row"))\(written), "
      + "log \(byteCount(logBytes))"
  }
}
