import RemodelKit

extension PlanPage {
  /// More statements than this are shown without colours, so that the page stays small.
  static let colouredCount = 800

  /// What each step changes for people, with the folded statements that do it.
  var changes: Markup {
    guard !steps.isEmpty else { return "" }
    return """
      <section id="changes" aria-labelledby="changes-title">
      <h2 id="changes-title">What changes</h2>
      \(steps.indices.map(step))</section>

      """
  }

  private func step(_ index: Int) -> Markup {
    let step = steps[index]
    let intents = intents[index]
    let way = "\(versionName(step.source?.name)) to \(versionName(step.destination.name))"
    let title: Markup =
      steps.count == 1
      ? ""
      : "<h3 class=\"step\" id=\"step-\(index + 1)\">Step \(index + 1) of \(steps.count): \(way)</h3>\n"
    return """
      \(title)<p>\(work(of: step))</p>
      \(intents.intents.map { intent($0, index) })
      """
  }

  private func work(of step: MigrationStep) -> String {
    guard !step.isMetadataOnly else { return "Only the metadata changes." }
    var sentence = counted(step.statementCount, "statement")
    if step.isCopyJob {
      sentence +=
        step.strategy == .filled
        ? " in many transactions, which fill columns in place."
        : " in many transactions, by strategy \(step.strategy.rawValue)."
      sentence +=
        " \(PlanDecision.beforeSwitch) A run that is stopped is continued by the same call."
    } else if step.hasDeferredWork {
      sentence += ": one transaction changes the version, the others run beside the service."
    } else if step.isInParts {
      sentence += " in \(counted(step.transactions.count, "transaction"))."
    } else {
      sentence += " in one transaction: all of it happens, or nothing."
    }
    if let choice = step.choice { sentence += " Chosen since \(choice.sentence)." }
    if !step.passedVersions.isEmpty {
      let names = step.passedVersions.map { "\"\($0)\"" }.joined(separator: ", ")
      sentence += " It leads over \(names) at once."
    }
    return sentence
  }

  // MARK: - Intents

  private func intent(_ intent: StepIntents.Intent, _ index: Int) -> Markup {
    let items = intent.items(arrow: "→").map(Self.item)
    let list: Markup = items.isEmpty ? "" : "<ul class=\"changes\">\n\(items)</ul>\n"
    let rows: Markup = intent.rowText.map { "<span class=\"rows\">\($0)</span>" } ?? ""
    let title = intent.headline(arrow: "→") ?? "What several entities need"
    // Where no change of the entity tells, its statements do.
    let purposes: Markup =
      intent.entityName == nil || intent.work == .adapted ? purposes(of: intent, index) : ""
    let level: Markup = steps.count == 1 ? "h3" : "h4"
    return """
      <div class="intent \(intent.work.mark)">
      <\(level)>\(title)\(rows)</\(level)>
      \(list)\(purposes)\(statements(for: intent, index))</div>

      """
  }

  /// Returns what the statements of an intent are for, in a sentence.
  private func purposes(of intent: StepIntents.Intent, _ index: Int) -> Markup {
    let statements = steps[index].allStatements
    var reasons: [String] = []
    for number in intent.statements where statements.indices.contains(number) {
      let reason = statements[number].reason
      if !reasons.contains(reason) { reasons.append(reason) }
      guard reasons.count <= 3 else { break }
    }
    guard !reasons.isEmpty else { return "" }
    let text = reasons.prefix(3).joined(separator: "; ") + (reasons.count > 3 ? "; …" : "")
    return "<p>To be done: \(text.shownInLine)</p>\n"
  }

  private static func item(_ item: StepIntents.Intent.Item) -> Markup {
    let sign = (item.change?.kind ?? .typeChanged).sign
    let labels = item.change?.changedLabels.map(Self.labels) ?? ""
    return """
      <li class="\(sign.name)"><span class="sign" aria-hidden="true">\(sign.text)</span>\
      <span>\(item.text)\(labels)</span></li>

      """
  }

  private static func labels(_ labels: ModelChange.ChangedLabels) -> Markup {
    labels.added.map { " <ins class=\"label\">+ \($0)</ins>" as Markup }.joined()
      + labels.removed.map { " <del class=\"label\">− \($0)</del>" as Markup }.joined()
  }

  private func statements(for intent: StepIntents.Intent, _ index: Int) -> Markup {
    guard !intent.statements.isEmpty else { return "" }
    let step = steps[index]
    let all = step.allStatements
    let forecast = report.forecast.steps[index]
    let members = intent.statements.filter(forecast.statements.indices.contains).map {
      StatementGroup.Member(number: $0 + 1, statement: all[$0], forecast: forecast.statements[$0])
    }
    var parts = Markup()
    var last: [StatementGroup.Member] = []
    var phase: MigrationPhase?
    let showsPhases = all.contains { $0.phase != all[0].phase }
    func flush() {
      guard let first = last.first else { return }
      if showsPhases, first.statement.phase != phase {
        phase = first.statement.phase
        parts += "<p class=\"phase\">\(title(of: first.statement.phase, step))</p>\n"
      }
      parts += article(last, step: index)
      last = []
    }
    for member in members {
      if let first = last.first, !isAlike(first, member) { flush() }
      last.append(member)
    }
    flush()
    return """
      <details class="statements"><summary>\(counted(members.count, "statement"))\
      <span class="hidden"> for \(intent.entityName ?? "several entities")</span></summary>
      \(parts)</details>

      """
  }

