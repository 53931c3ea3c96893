import RemodelKit

extension PlanReport: Report {
  var blocks: [Block] {
    if plan.steps.isEmpty {
      "nothing to do: the database is at \(versionName(target.name))"
    } else {
      Block.title(
        versionNames(source?.name, target.name),
        ", schema \"\(plan.schema)\", \(counted(plan.steps.count, "step"))"
      )
      "digest \(plan.digest)"
      if let origin { "database \(origin.text)" }
      for line in summary { Block.row(line.label, line.text) }
      for (index, step) in plan.steps.enumerated() {
        ""
        heading(of: step, number: index + 1)
        Block.indented {
          conditions(of: step)
          waits(of: forecast.steps[index])
          statements(of: step, forecast.steps[index])
          for object in step.retained { "retained: \(object.summary)" }
        }
      }
      if let rehearsal {
        ""
        rehearsal.blocks
      }
    }
  }

  private func heading(of step: MigrationStep, number: Int) -> Block {
    let folded =
      step.passedVersions.isEmpty
      ? "" : " (\(counted(step.passedVersions.count + 1, "step")) folded)"
    let names = versionNames(step.source?.name, step.destination.name)
    let work =
      step.isMetadataOnly
      ? "metadata only"
      : "\(counted(step.statementCount, "statement")) in \(transactions(of: step))"
    return .title("step \(number) of \(plan.steps.count): \(names)\(folded)", "  \(work)")
  }

  private func transactions(of step: MigrationStep) -> String {
    if step.isCopyJob || step.hasDeferredWork { return "many transactions" }
    guard step.isInParts else { return "one transaction" }
    let count = counted(step.transactions.count, "transaction")
    let start = step.transactions.first?.lowerBound ?? 0
    return start == 0 ? count : "\(count), of which the first \(start) are done"
  }

  @BlockBuilder
  private func conditions(of step: MigrationStep) -> [Block] {
    if !step.preconditions.isEmpty {
      PlanDecision.Heading.rowChecks.lowercased()
      Block.indented {
        for precondition in step.preconditions {
          let finding = finding(of: precondition)
          let remark = finding?.isViolated ?? false ? " in the way" : ""
          Block.row((finding?.state ?? "not checked") + remark, precondition.requirement)
        }
        for finding in step.preconditions.compactMap(finding(of:)) where finding.isViolated {
          finding.toDo
        }
      }
    }
  }

  /// The tables that others wait for longer than they notice.
  @BlockBuilder
  private func waits(of forecast: StepForecast) -> [Block] {
    let noticed = forecast.noticedBlocks
    if !noticed.isEmpty {
      "tables that others wait for"
      Block.indented {
        for block in noticed.prefix(10) {
          Block.row(
            block.table.name.name,
            "readers: \(block.readers.text)",
            "writers: \(block.writers.text)"
          )
        }
        if noticed.count > 10 { "and \(noticed.count - 10) more" }
      }
    }
  }

  @BlockBuilder
  private func statements(of step: MigrationStep, _ forecast: StepForecast) -> [Block] {
    let groups = StatementGroup.groups(of: step, forecast, intents(of: step))
    if let choice = step.choice { "chosen since \(choice.sentence)" }
    if !step.copyStatements.isEmpty {
      step.strategy == .filled
        ? "filled in place, in transactions of their own"
        : "copied by strategy \(step.strategy.rawValue), in transactions of their own"
    }
    for (index, group) in groups.enumerated() {
      if index == 0 || group.phase != groups[index - 1].phase {
        switch group.phase {
        case .copy: [Block]()
        case .switch:
          if index > 0 {
            "at the end, in one transaction"
          } else if !step.settlingStatements.isEmpty {
            "at first, in one transaction"
          }
        case .now: "right afterwards, while others read and write"
        case .deferred: "when finish is called, while others read and write"
        }
      }
      Block.title(group.title())
      Block.indented {
        for member in group.members {
          "\(member.number). \(member.statement.reason)"
          Block.indented(3) {
            Block.sql(ReadableSQL(member.statement.sql.text).text)
            for fact in facts(of: member, in: step) { Block.row(fact.label, fact.text) }
          }
        }
      }
    }
  }
}

extension StepForecast {
  /// The tables that others wait for longer than they notice, the longest first.
  var noticedBlocks: [TableBlock] {
    blocks.filter { $0.writers > .about(0.1) }.sorted { $0.writers > $1.writers }
  }
}

