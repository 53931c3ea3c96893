import RemodelKit

extension PlanPage {
  /// Returns the measurements of a rehearsed step.
  func rehearsal(of index: Int) -> Markup {
    guard let rehearsal = report.rehearsal, rehearsal.steps.indices.contains(index) else {
      return ""
    }
    let step = rehearsal.steps[index]
    let place =
      switch rehearsal.rehearsal {
      case .live: "in the database itself, and undone"
      case .apart: "on a throwaway PostgreSQL \(rehearsal.serverVersion / 10_000)"
      }
    var facts = [step.duration.brief]
    if let rows = rehearsal.rowCount { facts.append(counted(rows, "row")) }
    if let bytes = step.logBytes { facts.append("log \(byteCount(bytes))") }
    if let bytes = step.diskBytes { facts.append("\(byteCount(bytes)) of disk") }
    return """
      <h3>Rehearsed \(place)</h3>
      <p>\(facts.joined(separator: ", ")).</p>
      \(holds(of: step))
      """
  }

  private func holds(of step: RehearsedStep) -> Markup {
    let holds = step.holds.filter { $0.mode > .accessShare }
    guard !holds.isEmpty else { return "" }
    let rows = holds.map { hold -> Markup in
      """
      <tr><th scope="row"><span class="name">\(hold.table.name.name)</span></th>\
      <td>\(Self.lock(hold.mode))</td><td>\(hold.duration.brief)</td></tr>

      """
    }
    return """
      <div class="table" tabindex="0"><table>
      <thead><tr><th scope="col">Table</th><th scope="col">Lock</th>\
      <th scope="col">Held for</th></tr></thead>
      <tbody>\(rows)</tbody></table></div>

      """
  }

  /// Returns the measurements of a statement, next to its forecast.
  func rehearsal(of statement: PlannedStatement, _ position: Position) -> Markup {
    guard let steps = report.rehearsal?.steps, steps.indices.contains(position.step) else {
      return ""
    }
    let statements = steps[position.step].statements
    guard let measured = statements.first(where: { $0.statement.sql == statement.sql }) else {
      return ""
    }
    guard let comparison = measured.comparison else { return "\(measured.duration.brief)" }
    let differences = comparison.differences.map { "<br/>\($0.sentence)" as Markup }
    return "\(measured.duration.brief), \(comparison.summary)\(differences)"
  }
}
