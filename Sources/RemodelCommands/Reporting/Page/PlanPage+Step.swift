import RemodelKit

extension PlanPage {
  /// Where a statement is in the plan.
  struct Position: Hashable {
    /// The step, from zero.
    let step: Int
    /// The number among all statements of the step, from 1 on.
    let number: Int

    init(step: Int, number: Int) {
      self.step = step
      self.number = number
    }

    init(_ reference: StatementReference) {
      self.init(step: reference.step, number: reference.statement + 1)
    }

    /// What names the statement in the page.
    var identifier: Markup { "statement-\(step + 1)-\(number)" }
  }

  /// Whether others wait for long enough that the verdict says so.
  var isWaitDecisive: Bool { decision.verdict.findings.contains(where: \.isAboutWaiting) }

  /// Returns the name of a lock, marked by its strength where others wait for long.
  func lock(_ mode: LockMode) -> Markup {
    let kind: Markup =
      !isWaitDecisive
      ? "nobody" : mode == .accessExclusive ? "readers" : mode >= .share ? "writers" : "nobody"
    return "<span class=\"lock \(kind)\">\(mode.name)</span>"
  }

  /// Returns a table of what is known of tables.
  private static func table(
    _ columns: [String],
    _ rows: [(SQLIdentifier, [Markup])]
  ) -> Markup {
    let body = rows.map { table, cells -> Markup in
      """
      <tr><th scope="row"><span class="name">\(table.name)</span></th>\
      \(cells.map { "<td>\($0)</td>" as Markup })</tr>

      """
    }
    return """
      <div class="table"><table>
      <thead><tr>\(columns.map { "<th scope=\"col\">\($0)</th>" as Markup })</tr></thead>
      <tbody>\(body)</tbody></table></div>

      """
  }

  /// Returns what a statement takes, where that is more than a moment.
  static func cost(of forecast: StatementForecast) -> Markup {
    guard let seconds = forecast.seconds else {
      return "<span class=\"dim\">not known</span>"
    }
    guard seconds >= 0.05 else { return "" }
    var parts: [String] = []
    if let rows = forecast.rows, rows > 0 { parts.append("reads \(grouped(rows, "row"))") }
    for (name, bytes) in [("writes", forecast.writtenBytes), ("log", forecast.logBytes)] {
      if let bytes, bytes > 0 { parts.append("\(name) \(byteCount(bytes))") }
    }
    return """
      \(estimateText(seconds)) <span class="dim">\(parts.joined(separator: ", "))</span>
      """
  }

  /// Returns a number with its noun, its digits in groups of three.
  static func grouped(_ count: Int, _ noun: String, plural: String? = nil) -> String {
    let digits = Array(String(abs(count)))
    var text = count < 0 ? "-" : ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index).isMultiple(of: 3) { text += "," }
      text.append(digit)
    }
    return "\(text) \(count == 1 ? noun : plural ?? noun + "s")"
  }

  // MARK: - Rehearsal

  /// What was measured where the plan was carried out for trial.
  var rehearsed: Markup {
    guard report.rehearsal != nil else { return "" }
    return """
      <section id="rehearsal" aria-labelledby="rehearsal-title">
      <h2 id="rehearsal-title">Rehearsal</h2>
      \(steps.indices.map(rehearsal))</section>

      """
  }

  /// Returns what was measured of a step where it was carried out for trial.
  private func rehearsal(of index: Int) -> Markup {
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
      <h3>\(steps.count > 1 ? "Step \(index + 1), rehearsed" : "Rehearsed") \(place)</h3>
      <p>\(facts.joined(separator: ", ")).</p>
      \(holds(of: step))
      """
  }

  private func holds(of step: RehearsedStep) -> Markup {
    let holds = step.noticedHolds
    guard !holds.isEmpty else { return "" }
    return Self.table(
      ["Table", "Lock", "Held for"],
      holds.map { ($0.table.name, [lock($0.mode), "\($0.duration.brief)"]) }
    )
  }

  /// Returns what was measured of a statement, next to what was foretold.
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
