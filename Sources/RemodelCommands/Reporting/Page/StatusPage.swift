import RemodelKit

extension OutputFormat {
  /// The status of one store or many as a page.
  static let statusPage = OutputFormat("html", suffixes: [".html", ".htm"]) { report, _ in
    let stores =
      (report as? StatusReport).map { [StoreStatus($0)] }
      ?? (report as? TargetsSummary)?.statuses ?? []
    return StatusPage(stores: stores).document.text
  }
}

/// The status of stores as a page: one table, in the order of what needs attention.
struct StatusPage {
  let stores: [StoreStatus]

  /// Up to so many stores, each part of a store is told; else their numbers.
  private static let detailedCount = 50

  private var reports: [StatusReport] { stores.compactMap(\.report) }
  private var isDetailed: Bool { stores.count <= Self.detailedCount }

  var document: Markup {
    let title =
      stores.count == 1
      ? "Status of \(stores.first?.name ?? "")" : "Status of \(counted(stores.count, "store"))"
    let times = reports.map(\.time)
    let time: Markup = times.max().map { "Read \(Markup.time($0))." } ?? ""
    return PageDocument(
      title: title,
      kind: "Status",
      heading: "\(title.shownInLine)",
      skipLink: ("stores", "Skip to the stores"),
      style: PageFilter.rules(StoreStatus.Concern.allCases.map(\.name) + ["current", "retained"]),
      content: "\(summary)\(table)",
      footer: "<p>\(time)</p>\n"
    ).markup
  }

  // MARK: - Summary

  private var summary: Markup {
    let drift =
      reports.contains { $0.drift != nil } ? "compared" : "not compared: status --drift does"
    let facts: [(String, Markup)] = [
      ("Target", Self.list(reports.map { versionName($0.target.name) })),
      (
        stores.count == 1 ? "Version" : "Versions",
        Self.list(reports.map { versionName($0.version?.name) })
      ),
      ("Drift", "\(drift)"),
    ]
    let items = facts.filter { !$0.1.isEmpty }
      .map { "<dt>\($0.0)</dt><dd>\($0.1)</dd>\n" as Markup }
    return """
      <section id="summary" aria-labelledby="summary-title">
      <h2 id="summary-title" class="hidden">Summary</h2>
      \(verdict.markup)<dl class="more">
      \(items)</dl>
      </section>

      """
  }

  /// Returns each text once, with how often it is there, the most frequent first.
  private static func list(_ texts: [String]) -> Markup {
    let counts = Dictionary(texts.map { ($0, 1) }, uniquingKeysWith: +)
    let sorted = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    let shown = sorted.prefix(20).map { text, count -> Markup in
      counts.count == 1 ? "\(text)" : "\(text) <span class=\"dim\">× \(count)</span>"
    }
    let more: Markup = sorted.count > 20 ? ", and \(sorted.count - 20) more" : ""
    return "\(shown.joined(separator: ", "))\(more)"
  }

  private var verdict: PageVerdict {
    let open = stores.filter { !$0.concerns.isEmpty }
    guard
      let gravest = StoreStatus.Concern.allCases.first(where: { concern in
        open.contains { $0.concerns.contains(concern) }
      })
    else {
      return PageVerdict(
        weight: stores.isEmpty ? .plain : .fine,
        answer: stores.count == 1
          ? "current" : "nothing to do: all \(counted(stores.count, "store")) are current"
      )
    }
    let weight: PageVerdict.Weight =
      switch gravest {
      case .failed, .blocked, .drifted: .stop
      case .job, .pending, .older: .care
      }
    if stores.count == 1, let report = reports.first {
      return PageVerdict(weight: weight, answer: Self.answer(report), reasons: Self.reasons(report))
    }
    let counts = StoreStatus.Concern.allCases.compactMap { concern -> String? in
      let count = open.count { $0.concerns.contains(concern) }
      return count > 0 ? "\(concern.label.lowercased()): \(counted(count, "store"))" : nil
    }
    return PageVerdict(
      weight: weight,
      answer:
        "\(open.count) of \(counted(stores.count, "store")) \(open.count == 1 ? "needs" : "need") attention",
      reasons: counts
    )
  }

