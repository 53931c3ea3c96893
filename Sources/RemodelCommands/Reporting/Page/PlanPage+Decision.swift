import RemodelKit

extension PlanPage {
  /// The facts to decide on in full, each with links to the statements that cause it.
  var facts: Markup {
    guard !steps.isEmpty else { return "" }
    return "\(waits)\(losses)\(breakages)\(rowChecks)"
  }

  private func section(_ name: Markup, _ title: String, _ content: Markup) -> Markup {
    """
    <section id="\(name)" aria-labelledby="\(name)-title">
    <h2 id="\(name)-title">\(title)</h2>
    \(content)</section>

    """
  }

  /// Returns links to statements.
  func links(to statements: [StatementReference]) -> Markup {
    let shown = statements.prefix(5).map { reference -> Markup in
      let position = Position(reference)
      let step: Markup = steps.count > 1 ? " of step \(reference.step + 1)" : ""
      return "<a href=\"#\(position.identifier)\">statement \(position.number)\(step)</a>"
    }
    let rest: Markup = statements.count > 5 ? " and \(statements.count - 5) more" : ""
    return "\(shown.joined(separator: ", "))\(rest)"
  }

  // MARK: - Who waits

  private var waits: Markup {
    let title = PlanDecision.Heading.waits
    guard !decision.waits.isEmpty else {
      return section("waits", title, "<p>Nobody waits for longer than a moment.</p>\n\(locks)")
    }
    let rows = zip(decision.waits, decision.waitLines).map { wait, line -> Markup in
      let cause: Markup =
        line.statements.isEmpty
        ? "the check of rows" : links(to: line.statements)
      let rate: Markup =
        wait.rowsWrittenPerSecond.map { rate in
          rate >= 0.1 ? "\(String((rate * 10).rounded() / 10)) rows a second" : "next to nothing"
        } ?? "not known"
      return """
        <tr><th scope="row"><span class="name">\(wait.table.name.name)</span></th>\
        <td data-term="Readers wait">\(wait.readers.text)</td>\
        <td data-term="Writers wait">\(wait.writers.text)</td>\
        <td data-term="Most of it for">\(cause)</td>\
        <td data-term="Written on average">\(rate)</td></tr>

        """
    }
    return section(
      "waits",
      title,
      """
      <div class="waits"><table>
      <thead><tr><th scope="col">Table</th><th scope="col">Readers wait</th>\
      <th scope="col">Writers wait</th><th scope="col">Most of it for</th>\
      <th scope="col">Written on average</th></tr></thead>
      <tbody>\(rows)</tbody></table></div>
      \(locks)
      """
    )
  }

  /// The tables that are locked before all else.
  private var locks: Markup {
    steps.indices.map { index -> Markup in
      let tables = steps[index].lockedTables
      guard !tables.isEmpty else { return "" }
      let items = tables.map { table -> Markup in
        "<li>\(lock(table.mode)) <span class=\"name\">\(table.name.name.name)</span></li>"
      }
      let step: Markup = steps.count > 1 ? " of step \(index + 1)" : ""
      let transaction: Markup =
        steps[index].isCopyJob || steps[index].hasDeferredWork
        ? "The transaction\(step) that changes the version" : "The transaction\(step)"
      let title: Markup =
        "\(transaction) locks \(counted(tables.count, "table")) before all else, until it ends"
      guard tables.count > 12 else {
        return "<p>\(title):</p>\n<ul class=\"locks\">\(items)</ul>\n"
      }
      return "<details><summary>\(title)</summary>\n<ul class=\"locks\">\(items)</ul></details>\n"
    }
    .joined()
  }

  // MARK: - What is lost, and what breaks

  private var losses: Markup {
    let items = decision.lossLines.enumerated().map { number, line -> Markup in
      "<li class=\"note stop\" id=\"loss-\(number + 1)\"><p>\(line.text) <span class=\"cause\">(\(links(to: line.statements)))</span></p></li>\n"
    }
    let hint: Markup = decision.retainHint.map { "<p>\($0)</p>\n" } ?? ""
    let content: Markup =
      items.isEmpty
      ? "<p>Nothing is lost for good.</p>\n"
      : "<ul class=\"plain\">\n\(Self.folded(items))</ul>\n\(hint)"
    return section("losses", PlanDecision.Heading.losses, content)
  }

  private var breakages: Markup {
    let title = PlanDecision.Heading.breakages
    guard !decision.breakages.isEmpty else {
      return section(
        "breakages",
        title,
        """
        <p>What a release on the previous version runs by its model works as before. SQL that it, \
        views, reports or other programs have of their own is not known here.</p>

        """
      )
    }
    let items = zip(decision.breakages, decision.breakageLines).enumerated()
      .map { number, entry -> Markup in
        let (breakage, line) = entry
        // Other effects are described in the line.
        let change: Markup =
          breakage.failing.effect == .fails ? "<p>\(breakage.change.description)</p>" : ""
        return """
          <li class="note warning" id="breakage-\(number + 1)"><p>\(Self.text(line)) \
          <span class="cause">(\(links(to: line.statements)))</span></p>\(change)</li>

          """
      }
    return section(
      "breakages",
      title,
      """
      <p>Statements like these, of a release that still runs on the previous version:</p>
      <ul class="plain">
      \(Self.folded(items))</ul>

      """
    )
  }

