import RemodelKit

extension PlanPage {
  /// Returns the statements of a step, grouped by their purpose and their transactions.
  func statements(of step: MigrationStep, _ index: Int) -> Markup {
    guard report.forecast.steps.indices.contains(index) else { return "" }
    var result = Markup()
    var phase: MigrationPhase?
    for group in StatementGroup.groups(of: step, report.forecast.steps[index]) {
      if group.phase != phase {
        phase = group.phase
        result += "<h3>\(title(of: group.phase, step))</h3>\n"
      }
      let articles = group.members.map { article($0, Position(step: index, number: $0.number)) }
      result += """
        <div class="group"><h4>\(group.title ?? "For the step as a whole")</h4>
        \(articles)</div>

        """
    }
    return result
  }

  private func title(of phase: MigrationPhase, _ step: MigrationStep) -> String {
    switch phase {
    case .copy: "Copied, in transactions of their own"
    case .switch: step.isCopyJob ? "At the end, in one transaction" : "What runs"
    case .now: "Afterwards, before migrate ends"
    case .deferred: "Later, by finish"
    }
  }

  private func article(_ member: StatementGroup.Member, _ position: Position) -> Markup {
    let hazards = member.forecast.hazards.map { "<li>\(Self.chip($0))</li>" as Markup }
    let chips: Markup =
      hazards.isEmpty ? "" : "<ul class=\"chips\" aria-label=\"Hazards\">\(hazards)</ul>"
    let identifier = position.identifier
    return """
      <article class="statement" id="\(identifier)" aria-labelledby="\(identifier)-title">
      <div class="head"><h5 id="\(identifier)-title"><span class="number">\(member.number)</span> \
      \(member.statement.reason.shownInLine)</h5>\(chips)</div>
      \(Self.code(ReadableSQL(member.statement.sql.text).text))
      \(breakages(of: member.statement))\(impact(of: member, position))</article>

      """
  }

  private func breakages(of statement: PlannedStatement) -> Markup {
    guard !statement.breakages.isEmpty else { return "" }
    let items = statement.breakages.map { "<li>\($0.description)</li>" as Markup }
    return """
      <div class="note warning"><p>A release that still runs on the previous version:</p>\
      <ul>\(items)</ul></div>

      """
  }

  private func impact(of member: StatementGroup.Member, _ position: Position) -> Markup {
    let statement = member.statement
    let locks = statement.impact.locks.sorted { $0.key < $1.key }
      .map { "\(Self.lock($0.value)) <span class=\"name\">\($0.key.name)</span>" as Markup }
    let facts: [(term: String, description: Markup)] = [
      ("Locks", locks.joined(separator: "<br/>")),
      ("Rewrites", list(statement.impact.rewrites)),
      ("Reads whole", list(statement.impact.scans)),
      ("Takes", Self.cost(of: member.forecast)),
      ("Lost", member.forecast.rowsAtRisk.map { "\($0.text)" } ?? ""),
      ("Unknown", statement.hasUnknownEffect ? "the effect of this SQL is unknown" : ""),
      ("Policy", statement.rowPolicy.map { "<code>\($0.policyClassName)</code>" } ?? ""),
      ("Rehearsed", rehearsal(of: statement, position)),
    ]
    let items = facts.filter { !$0.description.isEmpty }
      .map { "<div><dt>\($0.term)</dt><dd>\($0.description)</dd></div>" as Markup }
    return items.isEmpty ? "" : "<dl class=\"impact\">\(items)</dl>\n"
  }

  private func list(_ tables: Set<SQLIdentifier>) -> Markup {
    tables.sorted().map(sized).joined(separator: "<br/>")
  }

  private func sized(_ table: SQLIdentifier) -> Markup {
    guard let size = report.sizes[table.name] else {
      return "<span class=\"name\">\(table.name)</span>"
    }
    let text = "about \(Self.grouped(size.rows, "row")), \(byteCount(size.bytes))"
    return "<span class=\"name\">\(table.name)</span> <span class=\"dim\">\(text)</span>"
  }

  /// Returns the name of a hazard, marked by how grave it is.
  static func chip(_ hazard: Hazard) -> Markup {
    let classes: Markup =
      switch hazard {
      case .deletesData, .blocksReads: "chip grave"
      case .rewritesTable, .scansTable, .blocksWrites, .failsOnData, .breaksPreviousRelease: "chip"
      }
    return "<span class=\"\(classes)\">\(hazard.rawValue)</span>"
  }
}