  /// Returns the state of the only store, in a line.
  private static func answer(_ report: StatusReport) -> String {
    guard let drift = report.drift, !drift.isEmpty else { return report.explanation }
    return "\(drift.summary); \(report.explanation)"
  }

  private static func reasons(_ report: StatusReport) -> [String] {
    let job = report.job.map { ["copy job \($0.id): \($0.summary)"] } ?? []
    let count = report.pending.count
    let pending = count == 0 ? [] : ["\(counted(count, "task")) left to do"]
    return report.obstacles.map(\.message) + job + pending
  }

  // MARK: - Table

  /// The stores, those that need attention first.
  private var sorted: [StoreStatus] {
    let groups = StoreStatus.Concern.allCases.map { concern in
      stores.filter { $0.concerns.first == concern }
    }
    return groups.flatMap(\.self) + stores.filter(\.concerns.isEmpty)
  }

  /// The parts of a row besides the name.
  private struct Column {
    let title: String
    let cell: (StoreStatus) -> Markup
  }

  private var columns: [Column] {
    var columns = [
      Column(title: "State") { Self.badge(of: $0) },
      Column(title: "Version") { Self.version(of: $0) },
    ]
    if Set(reports.map(\.target)).count > 1 || stores.count == 1 {
      columns.append(Column(title: "Target") { $0.report.map { "\($0.target.name)" } ?? "–" })
    }
    if reports.contains(where: { $0.drift != nil }) {
      columns.append(Column(title: "Drift") { drift(of: $0) })
    }
    if reports.contains(where: { $0.job != nil || $0.creation != nil }) {
      columns.append(Column(title: "Unfinished") { Self.unfinished(of: $0) })
    }
    if reports.contains(where: { !$0.pending.isEmpty }) {
      columns.append(Column(title: "Left to do") { pending(of: $0) })
    }
    if reports.contains(where: { !$0.retained.isEmpty }) {
      columns.append(Column(title: "Retained") { retained(of: $0) })
    }
    columns.append(Column(title: "Last migration") { Self.lastMigration(of: $0) })
    if stores.contains(where: { $0.nextCall != nil || !Self.reasons(of: $0).isEmpty }) {
      columns.append(Column(title: "What to do next") { Self.next(of: $0) })
    }
    return columns
  }

  private var table: Markup {
    let columns = columns
    let heads = columns.map { "<th scope=\"col\">\($0.title)</th>" as Markup }
    let rows = sorted.map { store -> Markup in
      let cells = columns.map { "<td>\($0.cell(store))</td>" as Markup }
      return
        "<tr class=\"\(classes(of: store))\"><th scope=\"row\">\(store.name.shownInLine)</th>\(cells)</tr>\n"
    }
    let choices =
      StoreStatus.Concern.allCases.map { concern in
        PageFilter.Choice(
          name: concern.name,
          label: concern.label,
          count: stores.count { $0.concerns.contains(concern) }
        )
      } + [
        PageFilter.Choice(
          name: "current",
          label: "Nothing to do",
          count: stores.count(where: \.concerns.isEmpty)
        ),
        PageFilter.Choice(
          name: "retained",
          label: "With retained objects",
          count: stores.count { $0.report?.retained.isEmpty == false }
        ),
      ]
    let caption =
      stores.count == 1 ? "The store" : "The stores, those that need attention first"
    return """
      <section id="stores" aria-labelledby="stores-title">
      <h2 id="stores-title">Stores</h2>
      <span class="anchor" id="all"></span>\
      \(PageFilter(label: "Show only", choices: choices).markup(of: stores.count))
      <div class="kept table sticky" tabindex="0" role="region" aria-label="Stores"><table>
      <caption>\(caption)</caption>
      <thead><tr><th scope="col">Store</th>\(heads)</tr></thead>
      <tbody>
      \(rows)</tbody></table></div>
      </section>

      """
  }

  private func classes(of store: StoreStatus) -> Markup {
    var classes: Markup = "part"
    for concern in store.concerns { classes += " \(concern.name)" }
    if store.concerns.isEmpty { classes += " current" }
    if store.report?.retained.isEmpty == false { classes += " retained" }
    return classes
  }

  // MARK: - Cells

