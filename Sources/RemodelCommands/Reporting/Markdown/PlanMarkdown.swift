import RemodelKit

extension OutputFormat {
  /// GitHub's Markdown, for pull requests.
  static let markdown = OutputFormat(
    "markdown",
    suffixes: [".md", ".markdown"],
    of: PlanReport.self
  ) { $0.markdown.shown }
}

extension PlanReport {
  /// The plan for a pull request: a summary, and collapsed statements.
  fileprivate var markdown: String {
    var parts: [MarkdownText] = [title]
    guard !plan.steps.isEmpty else {
      return "\(title.text)\n\nNothing to do.\n"
    }
    parts += [summaryTable] + decisionLists + warningList
    for (index, step) in plan.steps.enumerated() {
      parts.append(section(of: step, forecast.steps[index], number: index + 1))
    }
    parts += diagram
    return parts.map(\.text).joined(separator: "\n\n") + "\n"
  }

  private var title: MarkdownText {
    "### Migration of schema \(code: plan.schema.name): \(plain: versionName(source?.name)) → \(plain: versionName(target.name))"
  }

  private var summaryTable: MarkdownText {
    var rows: [MarkdownText] = ["| | |\n| --- | --- |"]
    var last = ""
    for line in figures {
      // A line without a label continues the previous one.
      last = line.label.isEmpty ? last : line.label
      rows.append("| \(plain: last) | \(plain: line.text) |")
    }
    if let origin { rows.append("| database | \(plain: origin.text) |") }
    rows.append("| digest | \(code: plan.digest) |")
    return rows.joined("\n")
  }

  /// The lists to decide by, those that are empty left out.
  private var decisionLists: [MarkdownText] {
    let decision = decision
    var rows: [MarkdownText] = []
    for check in decision.rowsInTheWay.prefix(PlanDecision.shownCount) {
      let place = decision.place(of: check.statements)
      rows.append(
        "- \(code: check.text)\(plain: place.isEmpty ? "" : " (\(place))"). \(plain: check.condition.remedy)"
      )
      if let query = check.queryText { rows.append("  \(code: query)") }
    }
    let more = decision.rowsInTheWay.count - PlanDecision.shownCount
    if more > 0 { rows.append("- and \(more) more") }
    let lists: [(String, [MarkdownText])] = [
      (PlanDecision.Heading.waits, items(decision.waitLines, decision)),
      (
        PlanDecision.Heading.losses,
        items(decision.lossLines, decision)
          + (decision.retainHint.map { ["- \(plain: $0)"] } ?? [])
      ),
      (PlanDecision.Heading.breakages, items(decision.distinctBreakageLines, decision)),
      (PlanDecision.Heading.rows, rows),
      (PlanDecision.Heading.wayBack, items(decision.wayBackLines, decision)),
      (PlanDecision.Heading.next, items(decision.nextLines, decision)),
    ]
    return lists.filter { !$0.1.isEmpty }
      .map { (["**\(plain: $0.0)**\n"] + $0.1).joined("\n") }
  }

  private func items(_ lines: [DecisionLine], _ decision: PlanDecision) -> [MarkdownText] {
    var items = lines.prefix(PlanDecision.shownCount).map { line -> MarkdownText in
      let place = decision.place(of: line.statements)
      let code: MarkdownText = line.code.isEmpty ? "" : "\(code: line.code) "
      return "- \(code)\(plain: line.text)\(plain: place.isEmpty ? "" : " (\(place))")"
    }
    if lines.count > PlanDecision.shownCount {
      items.append("- and \(lines.count - PlanDecision.shownCount) more")
    }
    return items
  }

  private var warningList: [MarkdownText] {
    warnings.map { "> **Warning:** \(plain: $0.message)" }
  }

  private func section(
    of step: MigrationStep,
    _ forecast: StepForecast,
    number: Int
  ) -> MarkdownText {
    let groups = StatementGroup.groups(of: step, forecast, intents(of: step))
    let count = counted(step.statementCount, "statement")
    var parts: [MarkdownText] = [
      "<details><summary>Step \(number): \(plain: versionName(step.source?.name)) → \(plain: versionName(step.destination.name)), \(plain: count)</summary>"
    ]
    for group in groups {
      parts.append("**\(plain: group.title(arrow: "→"))**")
      for member in group.members { parts += statement(member, of: step) }
    }
    for retained in step.retained { parts.append("Retained: \(code: retained.summary)") }
    return (parts + ["</details>"]).joined("\n\n")
  }

  private func statement(
    _ member: StatementGroup.Member,
    of step: MigrationStep
  ) -> [MarkdownText] {
    var parts: [MarkdownText] = [
      "\(member.number)\\. \(code: member.statement.reason)",
      MarkdownText.block(ReadableSQL(member.statement.sql.text).text, language: "sql"),
    ]
    let facts = facts(of: member, in: step).map {
      "- \(plain: $0.label): \(code: $0.text)" as MarkdownText
    }
    if !facts.isEmpty { parts.append(facts.joined("\n")) }
    return parts
  }

  /// The entities afterwards, where that is still a picture to look at.
  private var diagram: [MarkdownText] {
    guard let model = plan.steps.last?.destination.projection.model, model.entities.count <= 12
    else { return [] }
    var text = EntityDiagram(of: model).mermaid
    while text.last == "\n" { text.removeLast() }
    guard text.utf8.count <= 6000 else { return [] }
    return [
      "<details><summary>Entities afterwards</summary>", .block(text, language: "mermaid"),
      "</details>",
    ]
  }
}

extension [MarkdownText] {
  /// Returns the texts one after the other.
  fileprivate func joined(_ separator: MarkdownText) -> MarkdownText {
    dropFirst().reduce(first ?? "") { "\($0)\(separator)\($1)" }
  }
}
