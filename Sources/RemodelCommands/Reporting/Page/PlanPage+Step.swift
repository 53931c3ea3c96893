import RemodelKit

extension PlanPage {
  /// Returns the section of a step: its preconditions, locks, statements and retained objects.
  func section(_ index: Int) -> Markup {
    let step = steps[index]
    let identifier: Markup = "details-\(index + 1)"
    let way = "\(versionName(step.source?.name)) to \(versionName(step.destination.name))"
    return """
      <section id="\(identifier)" aria-labelledby="\(identifier)-title">
      <h2 id="\(identifier)-title">\(steps.count == 1 ? "Details" : "Details of step \(index + 1): \(way)")</h2>
      \(preconditions(of: step))\(waits(in: index))\(lockedTables(of: step))\
      \(rehearsal(of: index))\(retained(by: step))</section>

      """
  }

  // MARK: - Preconditions

  private func preconditions(of step: MigrationStep) -> Markup {
    guard !step.preconditions.isEmpty else { return "" }
    return """
      <h3>Row checks</h3>
      <ul class="plain">
      \(step.preconditions.map(item))</ul>

      """
  }

  private func item(_ precondition: PlannedPrecondition) -> Markup {
    let finding = report.finding(of: precondition)
    let state: (name: Markup, text: String) =
      switch finding?.count {
      case nil: ("unknown", "not checked")
      case 0: ("fine", "holds")
      case let count?: ("stop", "\(Self.grouped(count, "row")) in the way")
      }
    var more = Markup()
    if finding?.isViolated ?? false {
      more += "<p>What to do: \(precondition.remedy)</p>"
      if let keys = finding?.sampleKeys { more += "<p>Keys: <code>\(keys)</code></p>" }
    }
    return """
      <li class="note \(state.name)"><p><span class="badge \(state.name)">\(state.text)</span> \
      \(precondition.requirement)</p>\(more)\
      <details><summary>How the rows are asked</summary>\(code(precondition.query.text))</details></li>

      """
  }

  // MARK: - Locks

  private func lockedTables(of step: MigrationStep) -> Markup {
    guard !step.lockedTables.isEmpty else { return "" }
    let items = step.lockedTables.map { table -> Markup in
      "<li>\(Self.lock(table.mode)) <span class=\"name\">\(table.name.name.name)</span></li>"
    }
    return """
      <h3>Locked before all else, until the transaction ends</h3>
      <ul class="locks">\(items)</ul>

      """
  }

  /// Returns the name of a lock, marked by its strength.
  static func lock(_ mode: LockMode) -> Markup {
    let kind: Markup =
      mode == .accessExclusive ? "readers" : mode >= .share ? "writers" : "nobody"
    return "<span class=\"lock \(kind)\">\(mode.name)</span>"
  }

  // MARK: - Retained

  private func retained(by step: MigrationStep) -> Markup {
    guard !step.retained.isEmpty else { return "" }
    return """
      <h3>Kept although the version does not have it</h3>
      <ul class="changes">
      \(step.retained.map { "<li>\($0.summary)</li>\n" as Markup })</ul>

      """
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
      <div class="table" tabindex="0"><table>
      <thead><tr>\(columns.map { "<th scope=\"col\">\($0)</th>" as Markup })</tr></thead>
      <tbody>\(body)</tbody></table></div>

      """
  }

  // MARK: - Forecast

  /// Where a statement is in the plan.
  struct Position: Hashable {
    /// The step, from zero.
    let step: Int
    /// The number among all statements of the step, from 1 on.
    let number: Int

    /// What names the statement in the page.
    var identifier: Markup { "statement-\(step + 1)-\(number)" }
  }

  /// Returns who waits for which table in a step, where that is longer than a moment.
  private func waits(in index: Int) -> Markup {
    guard report.forecast.steps.indices.contains(index) else { return "" }
    let noticed = report.forecast.steps[index].noticedBlocks
    guard !noticed.isEmpty else { return "" }
    let rows: [(SQLIdentifier, [Markup])] = noticed.map { block in
      (
        block.table.name,
        ["\(block.readers.text)", "\(block.writers.text)", link(toLongestOf: block, in: index)]
      )
    }
    return """
      <h3>For how long others wait</h3>
      \(Self.table(["Table", "Readers", "Writers", "Most of it"], rows))
      """
  }

  /// Returns a link to the statement that others wait for longest.
  func link(toLongestOf block: TableBlock, in index: Int) -> Markup {
    guard let statement = block.longestStatement else { return "" }
    let position = Position(step: index, number: statement + 1)
    return "<a href=\"#\(position.identifier)\">statement \(position.number)</a>"
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
      <h3>Rehearsed \(place)</h3>
      <p>\(facts.joined(separator: ", ")).</p>
      \(holds(of: step))
      """
  }

  private func holds(of step: RehearsedStep) -> Markup {
    let holds = step.noticedHolds
    guard !holds.isEmpty else { return "" }
    return Self.table(
      ["Table", "Lock", "Held for"],
      holds.map { ($0.table.name, [Self.lock($0.mode), "\($0.duration.brief)"]) }
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