  /// Long lists are shown in part: what is left out is with its statements.
  private static func folded(_ items: [Markup]) -> Markup {
    guard items.count > 200 else { return items.joined() }
    return items.prefix(200).joined()
      + "<li>and \(items.count - 200) more, each with its statement</li>\n"
  }

  // MARK: - Row checks

  private var rowChecks: Markup {
    let title = PlanDecision.Heading.rowChecks
    guard !decision.rowChecks.isEmpty else {
      return section("rows", title, "<p>The rows need not meet any condition.</p>\n")
    }
    let order: [PlanDecision.RowCheck.State] = [.violated, .notChecked, .met]
    let items = order.flatMap { state in decision.rowChecks.filter { $0.state == state } }
      .map(item)
    return section("rows", title, "<ul class=\"plain\">\n\(Self.folded(items))</ul>\n")
  }

  private func item(_ check: PlanDecision.RowCheck) -> Markup {
    let state: (name: Markup, text: String) =
      switch check.state {
      case .notChecked: ("unknown", "not checked")
      case .met: ("fine", "met")
      case .violated: ("stop", "\(Self.grouped(check.count ?? 0, "row")) in the way")
      }
    var more = Markup()
    if check.state == .violated {
      more += "<p>What to do: \(check.condition.remedy)</p>"
      if let note = check.countNote {
        more += "<p>The number counts \(note), not only the surplus ones.</p>"
      }
      if !check.exampleKeys.isEmpty { more += "<p>Keys: <code>\(check.keyText)</code></p>" }
      if let query = check.queryText { more += "<p>To see all of them:</p>\(code(query))" }
    }
    let cause: Markup =
      check.statements.isEmpty
      ? "" : " <span class=\"cause\">(\(links(to: check.statements)))</span>"
    return """
      <li class="note \(state.name)"><p><span class="badge \(state.name)">\(state.text)</span> \
      \(check.condition.requirement)\(cause)</p>\(more)\
      <details><summary>How the rows are asked<span class="hidden"> whether \
      \(check.condition.requirement)</span></summary>\(code(check.condition.query.text))</details></li>

      """
  }

  // MARK: - Afterwards

  /// What is retained, and what `revert` would do.
  var wayBack: Markup {
    let lines = decision.wayBackLines
    guard !lines.isEmpty else { return "" }
    let retained = decision.wayBack.retained
    let sentence: Markup = lines.first.map { "<p>\(Self.text($0))</p>\n" } ?? ""
    let kept = retained.prefix(200).map { "<li>\($0.object.summary)</li>\n" as Markup }
    let rest: Markup = retained.count > 200 ? "<li>and \(retained.count - 200) more</li>\n" : ""
    let call = CommandCall("cleanup")
    let cleanup = Markup(call, completed: decision.completing(call))
    let list: Markup =
      retained.isEmpty
      ? ""
      : "<p>Retained until \(cleanup):</p>\n<ul class=\"retained\">\n\(kept)\(rest)</ul>\n"
    let missing: Markup =
      decision.wayBack.missing.isEmpty
      ? "" : "<p>It does not bring back what is <a href=\"#losses\">lost for good</a>.</p>\n"
    return section("way-back", PlanDecision.Heading.wayBack, "\(sentence)\(list)\(missing)")
  }

  /// The calls that come next.
  var next: Markup {
    let lines = decision.nextLines
    guard !lines.isEmpty else { return "" }
    let items = lines.map { line -> Markup in
      line.code.isEmpty
        ? "<li><p>\(line.text)</p></li>\n"
        : """
        <li><p>This \(line.text):</p>
        <pre class="command"><code>\(line.code)</code></pre></li>

        """
    }
    return section(
      "next",
      PlanDecision.Heading.next,
      "<ul class=\"plain\">\n\(items)</ul>\n"
    )
  }

  // MARK: - Back from statements

  /// The sections that speak of each statement, by their names and titles.
  static func citations(
    in decision: PlanDecision
  ) -> [StatementReference: [(section: Markup, title: String)]] {
    var result: [StatementReference: [(section: Markup, title: String)]] = [:]
    func cite(_ statements: [StatementReference], _ section: Markup, _ title: String) {
      for statement in statements
      where result[statement]?.contains(where: { $0.title == title }) != true {
        result[statement, default: []].append((section, title))
      }
    }
    for wait in decision.waits {
      cite([wait.cause].compactMap(\.self), "waits", PlanDecision.Heading.waits)
    }
    for loss in decision.losses { cite([loss.statement], "losses", PlanDecision.Heading.losses) }
    for breakage in decision.breakages {
      cite([breakage.statement], "breakages", PlanDecision.Heading.breakages)
    }
    for check in decision.rowChecks {
      cite(check.statements, "rows", PlanDecision.Heading.rowChecks)
    }
    return result
  }
}