  private static func badge(of store: StoreStatus) -> Markup {
    guard let report = store.report else { return "<span class=\"badge stop\">not read</span>" }
    let weight: Markup =
      switch report.state {
      case .current: "fine"
      case .blocked, .newer: "stop"
      case .empty, .creating, .behind, .older, .reverted: "care"
      }
    return "<span class=\"badge \(weight)\">\(report.state.rawValue)</span>"
  }

  private static func version(of store: StoreStatus) -> Markup {
    guard let version = store.report?.version else { return "–" }
    let draft: Markup = store.report?.isDraft == true ? ", a draft" : ""
    return "\(version.name.shownInLine)\(draft)"
  }

  private func drift(of store: StoreStatus) -> Markup {
    guard let drift = store.report?.drift else { return "–" }
    guard !drift.isEmpty else { return "none" }
    let badge: Markup = "<span class=\"badge stop\">\(counted(drift.count, "object"))</span>"
    return "\(badge)\(items(drift.map { "\($0.object.description): \($0.change.rawValue)" }))"
  }

  private static func unfinished(of store: StoreStatus) -> Markup {
    if let creation = store.report?.creation { return "\(creation.text.shownInLine)" }
    guard let job = store.report?.job else { return "–" }
    return "copy job \(job.id): \(job.summary)"
  }

  private func pending(of store: StoreStatus) -> Markup {
    guard let pending = store.report?.pending, !pending.isEmpty else { return "–" }
    let items = items(
      pending.map { work in
        let error = work.lastError.map { ": \($0)" } ?? ""
        return "\(work.phase.rawValue): \(work.summary)\(error)"
      }
    )
    return "\(pending.count)\(items)"
  }

  private func retained(of store: StoreStatus) -> Markup {
    guard let entries = store.report?.retainedEntries, let first = entries.first else { return "–" }
    // The hour does not matter for what is kept for weeks.
    let day = first.retainedAt.readableTime?.prefix { $0 != " " } ?? first.retainedAt[...]
    return "\(entries.count), since \(String(day))\(items(entries.map(\.object.summary)))"
  }

  private static func lastMigration(of store: StoreStatus) -> Markup {
    guard let entry = store.report?.lastEntry else { return "–" }
    let time = entry.startedAt.readableTime ?? entry.startedAt
    let took = entry.milliseconds.map { ", \(Duration.milliseconds($0).brief)" } ?? ""
    let outcome =
      switch entry.outcome {
      case "succeeded": entry.kind == .migration ? "" : "\(entry.kind.rawValue), "
      case "failed": "failed: "
      case _: "running or killed: "
      }
    return "\("\(outcome)\(time)\(took), \(entry.role)".shownInLine)"
  }

  private static func next(of store: StoreStatus) -> Markup {
    let command = store.nextMarkup
    let reasons = reasons(of: store)
    guard !reasons.isEmpty else { return command.isEmpty ? "–" : command }
    // A server's message can be of any length.
    let text = reasons.joined(separator: "; ").shownInLine
    let shown = text.count > 300 ? "\(text.prefix(300))…" : text
    return command.isEmpty ? "\(shown)" : "\(shown)<br/>\(command)"
  }

  private static func reasons(of store: StoreStatus) -> [String] {
    [store.failure].compactMap(\.self) + (store.report?.obstacles ?? []).map(\.message)
  }

  /// Returns the parts of a store's state, folded, if there is room for them.
  private func items(_ texts: [String]) -> Markup {
    guard isDetailed, !texts.isEmpty else { return "" }
    let shown = texts.prefix(100).map { "<li>\($0.shownInLine)</li>\n" as Markup }
    let more: Markup = texts.count > 100 ? "<li>and \(texts.count - 100) more</li>\n" : ""
    return "<details><summary>Which</summary><ul class=\"plain\">\n\(shown)\(more)</ul></details>"
  }
}

extension StoreStatus.Concern {
  /// The name of the anchor and of the class.
  fileprivate var name: Markup {
    switch self {
    case .failed: "failed"
    case .blocked: "blocked"
    case .drifted: "drifted"
    case .job: "job"
    case .pending: "pending"
    case .older: "older"
    }
  }
}
