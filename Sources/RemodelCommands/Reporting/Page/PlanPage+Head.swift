import RemodelKit

extension PlanPage {
  var kind: Markup { "Migration plan for <b>\(decision.origin.modelName)</b>\(configuration)" }

  var heading: Markup {
    """
    \(versionName(report.source?.name)) <span aria-label="to">→</span> \
    \(versionName(report.target.name))
    """
  }

  /// The verdict, and a line for each thing that decides about it.
  var summary: Markup {
    """
    <section id="summary" aria-labelledby="summary-title">
    <h2 id="summary-title" class="hidden">Verdict</h2>
    \(verdict)\(decisive)\(refusal)\(obstacles)</section>

    """
  }

  private var configuration: Markup {
    decision.origin.configurationName.map { ", configuration <b>\($0)</b>" } ?? ""
  }

  /// The database and the time.
  var place: Markup {
    let schema: Markup = "schema <b>\(decision.origin.schema.name)</b>"
    guard let origin = report.origin else {
      return "\(schema), from the models alone: no database was asked"
    }
    let server: Markup =
      origin.server.map { server in
        " on <b>\(server.host):\(server.port)</b>, PostgreSQL \(server.version)"
      } ?? ", PostgreSQL \(origin.serverMajor)"
    return """
      database <b>\(origin.database)</b>\(server), \(schema); asked \
      \(Markup.time(origin.time))
      """
  }

  private var verdict: Markup {
    let weight: PageVerdict.Weight =
      switch report.verdict.severity {
      case .plain: .plain
      case .fine: .fine
      case .care: .care
      case .stop: .stop
      }
    return PageVerdict(weight: weight, answer: report.verdict.answer.text).markup
  }

  // MARK: - Lines

  /// One of the lines below the verdict.
  private struct Line {
    /// How grave it is, as the name of a class.
    let weight: Markup
    let section: Markup
    let title: String
    let texts: [Markup]
    let count: Int
  }

  private var decisive: Markup { steps.isEmpty ? "" : lines + costs }

  private var lines: Markup {
    let items = [waitLine, lossLine, breakageLine, rowLine].map { line -> Markup in
      let more: Markup =
        line.count > line.texts.count
        ? "<span class=\"rest\">and \(line.count - line.texts.count) more</span>" : ""
      return """
        <li class="\(line.weight)"><a href="#\(line.section)"><span class="term">\(line.title)</span>\
        <span class="facts">\(line.texts.map { "<span>\($0)</span>" as Markup })\(more)</span></a></li>

        """
    }
    return "<ul class=\"lines\">\n\(items)</ul>\n"
  }

  private var waitLine: Line {
    let weight: Markup =
      switch report.verdict.findings.first(where: \.isAboutWaiting) {
      case .blocks: "stop"
      case .some: "care"
      case nil: "fine"
      }
    let texts = Self.first(1, of: decision.waitLines).map { "\($0.text)" as Markup }
    return Line(
      weight: weight,
      section: "waits",
      title: PlanDecision.Heading.waits,
      texts: texts.isEmpty ? ["nobody, for longer than a moment"] : texts,
      count: decision.waits.count
    )
  }

  private var lossLine: Line {
    let texts = Self.first(3, of: decision.lossLines).map { "\($0.text)" as Markup }
    return Line(
      weight: texts.isEmpty ? "fine" : "stop",
      section: "losses",
      title: PlanDecision.Heading.losses,
      texts: texts.isEmpty ? ["nothing"] : texts,
      count: decision.losses.count
    )
  }

  private var breakageLine: Line {
    let lines = decision.distinctBreakageLines
    let texts = Self.first(2, of: lines).map(Self.text)
    return Line(
      weight: texts.isEmpty ? "fine" : "care",
      section: "breakages",
      title: PlanDecision.Heading.breakages,
      texts: texts.isEmpty ? ["nothing"] : texts,
      count: lines.count
    )
  }

  private var rowLine: Line {
    let checks = decision.rowChecks
    let open = decision.uncheckedRows.count
    let (weight, texts): (Markup, [Markup]) =
      if !decision.rowsInTheWay.isEmpty {
        ("stop", Self.first(2, of: decision.rowsInTheWay).map { "\($0.text)" })
      } else if open > 0 {
        ("care", ["\(counted(open, "condition")) of \(checks.count) not checked"])
      } else if checks.isEmpty {
        ("fine", ["no condition on the rows"])
      } else {
        (
          "fine",
          [
            "the rows meet \(checks.count == 1 ? "the condition" : "all \(checks.count) conditions")"
          ]
        )
      }
    return Line(
      weight: weight,
      section: "rows",
      title: PlanDecision.Heading.rowChecks,
      texts: texts,
      count: decision.rowsInTheWay.count
    )
  }

  /// Returns the first elements of a list, and all of them if only one would be left out.
  private static func first<Element>(_ count: Int, of list: [Element]) -> ArraySlice<Element> {
    list.count == count + 1 ? list[...] : list.prefix(count)
  }

  /// Returns a fact with the SQL that it begins with.
  static func text(_ line: DecisionLine) -> Markup {
    guard !line.code.isEmpty else { return "\(line.text)" }
    return "<code>\(ReadableSQL(line.code).text)</code> \(line.text)"
  }

  // MARK: - Figures

  private var costs: Markup {
    let forecast = report.forecast
    let count = steps.reduce(0) { $0 + $1.statementCount }
    let facts: [(term: String, value: String)] = [
      (
        isStopped ? "Would run for" : "Runs for",
        forecast.seconds.map(estimateText) ?? "not known"
      ),
      forecast.peakDiskBytes == 0
        ? ("Disk", "needs no extra space")
        : ("Disk, at most", forecast.peakDiskBytes.map { "\(byteCount($0)) more" } ?? "not known"),
      ("Write-ahead log", forecast.logBytes.map(byteCount) ?? "not known"),
      ("Statements", steps.count > 1 ? "\(count) in \(steps.count) steps" : String(count)),
    ]
    let items = facts.map { fact -> Markup in
      "<li><span class=\"what\">\(fact.term)</span> \(fact.value)</li>\n"
    }
    return "<ul class=\"figures\">\n\(items)</ul>\n"
  }

  private var isStopped: Bool { report.refusal != nil || !decision.rowsInTheWay.isEmpty }

  // MARK: - In the way

  /// Why the plan is refused, where rows are not the reason.
  private var refusal: Markup {
    guard let refusal = report.refusal, decision.rowsInTheWay.isEmpty else { return "" }
    return """
      <div class="note stop"><h3>Why it may not run</h3>
      \(refusal.diagnostics.map(Self.notice))</div>

      """
  }

  /// What is in the way now, where something is.
  private var obstacles: Markup {
    guard let obstacles = report.activity?.obstacles, !obstacles.isEmpty else { return "" }
    return """
      <div class="note stop"><h3>In the way now</h3>
      <ul>\(obstacles.map { "<li>\($0.text)</li>\n" as Markup })</ul></div>

      """
  }
}

extension PlanVerdict.Finding {
  /// A Boolean value that indicates whether it is about how long others wait.
  var isAboutWaiting: Bool {
    switch self {
    case .blocks, .brief, .unknownWait: true
    case .nothingToDo, .rowsInTheWay, .refused, .losesValues, .unknownEffect,
      .breaksPreviousRelease,
      .heldUp, .uncheckedRows, .safe:
      false
    }
  }
}
