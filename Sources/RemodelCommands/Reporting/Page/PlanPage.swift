import RemodelKit

extension OutputFormat {
  /// A page to look at.
  static let html = OutputFormat("html", suffixes: [".html", ".htm"], of: PlanReport.self) {
    PlanPage(report: $0).document.text
  }
}

/// A plan as a page for reviewers: one file without scripts and external resources.
///
/// It is XML as well as HTML.
struct PlanPage {
  let report: PlanReport
  /// What has to be known to decide on the plan.
  let decision: PlanDecision
  /// The sections that speak of each statement.
  let citations: [StatementReference: [(section: Markup, title: String)]]
  /// What each statement deletes for good.
  let lossesOfStatements: [StatementReference: [PlanDecision.Loss]]
  /// What each step changes for people.
  let intents: [StepIntents]
  /// Whether SQL is shown in colours.
  let isColoured: Bool

  init(report: PlanReport) {
    self.report = report
    decision = report.decision
    citations = Self.citations(in: decision)
    lossesOfStatements = Dictionary(grouping: decision.losses, by: \.statement)
    intents = report.plan.steps.map(report.intents)
    let count = report.plan.steps.reduce(0) { $0 + $1.statementCount }
    isColoured = count <= Self.colouredCount
  }

  var steps: [MigrationStep] { report.plan.steps }

  /// The page.
  var document: Markup {
    PageDocument(
      title: title,
      kind: kind,
      heading: heading,
      place: "<p class=\"place\">\(place)</p>\n",
      skipLink: steps.isEmpty
        ? ("about", "Skip to what this plan is about") : ("changes", "Skip to what changes"),
      style: PlanStyle.sheet,
      content: """
        \(summary)\(navigation)\(changes)\(facts)\(wayBack)\(next)\(model)\(rehearsed)\(warnings)\
        \(about)
        """,
      footer: """
        <p>Digest of what will run: <code class="digest">\(report.plan.digest)</code></p>

        """
    ).markup
  }

  private var title: String {
    "Plan: \(versionName(report.source?.name)) to \(versionName(report.target.name))"
  }

  private var navigation: Markup {
    guard !steps.isEmpty else { return "" }
    let links: [(Markup, Markup, Bool)] = [
      ("changes", "What changes", true),
      ("way-back", "\(PlanDecision.Heading.wayBack)", !wayBack.isEmpty),
      ("next", "\(PlanDecision.Heading.next)", !next.isEmpty),
      ("model", "The model in pictures", true),
      (
        "warnings", "Warnings (\(report.warnings.count + report.notes.count))",
        !report.warnings.isEmpty || !report.notes.isEmpty
      ),
      ("about", "About this plan", true),
    ]
    let items = links.filter { $0.2 }.map { "<li><a href=\"#\($0.0)\">\($0.1)</a></li>" as Markup }
    return """
      <nav aria-label="Sections"><ul>\(items)</ul></nav>

      """
  }

  private var warnings: Markup {
    let all = report.warnings + report.notes
    guard !all.isEmpty else { return "" }
    return """
      <section id="warnings" aria-labelledby="warnings-title">
      <h2 id="warnings-title">Warnings</h2>
      <ul class="plain">
      \(all.map { "<li class=\"note warning\">\(Self.notice($0))</li>\n" as Markup })</ul>
      </section>

      """
  }

  /// Returns a report with its detail and hint.
  static func notice(_ diagnostic: Diagnostic) -> Markup {
    let diagnostic = diagnostic.completed
    let more = [diagnostic.detail, diagnostic.hint].compactMap(\.self)
    let place: Markup = diagnostic.location.map { "<span class=\"dim\">\("\($0)"): </span>" } ?? ""
    return """
      <p>\(place)<strong>\(diagnostic.message)</strong></p>\
      \(more.map { "<p>\($0)</p>" as Markup })
      """
  }
}