extension PlanReport {
  /// Returns the facts about a statement besides its text.
  func facts(
    of member: StatementGroup.Member,
    in step: MigrationStep
  ) -> [(label: String, text: String)] {
    let impact = member.statement.impact
    var facts: [(label: String, text: String)] = []
    let locks = impact.locks.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.name)" }
    if !locks.isEmpty { facts.append(("locks", locks.joined(separator: ", "))) }
    for (label, tables) in [("rewrites", impact.rewrites), ("scans", impact.scans)]
    where !tables.isEmpty {
      facts.append((label, tables.sorted().map(described).joined(separator: ", ")))
    }
    if let cost = member.forecast.costText { facts.append(("takes", cost)) }
    if !member.forecast.hazards.isEmpty {
      let hazards = member.forecast.hazards.map(\.rawValue)
      facts.append(("hazards", hazards.joined(separator: ", ")))
    }
    for data in step.losses(by: member.statement) {
      facts.append(("deletes", "\(data.kind.noun) of \(data.name), for good"))
    }
    if member.statement.hasUnknownEffect {
      facts.append(("unknown", "the effect of this SQL is unknown"))
    }
    for breakage in member.statement.breakages {
      facts.append(("breaks", "the previous release: \(breakage)"))
    }
    return facts
  }

  private func described(_ table: SQLIdentifier) -> String {
    guard let size = sizes[table.name] else { return table.name }
    return "\(table) (about \(counted(size.rows, "row")), \(byteCount(size.bytes)))"
  }
}

extension StatementForecast {
  /// The cost of a statement, in a line; `nil` if it is negligible.
  fileprivate var costText: String? {
    guard let seconds, let rows, let writtenBytes, let logBytes else {
      return "not known without the size of the table"
    }
    guard seconds >= 0.05 else { return nil }
    let written = writtenBytes > 0 ? ", writes \(byteCount(writtenBytes))" : ""
    return "\(estimateText(seconds)): reads \(counted(rows, "row"))\(written), "
      + "log \(byteCount(logBytes))"
  }
}

extension PlanReport {
  /// The lines at the head of a plan: what has to be known to decide on it.
  var summary: [(label: String, text: String)] {
    let decision = decision
    var lines = verdictLines
    lines += decision.rows("waits", decision.waitLines)
    if decision.waits.isEmpty { lines.append(("waits", "nobody, for more than about 0.1 s")) }
    lines += decision.rows("lost", decision.lossLines)
    if let hint = decision.retainHint { lines.append(("", hint)) }
    lines += decision.rows("breaks", decision.distinctBreakageLines)
    lines += decision.rows("rows", decision.rowLines)
    lines += decision.rows("way back", decision.wayBackLines)
    lines += costs + present
    lines += decision.rows("next", decision.nextLines)
    return lines
  }

  /// The verdict and the figures, without the lists.
  var figures: [(label: String, text: String)] { verdictLines + costs + present }

  private var verdictLines: [(label: String, text: String)] {
    verdict.lines.enumerated().map { ($0 == 0 ? "verdict" : "", $1) }
  }

  /// What goes on in the database now.
  private var present: [(label: String, text: String)] {
    guard let activity else { return [] }
    var lines: [(label: String, text: String)] = activity.obstacles.map { ("now", $0.text) }
    if lines.isEmpty { lines.append(("now", "no session is in the way")) }
    if !activity.seesOthers {
      lines.append(("", "the role sees little of others: GRANT pg_read_all_stats shows more"))
    }
    return lines
  }

  /// What the plan takes, and notes on it.
  private var costs: [(label: String, text: String)] {
    var lines: [(label: String, text: String)] = [
      ("time", forecast.seconds.map(estimateText) ?? "not known"), ("disk", disk),
    ]
    if let role = origin?.assumedRole { lines.append(("role", "\"\(role)\", by SET ROLE")) }
    if !hazardCounts.isEmpty {
      let hazards = hazardCounts.map { "\($0.count) \($0.hazard.rawValue)" }
      lines.append(("hazards", hazards.joined(separator: ", ")))
    }
    for note in notes {
      lines.append(("note", note.message + (note.hint.map { ". \($0)" } ?? "")))
    }
    return lines
  }

  private var disk: String {
    guard let peak = forecast.peakDiskBytes, let log = forecast.logBytes else { return "not known" }
    let space = peak > 0 ? "up to \(byteCount(peak)) more" : "needs no extra space"
    return "\(space); about \(byteCount(log)) of write-ahead log"
  }
}

