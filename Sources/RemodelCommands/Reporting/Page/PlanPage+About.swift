import RemodelKit

extension PlanPage {
  /// What the plan is, to the letter.
  var about: Markup {
    let facts: [(String, Markup)] = [
      ("Versions", versions),
      ("Role", role),
      ("Activity", activity),
      ("Hazards", hazards),
      ("Rehearsal", measured),
    ]
    let items = facts.filter { !$0.1.isEmpty }
      .map { "<li><span class=\"what\">\($0.0)</span> <div>\($0.1)</div></li>\n" as Markup }
    return """
      <section id="about" aria-labelledby="about-title">
      <h2 id="about-title">About this plan</h2>
      <ul class="about">
      \(items)</ul>
      </section>

      """
  }

  private var versions: Markup {
    [report.source, report.target].compactMap(\.self)
      .map { "\(versionName($0.name)) <code class=\"dim\">\($0.checksum.brief)</code>" as Markup }
      .joined(separator: " → ")
  }

  private var role: Markup {
    guard let origin = report.origin else { return "" }
    let assumed: Markup =
      origin.assumedRole.map { ", working as <span class=\"name\">\($0)</span>" } ?? ""
    return "<span class=\"name\">\(origin.role)</span>\(assumed)"
  }

  private var activity: Markup {
    guard let activity = report.activity else { return "" }
    let count = activity.obstacles.count
    let way =
      count == 0 ? "no session is in the way" : "\(counted(count, "obstacle")), as listed above"
    let sight: Markup =
      activity.seesOthers
      ? ""
      : "; the role sees little of others: <code>GRANT pg_read_all_stats</code> shows more"
    return "\(way)\(sight)"
  }

  private var hazards: Markup {
    guard !steps.isEmpty else { return "" }
    let counts = report.hazardCounts
    guard !counts.isEmpty else { return "none" }
    let chips = counts.map { hazard, count -> Markup in
      "<li>\(chip(hazard)) <span class=\"dim\">× \(count)</span></li>"
    }
    return "<ul class=\"chips\">\(chips)</ul>"
  }

  private var measured: Markup {
    guard let rehearsal = report.rehearsal else { return "" }
    let comparisons = rehearsal.steps.flatMap(\.statements).map(\.comparison)
    let different = comparisons.count { $0?.verdict == .different }
    let open = comparisons.count { $0 == nil }
    let counts: [(name: Markup, text: Markup, count: Int)] = [
      ("fine", "as predicted", comparisons.count - different - open),
      ("stop", "different", different),
      ("unknown", "not measured", open),
    ]
    let badges = counts.filter { $0.count > 0 }
      .map { "<li><span class=\"badge \($0.name)\">\($0.count) \($0.text)</span></li>" as Markup }
    return "<ul class=\"chips\">\(badges)</ul>"
  }
}
