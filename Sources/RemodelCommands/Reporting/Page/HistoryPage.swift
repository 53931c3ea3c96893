import RemodelKit

extension OutputFormat {
  /// The audit log as a page.
  static let historyPage = OutputFormat(
    "html",
    suffixes: [".html", ".htm"],
    of: HistoryReport.self
  ) {
    HistoryPage(report: $0).document.text
  }
}

/// The audit log as a page: one file without scripts and external resources.
struct HistoryPage {
  let report: HistoryReport

  /// So much of SQL is on a page, of the latest entries.
  static let sqlLimit = 4_000_000

  /// The latest first.
  private var entries: [HistoryEntry] { report.entries.reversed() }

  var document: Markup {
    let place = report.place.map { " of schema \"\($0.schema)\"" } ?? ""
    return PageDocument(
      title: "History\(place)",
      kind: "Audit log",
      heading: "History\(place.shownInLine)",
      skipLink: ("entries", "Skip to the entries"),
      style: PageFilter.rules(Outcome.allCases.map(\.name) + HistoryKind.allCases.map(\.name)),
      content: "\(summary)\(log)",
      footer: "<p>\(report.place.map(footer) ?? "")</p>\n"
    ).markup
  }

  // MARK: - Summary

  private var summary: Markup {
    """
    <section id="summary" aria-labelledby="summary-title">
    <h2 id="summary-title" class="hidden">Summary</h2>
    \(verdict.markup)\(facts)</section>

    """
  }

  private var verdict: PageVerdict {
    guard let last = entries.first else {
      return PageVerdict(weight: .plain, answer: "no migration has been run")
    }
    let weight: PageVerdict.Weight =
      switch Outcome(last) {
      case .succeeded: .fine
      case .failed: .stop
      case .started: .care
      }
    let error = last.error.map { ["\($0.lines.first ?? "")"] } ?? []
    return PageVerdict(
      weight: weight,
      answer: "last: \(last.title), \(Outcome(last).text)",
      reasons: ["by \(last.role), \(last.startedAt.readableTime ?? last.startedAt)"] + error
    )
  }

  private var facts: Markup {
    let place = report.place
    let facts: [(String, Markup)] = [
      ("Database", place.map { "<span class=\"name\">\($0.origin.database)</span>" } ?? ""),
      ("Schema", place.map { "<span class=\"name\">\($0.schema)</span>" } ?? ""),
      ("Entries", "\(entries.count)"),
      ("First", report.entries.first.map { Markup.time($0.startedAt) } ?? ""),
      ("Last", report.entries.last.map { Markup.time($0.startedAt) } ?? ""),
    ]
    let items = facts.filter { !$0.1.isEmpty }
      .map { "<dt>\($0.0)</dt><dd>\($0.1)</dd>\n" as Markup }
    return "<dl class=\"more\">\n\(items)</dl>\n"
  }

  private func footer(_ place: AuditLog.Place) -> Markup {
    "Read \(Markup.time(place.origin.time)) as <span class=\"name\">\(place.origin.role)</span>."
  }

  // MARK: - Entries

  private var log: Markup {
    guard !entries.isEmpty else { return "<div id=\"entries\"></div>\n" }
    let choices =
      Outcome.allCases.map { outcome in
        PageFilter.Choice(
          name: outcome.name,
          label: outcome.text.capitalised,
          count: entries.count { Outcome($0) == outcome }
        )
      }
      + HistoryKind.allCases.map { kind in
        PageFilter.Choice(
          name: kind.name,
          label: "\(kind.rawValue)s".capitalised,
          count: entries.count { $0.kind == kind }
        )
      }
    return """
      <section id="entries" aria-labelledby="entries-title">
      <h2 id="entries-title">Entries</h2>
      <span class="anchor" id="all"></span>\
      \(PageFilter(label: "Show only", choices: choices).markup(of: entries.count))
      <div class="kept">
      \(table)\(articles)</div>
      </section>

      """
  }

  private var table: Markup {
    let columns = [
      "Entry", "Outcome", "What", "From", "To", "Started", "Took", "By", "Approved by",
    ]
    let rows = entries.map { entry -> Markup in
      """
      <tr class="\(classes(of: entry))"><th scope="row"><a href="#entry-\(entry.id)">\(entry.id)</a></th>\
      <td>\(Outcome(entry).badge)</td><td>\(entry.kind.rawValue)</td>\
      <td>\(entry.source ?? "–")</td><td>\(entry.target)</td>\
      <td>\(Markup.time(entry.startedAt))</td><td class="short">\(entry.took)</td>\
      <td>\(entry.role)</td>\
      <td>\(entry.approval.map { $0.approvedBy ?? "somebody" } ?? "–")</td></tr>

      """
    }
    return """
      <div class="table" tabindex="0" role="region" aria-label="All entries"><table>
      <caption>All entries, the latest first</caption>
      <thead><tr>\(columns.map { "<th scope=\"col\">\($0)</th>" as Markup })</tr></thead>
      <tbody>
      \(rows)</tbody></table></div>

      """
  }

  private func classes(of entry: HistoryEntry) -> Markup {
    "part \(Outcome(entry).name) \(entry.kind.name)"
  }

