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
  /// What each step changes for people.
  let intents: [StepIntents]
  /// Whether SQL is shown in colours.
  let isColoured: Bool

  init(report: PlanReport) {
    self.report = report
    intents = report.plan.steps.map(report.intents)
    let count = report.plan.steps.reduce(0) { $0 + $1.allStatements.count }
    isColoured = count <= Self.colouredCount
  }

  var steps: [MigrationStep] { report.plan.steps }

  /// The page.
  var document: Markup {
    """
    <!DOCTYPE html>
    <html xmlns="http://www.w3.org/1999/xhtml" lang="en" xml:lang="en">
    <head>
    <meta charset="utf-8"/>
    <meta http-equiv="Content-Security-Policy" \
    content="default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; \
    form-action 'none'"/>
    <meta name="viewport" content="width=device-width, initial-scale=1"/>
    <meta name="referrer" content="no-referrer"/>
    <link rel="icon" href="data:,"/>
    <title>\(title)</title>
    <style>
    \(PageStyle.sheet)</style>
    </head>
    <body>
    <a class="skip" href="#changes">Skip to what changes</a>
    \(header)<main>
    \(summary)\(changes)\(stepSections)\(model)\(warnings)</main>
    \(footer)</body>
    </html>

    """
  }

  private var title: String {
    "Plan: \(versionName(report.source?.name)) to \(versionName(report.target.name))"
  }

  private var header: Markup {
    """
    <header>
    <p class="eyebrow">Migration plan</p>
    <h1>\(versionName(report.source?.name)) <span aria-label="to">→</span> \
    \(versionName(report.target.name))</h1>
    \(navigation)</header>

    """
  }

  private var navigation: Markup {
    guard !steps.isEmpty else { return "" }
    let links =
      [("summary", "Summary"), ("changes", "What changes"), ("model", "Model")]
      + steps.indices.map {
        ("details-\($0 + 1)", steps.count == 1 ? "Details" : "Details of step \($0 + 1)")
      }
      + (report.warnings.isEmpty ? [] : [("warnings", "Warnings")])
    return """
      <nav aria-label="Sections"><ul>\
      \(links.map { "<li><a href=\"#\($0.0)\">\($0.1)</a></li>" as Markup })\
      </ul></nav>

      """
  }

  private var stepSections: Markup {
    "<div id=\"statements\">\n\(steps.indices.map(section))</div>\n"
  }

  private var warnings: Markup {
    guard !report.warnings.isEmpty else { return "" }
    return """
      <section id="warnings" aria-labelledby="warnings-title">
      <h2 id="warnings-title">Warnings</h2>
      <ul class="plain">
      \(report.warnings.map { "<li class=\"note warning\">\(Self.notice($0))</li>\n" as Markup })</ul>
      </section>

      """
  }

  /// Returns a report with its detail and hint.
  static func notice(_ diagnostic: Diagnostic) -> Markup {
    let more = [diagnostic.detail, diagnostic.hint].compactMap(\.self)
    let place: Markup = diagnostic.location.map { "<span class=\"dim\">\("\($0)"): </span>" } ?? ""
    return """
      <p>\(place)<strong>\(diagnostic.message)</strong></p>\
      \(more.map { "<p>\($0)</p>" as Markup })
      """
  }

  private var footer: Markup {
    """
    <footer>
    <p>Digest of what will run: <code class="digest">\(report.plan.digest)</code></p>
    </footer>

    """
  }
}