extension Activity.Obstacle {
  /// The obstacle, in a line.
  var text: String {
    switch self {
    case .session(let session, let tables):
      "\(session.text) holds locks on \(Self.names(tables))\(session.queryText)"
    case .preparedTransaction(let name, let owner, let since, let tables):
      "prepared transaction \"\(name)\"\(owner.map { " of \"\($0)\"" } ?? "")"
        + "\(since.map { ", since \($0)," } ?? "") holds locks on \(Self.names(tables))"
    case .vacuum(let session, let tables):
      "\(session.text) vacuums \(Self.names(tables)) to prevent wraparound, and does not give way"
    case .migrator(let session): "\(session.text) is migrating this store"
    }
  }

  private static func names(_ tables: [String]) -> String {
    tables.map { "\"\($0)\"" }.joined(separator: ", ")
  }
}

extension Activity.Session {
  fileprivate var text: String {
    let details = [
      application.flatMap { $0.isEmpty ? nil : "application \"\($0)\"" },
      user.map { "role \"\($0)\"" }, state, since.map { "since \($0)" },
    ].compactMap(\.self)
    return "process \(pid)\(details.isEmpty ? "" : " (\(details.joined(separator: ", ")))")"
  }

  fileprivate var queryText: String {
    guard let query, !query.isEmpty else { return "" }
    let line = query.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return ": \(line.prefix(120))"
  }
}

extension PlanVerdict {
  /// The findings, a line each, the answer first.
  var lines: [String] { findings.map(\.text) }
}

extension PlanVerdict.Finding {
  /// The finding in a word, for programs.
  var name: String {
    switch self {
    case .nothingToDo: "nothing"
    case .rowsInTheWay: "rows"
    case .refused: "refused"
    case .losesValues: "loss"
    case .unknownEffect: "sql"
    case .blocks: "blocks"
    case .breaksPreviousRelease: "breaks"
    case .unknownWait: "unknown"
    case .brief: "brief"
    case .heldUp: "held"
    case .uncheckedRows: "unchecked"
    case .safe: "safe"
    }
  }

  /// The finding in a line, for people.
  var text: String {
    switch self {
    case .nothingToDo: "nothing to do"
    case .rowsInTheWay(let count):
      "cannot run: the rows do not meet \(counted(count, "condition"))"
    case .refused: "may not run: it is refused"
    case .losesValues: "deletes data for good"
    case .unknownEffect: "runs authored SQL with unknown effects"
    case .blocks(let seconds): "blocks others for \(estimateText(seconds))"
    case .breaksPreviousRelease(isCertain: true): "breaks statements of the previous release"
    case .breaksPreviousRelease(isCertain: false): "may break statements of the previous release"
    case .unknownWait: "not known how long others wait: the size of a table is not known"
    case .brief(let seconds): "for a quiet time: blocks others for \(estimateText(seconds))"
    case .heldUp: "held up now: others hold locks that it waits for"
    case .uncheckedRows: "not known whether the rows allow it: not all conditions were checked"
    case .safe: "safe at any time: blocks nobody for more than about 1 s"
    }
  }
}

extension PlanReport {
  /// The plan as a script, with its facts as comments.
  var scriptText: String {
    get throws {
      let script = try script
      return verdict.lines.map { "-- verdict  \($0)\n" }.joined() + script
    }
  }
}

/// Returns an estimated number of seconds in words.
func estimateText(_ seconds: Double) -> String {
  if seconds < 0.1 { return "less than 0.1 s" }
  if seconds < 9.95 { return "about \((seconds * 10).rounded() / 10) s" }
  if seconds < 120 { return "about \(Int(seconds.rounded())) s" }
  if seconds < 7200 { return "about \(Int((seconds / 60).rounded())) min" }
  return "about \(Int((seconds / 3600).rounded())) h"
}

extension BlockedTime {
  /// The blocked time, in words.
  var text: String {
    switch self {
    case .none: "not at all"
    case .about(let seconds): estimateText(seconds)
    case .notKnown: "not known"
    }
  }
}

extension RowsAtRisk {
  /// The loss, in words.
  var text: String {
    switch self {
    case .about(let count): "values of up to \(counted(count, "row")), for good"
    case .notKnown: "values of all rows, for good"
    }
  }
}

extension PlanReport {
  /// The hazards of all statements with how often they come, in order.
  var hazardCounts: [(hazard: Hazard, count: Int)] {
    let all = forecast.steps.flatMap { $0.statements.flatMap(\.hazards) }
    return Hazard.allCases.sorted().compactMap { hazard in
      let count = all.count { $0 == hazard }
      return count > 0 ? (hazard, count) : nil
    }
  }
}
