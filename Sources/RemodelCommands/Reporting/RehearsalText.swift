import RemodelKit

extension RehearsalReport {
  /// The rehearsal for people.
  func lines(_ style: TextStyle) -> [String] {
    steps.flatMap { step in
      [heading(of: step, style)] + statementLines(of: step) + deferredWorkLines(of: step)
        + holdLines(of: step)
    }
  }

  private func heading(of step: RehearsedStep, _ style: TextStyle) -> String {
    let place =
      switch rehearsal {
      case .live: "in the database itself, undone"
      case .apart: "on a throwaway PostgreSQL \(serverVersion / 10_000)"
      }
    var facts = ["\(step.duration.brief) \(place)"]
    if let rowCount { facts.append(counted(rowCount, "row")) }
    if let bytes = step.logBytes { facts.append("log \(byteCount(bytes))") }
    if let bytes = step.diskBytes { facts.append("disk +\(byteCount(bytes))") }
    if step.isJob { facts.append("run as a job") }
    let way = "\(versionName(step.source)) -> \(versionName(step.destination))"
    return "\(style.bold("rehearsed: \(way)"))  \(facts.joined(separator: ", "))"
  }

  private func statementLines(of step: RehearsedStep) -> [String] {
    var table = TextTable()
    for (index, statement) in step.statements.enumerated() {
      table.add(
        "\(index + 1).",
        statement.duration.brief,
        statement.comparison?.summary ?? "not measured",
        statement.statement.reason
      )
      for difference in statement.comparison?.differences ?? [] {
        table.add("", "", "", difference.sentence)
      }
    }
    return table.lines(indentation: 2)
  }

  private func deferredWorkLines(of step: RehearsedStep) -> [String] {
    guard !step.deferredWork.isEmpty else { return [] }
    var table = TextTable()
    for done in step.deferredWork { table.add(done.duration.brief, done.summary) }
    return ["  afterwards, among others"] + table.lines(indentation: 4)
  }

  private func holdLines(of step: RehearsedStep) -> [String] {
    let holds = step.holds.filter { $0.mode > .accessShare }
    guard !holds.isEmpty else { return [] }
    var table = TextTable()
    for hold in holds { table.add("\(hold.table)", hold.mode.name, hold.duration.brief) }
    return ["  locks held"] + table.lines(indentation: 4)
  }
}

extension ImpactComparison {
  /// The comparison of the measurement with the forecast, in a few words.
  var summary: String {
    switch verdict {
    case .equal: "as predicted"
    case .less: "read less"
    case .different: "different"
    }
  }
}

extension RehearsalReport: JSONKeyed {
  /// The keys of a rehearsal.
  var json: JSONObject {
    [
      "place": rehearsal == .live ? "live" : "apart",
      "serverVersion": serverVersion,
      "rows": rowCount,
      "steps": steps.map(Self.json),
      "warnings": diagnostics,
    ]
  }

  private static func json(_ step: RehearsedStep) -> JSONObject {
    [
      "source": step.source,
      "target": step.destination,
      "job": step.isJob,
      "durationMilliseconds": step.duration,
      "logBytes": step.logBytes,
      "diskBytes": step.diskBytes,
      "statements": step.statements.map(json),
      "lateWork": step.deferredWork.map {
        ["summary": $0.summary, "durationMilliseconds": $0.duration] as JSONObject
      },
      "held": step.holds.map {
        ["table": "\($0.table)", "lock": $0.mode.name, "durationMilliseconds": $0.duration]
          as JSONObject
      },
    ]
  }

  private static func json(_ statement: RehearsedStatement) -> JSONObject {
    let comparison = statement.comparison
    return [
      "sql": statement.statement.sql.text,
      "durationMilliseconds": statement.duration,
      "logBytes": statement.logBytes,
      "verdict": comparison?.verdict.rawValue,
      "locks": (comparison?.locks ?? [:]).named(\.description),
      "rewrites": names(comparison?.rewrites),
      "scans": names(comparison?.scans),
      "sparedScans": names(comparison?.sparedScans),
      "differences": (comparison?.differences ?? []).map(\.sentence),
    ]
  }

  private static func names(_ tables: Set<QualifiedName>?) -> [String] {
    (tables ?? []).sorted().map(\.description)
  }
}