  private func title(of phase: MigrationPhase, _ step: MigrationStep) -> String {
    switch phase {
    case .copy: "Before the switch, in transactions of their own"
    case .switch: step.isCopyJob ? "The switch, in one transaction" : "In one transaction"
    case .now: "Afterwards, before migrate ends"
    case .deferred: "Later, by finish"
    }
  }

  /// Statements that follow one another for the same reason share a description.
  private func isAlike(
    _ first: StatementGroup.Member,
    _ second: StatementGroup.Member
  ) -> Bool {
    first.statement.reason == second.statement.reason
      && first.statement.impact == second.statement.impact
      && first.statement.phase == second.statement.phase
      && first.forecast.hazards.isEmpty && second.forecast.hazards.isEmpty
      && first.statement.breakages.isEmpty && second.statement.breakages.isEmpty
      && first.forecast.seconds ?? 1 < 0.05 && second.forecast.seconds ?? 1 < 0.05
      && report.rehearsal == nil && first.statement.rowPolicy == second.statement.rowPolicy
  }

  private func article(_ members: [StatementGroup.Member], step index: Int) -> Markup {
    guard let member = members.first, let last = members.last else { return "" }
    let hazards = member.forecast.hazards.map { "<li>\(chip($0))</li>" as Markup }
    let chips: Markup =
      hazards.isEmpty ? "" : "<ul class=\"chips\" aria-label=\"Hazards\">\(hazards)</ul>"
    let position = Position(step: index, number: member.number)
    let numbers: Markup =
      members.count == 1 ? "\(member.number)" : "\(member.number)–\(last.number)"
    let level: Markup = steps.count == 1 ? "h4" : "h5"
    let texts = members.map { member -> Markup in
      let text = ReadableSQL(member.statement.sql.text).text
      let identifier = Position(step: index, number: member.number).identifier
      guard members.count > 1 else { return code(text) }
      return "<div id=\"\(identifier)\">\(code(text))</div>\n"
    }
    let identifier: Markup = members.count == 1 ? " id=\"\(position.identifier)\"" : ""
    return """
      <article class="statement"\(identifier)>
      <div class="head"><\(level)><span class="number">\(numbers)</span> \
      \(member.statement.reason.shownInLine)</\(level)>\(chips)</div>
      \(texts)
      \(breakages(of: member.statement))\(impact(of: members, position))</article>

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

  /// Returns links back to what is said of statements.
  private func mentions(of members: [StatementGroup.Member], step index: Int) -> Markup {
    var links: [Markup] = []
    for member in members {
      let reference = StatementReference(step: index, statement: member.number - 1)
      for (section, title) in citations[reference] ?? [] {
        let link: Markup = "<a href=\"#\(section)\">\(title)</a>"
        if !links.contains(link) { links.append(link) }
      }
    }
    return links.joined(separator: ", ")
  }

  /// Returns SQL in a box of its own.
  func code(_ sql: String) -> Markup { Self.code(sql, isColoured: isColoured) }

  /// Returns SQL in a box of its own.
  static func code(_ sql: String, isColoured: Bool = true) -> Markup {
    let text: Markup = isColoured ? SQLToken.markup(sql) : "\(sql)"
    return "<pre><code>\(text)</code></pre>"
  }

  private func impact(of members: [StatementGroup.Member], _ position: Position) -> Markup {
    guard let member = members.first else { return "" }
    let statement = member.statement
    let locks = statement.impact.locks.sorted { $0.key < $1.key }
      .map { "\(lock($0.value)) <span class=\"name\">\($0.key.name)</span>" as Markup }
    let facts: [(term: String, description: Markup)] = [
      ("Locks", locks.joined(separator: "<br/>")),
      ("Rewrites", list(statement.impact.rewrites)),
      ("Reads whole", list(statement.impact.scans)),
      ("Takes", Self.cost(of: member.forecast)),
      ("Lost for good", lost(by: members, step: position.step)),
      ("Unknown", statement.hasUnknownEffect ? "the effect of this SQL is unknown" : ""),
      ("Policy", statement.rowPolicy.map { "<code>\($0.policyClassName)</code>" } ?? ""),
      ("Rehearsed", rehearsal(of: statement, position)),
      ("See", mentions(of: members, step: position.step)),
    ]
    let items = facts.filter { !$0.description.isEmpty }
      .map {
        "<li><span class=\"what\">\($0.term)</span> <span>\($0.description)</span></li>" as Markup
      }
    return items.isEmpty ? "" : "<ul class=\"impact\">\(items)</ul>\n"
  }

  private func lost(by members: [StatementGroup.Member], step index: Int) -> Markup {
    members.flatMap { member in
      lossesOfStatements[StatementReference(step: index, statement: member.number - 1)] ?? []
    }
    .map { "\($0.text)" as Markup }.joined(separator: "<br/>")
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

  /// Returns the name of a hazard, marked by how grave it is here: a lock is where others wait.
  func chip(_ hazard: Hazard) -> Markup {
    let classes: Markup =
      switch hazard {
      case .blocksReads where !isWaitDecisive: "chip"
      case .deletesData, .blocksReads: "chip grave"
      case .rewritesTable, .scansTable, .blocksWrites, .failsOnData, .breaksPreviousRelease: "chip"
      }
    return "<span class=\"\(classes)\">\(hazard.rawValue)</span>"
  }
}

extension StepIntents.Intent.Work {
  /// The class of the intent on the page.
  fileprivate var mark: Markup {
    switch self {
    case .added: "added"
    case .removed: "removed"
    case .rebuilt, .rewritten, .filled, .changed: "changed"
    case .adapted: "plain"
    }
  }
}
