import RemodelKit

extension PlanPage {
  /// A summary that shows whether it is safe to run this now.
  var summary: Markup {
    """
    <section id="summary" aria-labelledby="summary-title">
    <h2 id="summary-title" class="hidden">Summary</h2>
    \(verdict)\(steps.isEmpty ? "" : costs)\(obstacles)\(more)</section>

    """
  }

  private var verdict: Markup {
    let verdict = report.verdict
    let (name, mark) = verdict.answer.weight
    let others = verdict.lines.dropFirst().map { "<p class=\"why\">\($0)</p>\n" as Markup }
    return """
      <div class="verdict \(name)"><span class="mark" aria-hidden="true">\(mark)</span>
      <p class="answer">\(verdict.answer.text)</p>
      \(others)</div>

      """
  }

  // MARK: - Figures

  private var costs: Markup {
    let forecast = report.forecast
    let count = steps.reduce(0) { $0 + $1.allStatements.count }
    let (read, write) = (forecast.longestRead, forecast.longestWrite)
    let facts: [(term: String, value: String, remark: Markup)] = [
      ("Readers wait", (read?.readers ?? .none).text, place(of: read, cause: false)),
      ("Writers wait", (write?.writers ?? .none).text, place(of: write, cause: true)),
      ("Runs for", forecast.seconds.map(estimateText) ?? "not known", ""),
      (
        "Disk, at most", forecast.peakDiskBytes.map(Self.more) ?? "not known",
        "in addition"
      ),
      ("Write-ahead log", forecast.logBytes.map(byteCount) ?? "not known", ""),
      ("Statements", String(count), "\(counted(steps.count, "step"))"),
    ]
    let items = facts.map { fact -> Markup in
      let remark: Markup = fact.remark.isEmpty ? "" : "<small>\(fact.remark)</small>"
      return "<div><dt>\(fact.term)</dt><dd>\(fact.value)\(remark)</dd></div>\n"
    }
    return "<dl class=\"facts\">\n\(items)</dl>\n"
  }

  /// Returns the longest blocked table, and the main cause.
  private func place(of block: TableBlock?, cause: Bool) -> Markup {
    guard let block,
      let step = report.forecast.steps.firstIndex(where: { $0.blocks.contains(block) })
    else { return "" }
    var result: Markup = "at most, for table \"\(block.table.name.name)\""
    guard cause else { return result }
    let link = link(toLongestOf: block, in: step)
    let name: Markup = steps.count > 1 ? " of step \(step + 1)" : ""
    if !link.isEmpty { result += ", most of it for \(link)\(name)" }
    let rate = writeRate(of: block)
    if !rate.isEmpty { result += "; \(rate)" }
    return result
  }

  private static func more(_ bytes: Int) -> String {
    bytes > 0 ? "\(byteCount(bytes)) more" : "none"
  }

  // MARK: - More

  private var more: Markup {
    let facts =
      [("Hazards", hazards), ("Rows", rows), ("Now", present), ("Rehearsed", rehearsed)]
      as [(String, Markup)]
      + [
        ("Database", origin),
        ("Schema", "<span class=\"name\">\(report.plan.schema.name)</span>"),
        ("Versions", versions),
        ("Digest", "<code class=\"digest\">\(report.plan.digest)</code>"),
      ]
    let items = facts.filter { !$0.1.isEmpty }
      .map { "<dt>\($0.0)</dt><dd>\($0.1)</dd>\n" as Markup }
    return "<dl class=\"more\">\n\(items)</dl>\n"
  }

  private var hazards: Markup {
    guard !steps.isEmpty else { return "" }
    let counts = report.hazardCounts
    guard !counts.isEmpty else { return "none" }
    let chips = counts.map { hazard, count -> Markup in
      "<li>\(Self.chip(hazard)) <span class=\"dim\">× \(count)</span></li>"
    }
    return "<ul class=\"chips\">\(chips)</ul>"
  }

  private var rows: Markup {
    let questions = steps.flatMap(\.preconditions)
    guard !questions.isEmpty else { return "" }
    let findings = questions.map { report.finding(of: $0) }
    let violated = findings.count { $0?.isViolated ?? false }
    let open = findings.count { $0?.count == nil }
    let badges = badges([
      ("stop", "in the way", violated),
      ("unknown", "not checked", open),
      ("fine", "hold", questions.count - violated - open),
    ])
    return """
      <ul class="chips">\(badges)<li class="dim">of \
      \(counted(questions.count, "condition")) that the rows have to meet</li></ul>
      """
  }

  private var rehearsed: Markup {
    guard let rehearsal = report.rehearsal else { return "" }
    let comparisons = rehearsal.steps.flatMap(\.statements).map(\.comparison)
    let different = comparisons.count { $0?.verdict == .different }
    let open = comparisons.count { $0 == nil }
    let badges = badges([
      ("fine", "as predicted", comparisons.count - different - open),
      ("stop", "different", different),
      ("unknown", "not measured", open),
    ])
    return "<ul class=\"chips\">\(badges)</ul>"
  }

  private func badges(_ counts: [(name: Markup, text: String, count: Int)]) -> [Markup] {
    counts.filter { $0.count > 0 }
      .map { "<li><span class=\"badge \($0.name)\">\($0.count) \($0.text)</span></li>" }
  }

  private var origin: Markup {
    guard let origin = report.origin else { return "none was asked" }
    let assumed: Markup =
      origin.assumedRole.map { ", working as <span class=\"name\">\($0)</span>," } ?? ""
    return """
      <span class="name">\(origin.database)</span> on PostgreSQL \(origin.serverMajor), asked as \
      <span class="name">\(origin.role)</span>\(assumed) <time datetime="\(origin.time)">\(Self.readable(origin.time))</time>
      """
  }

  /// Returns a time of ISO 8601 as people read it.
  private static func readable(_ time: String) -> String {
    let parts = time.split(separator: "T")
    guard parts.count == 2, parts[1].last == "Z" else { return time }
    return "on \(parts[0]) at \(parts[1].dropLast()) UTC"
  }

  private var versions: Markup {
    [report.source, report.target].compactMap(\.self)
      .map { "\(versionName($0.name)) <code class=\"dim\">\($0.checksum.brief)</code>" as Markup }
      .joined(separator: " → ")
  }

  // MARK: - Now

  /// What is in the way now, where something is.
  private var obstacles: Markup {
    guard let obstacles = report.activity?.obstacles, !obstacles.isEmpty else { return "" }
    return """
      <div class="note stop"><h3>In the way now</h3>
      <ul>\(obstacles.map { "<li>\($0.text)</li>\n" as Markup })</ul></div>

      """
  }

  /// What else is known of what goes on, in a line.
  private var present: Markup {
    guard let activity = report.activity else { return "" }
    let count = activity.obstacles.count
    let way =
      count == 0 ? "no session is in the way" : "\(counted(count, "obstacle")), as listed below"
    let sight: Markup =
      activity.seesOthers
      ? ""
      : "<br/><span class=\"dim\">The role sees little of others; GRANT pg_read_all_stats shows more.</span>"
    return "\(way)\(sight)"
  }

  /// Returns how many rows are written to a table in a second, where that is known and not next to none.
  private func writeRate(of block: TableBlock) -> String {
    guard let rate = report.activity?.rowsWrittenPerSecond[block.table.name.name],
      rate >= 0.1
    else { return "" }
    return
      "about \(rate < 10 ? String((rate * 10).rounded() / 10) : String(Int(rate))) rows a second are written to it"
  }
}
