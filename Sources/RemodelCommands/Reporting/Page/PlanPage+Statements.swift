import RemodelKit

extension PlanPage {
  /// Returns the statements of a step in the transactions that they run in.
  func statements(of step: MigrationStep, _ index: Int) -> Markup {
    let groups: [(title: String, statements: [PlannedStatement])] = [
      ("Copied, in transactions of their own", step.copyStatements),
      (step.isCopyJob ? "At the end, in one transaction" : "Statements", step.statements),
      ("Afterwards, in transactions of their own", step.settlingStatements),
    ]
    var result = Markup()
    var number = 0
    for group in groups where !group.statements.isEmpty {
      let isOnlyOne = group.statements.count == step.statements.count && !step.isCopyJob
      result += "<h3>\(isOnlyOne ? "What runs" : group.title)</h3>\n"
      for statement in group.statements {
        number += 1
        result += article(
          statement,
          "statement-\(index + 1)-\(number)",
          number,
          StatementPlace(step: index, statement: number - 1)
        )
      }
    }
    return result
  }

  private func article(
    _ statement: PlannedStatement,
    _ identifier: String,
    _ number: Int,
    _ place: StatementPlace
  ) -> Markup {
    let hazards = hazards(of: statement, place)
    let chips: Markup =
      hazards.isEmpty
      ? ""
      : "<ul class=\"chips\" aria-label=\"Hazards\">\(hazards.map { "<li>\(Self.chip($0))</li>" as Markup })</ul>"
    return """
      <article class="statement" id="\(identifier)" aria-labelledby="\(identifier)-title">
      <div class="head"><h4 id="\(identifier)-title"><span class="number">\(number)</span> \
      \(statement.reason)</h4>\(chips)</div>
      \(Self.code(statement.sql.text))
      \(impact(of: statement, place))</article>

      """
  }

  private func impact(of statement: PlannedStatement, _ place: StatementPlace) -> Markup {
    var facts: [(term: String, description: Markup)] = []
    let locks = statement.impact.locks.sorted { $0.key < $1.key }
    if !locks.isEmpty {
      let items = locks.map { table, mode -> Markup in
        "\(Self.lock(mode)) <span class=\"name\">\(table.name)</span>"
      }
      facts.append(("Locks", items.joined(separator: "<br/>")))
    }
    for (term, tables) in [
      ("Writes anew", statement.impact.rewrites), ("Reads whole", statement.impact.scans),
    ] where !tables.isEmpty {
      facts.append((term, tables.sorted().map(sized).joined(separator: "<br/>")))
    }
    if let passage = statement.passage {
      facts.append(("Policy", "<code>\(passage.policyClassName)</code>"))
    }
    facts += estimates(of: statement, place)
    guard !facts.isEmpty else { return "" }
    let items = facts.map { fact -> Markup in
      "<div><dt>\(fact.term)</dt><dd>\(fact.description)</dd></div>"
    }
    return "<dl class=\"impact\">\(items)</dl>\n"
  }

  private func sized(_ table: SQLIdentifier) -> Markup {
    guard let size = report.sizes[table.name] else {
      return "<span class=\"name\">\(table.name)</span>"
    }
    let text = "about \(counted(size.rows, "row")), \(byteCount(size.bytes))"
    return "<span class=\"name\">\(table.name)</span> <span class=\"dim\">\(text)</span>"
  }

  static func chip(_ hazard: Hazard) -> Markup {
    let isGrave: Markup =
      switch hazard {
      case .deletesData, .blocksReads: "chip grave"
      case .rewritesTable, .scansTable, .blocksWrites, .failsOnData, .breaksPreviousRelease: "chip"
      }
    return "<span class=\"\(isGrave)\">\(hazard.rawValue)</span>"
  }
}
