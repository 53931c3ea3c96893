import RemodelKit

extension PlanReport: Report {
  func text(_ style: TextStyle) -> String {
    guard !plan.steps.isEmpty else {
      return "nothing to do: the database is at \(versionName(target.name))"
    }
    var lines = [
      style.bold("\(versionName(source?.name)) -> \(versionName(target.name))")
        + ", schema \"\(plan.schema)\", \(counted(plan.steps.count, "step"))",
      "digest \(plan.digest)",
    ]
    for (index, step) in plan.steps.enumerated() {
      lines.append("")
      lines.append(heading(of: step, number: index + 1, style))
      lines += preconditionLines(of: step)
      lines += statementLines(of: step, style)
      for retained in step.retained { lines.append("  retained: \(retained.summary)") }
    }
    if let rehearsal { lines += [""] + rehearsal.lines(style) }
    return lines.joined(separator: "\n")
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
    if step.isCopyJob || step.hasLateWork { return "many transactions" }
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

  private func statementLines(of step: MigrationStep, _ style: TextStyle) -> [String] {
    var lines: [String] = []
    let copying = step.copyStatements
    if !copying.isEmpty {
      lines.append("  copied by strategy \(step.strategy.rawValue), in transactions of their own")
    }
    let settling = step.settlingStatements
    var phase: MigrationPhase?
    for (index, statement) in (copying + step.statements + settling).enumerated() {
      if statement.phase != phase {
        phase = statement.phase
        switch statement.phase {
        case .copy: break
        case .switch:
          if index > 0 {
            lines.append("  at the end, in one transaction")
          } else if !settling.isEmpty {
            lines.append("  at first, in one transaction")
          }
        case .now: lines.append("  right afterwards, while others go on")
        case .deferred: lines.append("  when finish is called, while others go on")
        }
      }
      lines.append("  \(index + 1). \(statement.reason)")
      for line in statement.sql.text.split(separator: "\n", omittingEmptySubsequences: false) {
        lines.append("     " + style.dim(String(line)))
      }
      lines += impactLines(of: statement).map { "     " + $0 }
    }
    return lines
  }

  private func impactLines(of statement: PlannedStatement) -> [String] {
    let impact = statement.impact
    var table = TextTable()
    let locks = impact.locks.sorted { $0.key < $1.key }
    if !locks.isEmpty {
      table.add("locks", locks.map { "\($0.key) \($0.value.name)" }.joined(separator: ", "))
    }
    for (label, tables) in [("rewrites", impact.rewrites), ("scans", impact.scans)]
    where !tables.isEmpty {
      table.add(label, tables.sorted().map(described).joined(separator: ", "))
    }
    if !impact.allHazards.isEmpty {
      table.add("hazards", impact.allHazards.map(\.rawValue).joined(separator: ", "))
    }
    return table.lines()
  }

  private func described(_ table: SQLIdentifier) -> String {
    guard let size = sizes[table.name] else { return table.name }
    return "\(table) (about \(counted(size.rows, "row")), \(byteCount(size.bytes)))"
  }
}
