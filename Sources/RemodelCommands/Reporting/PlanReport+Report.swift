import RemodelKit

extension PlanReport: Report {
  func lines(_ style: TextStyle) -> [String] {
    guard !plan.steps.isEmpty else {
      return ["nothing to do: the database is at \(versionName(target.name))"]
    }
    var lines = [
      style.bold("\(versionName(source?.name)) -> \(versionName(target.name))")
        + ", schema \"\(plan.schema)\", \(counted(plan.steps.count, "step"))",
      "digest \(plan.digest)",
    ]
    var head = TextTable()
    for line in summary { head.add(line.label, line.text) }
    lines += head.lines()
    for (index, step) in plan.steps.enumerated() {
      lines.append("")
      lines.append(heading(of: step, number: index + 1, style))
      lines += preconditionLines(of: step)
      lines += waitLines(of: forecast.steps[index])
      lines += statementLines(of: step, forecast.steps[index], style)
      for retained in step.retained { lines.append("  retained: \(retained.summary)") }
    }
    if let rehearsal { lines += [""] + rehearsal.lines(style) }
    return lines
  }

  private func heading(of step: MigrationStep, number: Int, _ style: TextStyle) -> String {
    let folded =
      step.passedVersions.isEmpty
      ? "" : " (\(counted(step.passedVersions.count + 1, "step")) folded)"
    let way =
      "\(versionName(step.source?.name)) -> \(versionName(step.destination.name))\(folded)"
    let work =
      step.isMetadataOnly
      ? "metadata only"
      : "\(counted(step.allStatements.count, "statement")) in \(transactions(of: step))"
    return "\(style.bold("step \(number) of \(plan.steps.count): \(way)"))  \(work)"
  }

  private func transactions(of step: MigrationStep) -> String {
    if step.isCopyJob || step.hasDeferredWork { return "many transactions" }
    guard step.isInParts else { return "one transaction" }
    let count = counted(step.transactions.count, "transaction")
    let start = step.transactions.first?.lowerBound ?? 0
    return start == 0 ? count : "\(count), of which the first \(start) are done"
  }

  private func preconditionLines(of step: MigrationStep) -> [String] {
    guard !step.preconditions.isEmpty else { return [] }
    var table = TextTable()
    var offenders: [String] = []
    for precondition in step.preconditions {
      let finding = finding(of: precondition)
      let state =
        switch finding?.count {
        case nil: "not checked"
        case 0: "holds"
        case let count?: "\(counted(count, "row")) in the way"
        }
      table.add(state, precondition.requirement)
      if let finding, finding.isViolated {
        let keys = finding.sampleKeys.map { " (keys: \($0))" } ?? ""
        offenders.append("    to do: \(precondition.remedy)\(keys)")
      }
    }
    return ["  preconditions"] + table.lines(indentation: 4) + offenders
  }

  /// The tables that others wait for longer than they notice.
  private func waitLines(of forecast: StepForecast) -> [String] {
    let noticed = forecast.blocks.filter { $0.writers > .about(0.1) }
    guard !noticed.isEmpty else { return [] }
    var table = TextTable()
    for block in noticed.sorted(by: { $0.writers > $1.writers }).prefix(10) {
      table.add(
        block.table.name.name,
        "readers: \(block.readers.text)",
        "writers: \(block.writers.text)"
      )
    }
    let rest = noticed.count > 10 ? ["    and \(noticed.count - 10) more"] : []
    return ["  tables that others wait for"] + table.lines(indentation: 4) + rest
  }

  private func statementLines(
    of step: MigrationStep,
    _ forecast: StepForecast,
    _ style: TextStyle
  ) -> [String] {
    let groups = StatementGroup.groups(of: step, forecast)
    var lines: [String] = []
    if !step.copyStatements.isEmpty {
      lines.append("  copied by strategy \(step.strategy.rawValue), in transactions of their own")
    }
    var phase: MigrationPhase?
    for group in groups {
      if group.phase != phase {
        let isFirst = phase == nil
        phase = group.phase
        switch group.phase {
        case .copy: break
        case .switch:
          if !isFirst {
            lines.append("  at the end, in one transaction")
          } else if !step.settlingStatements.isEmpty {
            lines.append("  at first, in one transaction")
          }
        case .now: lines.append("  right afterwards, while others go on")
        case .deferred: lines.append("  when finish is called, while others go on")
        }
      }
      lines.append("  " + style.bold(group.title ?? "for the step as a whole"))
      for member in group.members {
        lines.append("    \(member.number). \(member.statement.reason)")
        let text = ReadableSQL(member.statement.sql.text).text
        lines += text.lines.map { "       " + style.dim($0) }
        lines += impactLines(of: member).map { "       " + $0 }
      }
    }
    return lines
  }

  private func impactLines(of member: StatementGroup.Member) -> [String] {
    var table = TextTable()
    for fact in facts(of: member) { table.add(fact.label, fact.text) }
    return table.lines()
  }
}