  private var articles: Markup {
    var result = Markup()
    var shown: [String: Int?] = [:]
    var rest = Self.sqlLimit
    for entry in entries {
      result += article(entry, plan(of: entry, &shown, &rest))
    }
    return result
  }

  private func article(_ entry: HistoryEntry, _ plan: Markup) -> Markup {
    let title = "entry-\(entry.id)-title"
    let approval = entry.approval.map { approval -> Markup in
      let whose: Markup = approval.approvedBy.map { " by \($0)" } ?? ""
      return "as <code class=\"digest\">\(approval.planDigest)</code>\(whose)"
    }
    let took: Markup = entry.milliseconds == nil ? "" : ", \(entry.took)"
    let place: Markup =
      entry.client.map { "from <span class=\"name\">\($0)</span>" } ?? "from a local socket"
    let facts: [(String, Markup)] = [
      ("When", "\(Markup.time(entry.startedAt))\(took)"),
      ("Who", "<span class=\"name\">\(entry.role)</span> \(place)"),
      ("Application", entry.application.map { $0 == "remodel" ? "" : "\($0)" } ?? ""),
      ("Plan", "<code class=\"digest\">\(entry.planDigest)</code>"),
      ("Approved", approval ?? ""),
      ("Remodel", "\(entry.toolVersion)"),
    ]
    let items = facts.filter { !$0.1.isEmpty }
      .map { "<dt>\($0.0)</dt><dd>\($0.1)</dd>\n" as Markup }
    return """
      <article class="statement group \(classes(of: entry))" id="entry-\(entry.id)" aria-labelledby="\(title)">
      <div class="head"><h3 id="\(title)"><span class="number">\(entry.id)</span> \(entry.title.shownInLine)</h3>\
      \(Outcome(entry).badge)</div>
      <dl class="more">
      \(items)</dl>
      \(error(of: entry))\(plan)</article>

      """
  }

  private func error(of entry: HistoryEntry) -> Markup {
    guard let error = entry.error else { return "" }
    let code: Markup = entry.sqlState.map { " <span class=\"dim\">SQLSTATE \($0)</span>" } ?? ""
    let lines = error.lines.map { "<p>\($0)</p>\n" as Markup }
    return "<div class=\"note stop\">\(lines)\(code)</div>\n"
  }

  /// Returns the statements of an entry, unless another has them already, or the page is full.
  private func plan(
    of entry: HistoryEntry,
    _ shown: inout [String: Int?],
    _ rest: inout Int
  ) -> Markup {
    guard let statements = entry.statements, !statements.isEmpty else {
      let reason =
        entry.statements == nil ? "The statements are recorded when it ends." : "No statement ran."
      return "<p class=\"dim\">\(reason)</p>\n"
    }
    if case .some(let other?) = shown[statements] {
      return "<p>The plan is that of <a href=\"#entry-\(other)\">entry \(other)</a>.</p>\n"
    }
    let count = statements.utf8.count(where: { $0 == UInt8(ascii: "\n") }) + 1
    // What hides in a text is longer where it is shown.
    let mayFit = statements.utf8.count <= rest && shown[statements] == nil
    let text = mayFit ? ReadableSQL(statements).text : nil
    guard let text, text.utf8.count <= rest else {
      shown[statements] = .some(nil)
      let call = CommandCall("history", options: ["--sql"])
      let how = Markup(call, completed: StoreOptions.current.completing(call))
      return "<p>The plan has \(counted(count, "line")): \(how) shows it.</p>\n"
    }
    rest -= text.utf8.count
    shown[statements] = .some(entry.id)
    return """
      <details><summary>The plan, \(counted(count, "line"))</summary>
      \(PlanPage.code(text))</details>

      """
  }

  /// The outcome of an entry.
  private enum Outcome: CaseIterable {
    case succeeded, failed, started

    init(_ entry: HistoryEntry) {
      self =
        switch entry.outcome {
        case "succeeded": .succeeded
        case "failed": .failed
        case _: .started
        }
    }

    var name: Markup {
      switch self {
      case .succeeded: "succeeded"
      case .failed: "failed"
      case .started: "started"
      }
    }

    var text: String {
      switch self {
      case .succeeded: "succeeded"
      case .failed: "failed"
      case .started: "running or killed"
      }
    }

    var badge: Markup {
      let weight: Markup =
        switch self {
        case .succeeded: "fine"
        case .failed: "stop"
        case .started: "unknown"
        }
      return "<span class=\"badge \(weight)\">\(text)</span>"
    }
  }
}

extension HistoryKind {
  /// The name of the anchor and of the class.
  fileprivate var name: Markup {
    switch self {
    case .migration: "migration"
    case .revert: "revert"
    case .cleanup: "cleanup"
    case .interfaces: "interfaces"
    case .adoption: "adoption"
    }
  }
}

extension HistoryEntry {
  /// What it did, in a line.
  fileprivate var title: String {
    switch kind {
    case .migration: "migration, \(versionNames(source, target))"
    case .revert: "revert, \(versionNames(source, target))"
    case .cleanup: "cleanup of retained objects, at \(versionName(target))"
    case .interfaces: "change of the versions that are served, at \(versionName(target))"
    case .adoption: "adoption at \(versionName(target))"
    }
  }

  /// How long it took.
  fileprivate var took: String {
    milliseconds.map { Duration.milliseconds($0).brief } ?? "–"
  }
}
