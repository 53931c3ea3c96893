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
  /// How what was measured compares with what was said, in a few words.
  var summary: String {
    switch verdict {
    case .equal: "as predicted"
    case .less: "read less"
    case .different: "different"
    }
  }
}

extension RehearsalReport {
  /// The keys of a rehearsal.
  var json: JSONValue {
    [
      "place": .string(rehearsal == .live ? "live" : "apart"),
      "serverVersion": .integer(serverVersion),
      "rows": .optional(rowCount),
      "steps": .array(steps.map(Self.json)),
      "warnings": .diagnostics(diagnostics),
    ]
  }

  private static func json(_ step: RehearsedStep) -> JSONValue {
    [
      "source": .optional(step.source),
      "target": .string(step.destination),
      "job": .bool(step.isJob),
      "durationMilliseconds": .number(step.duration.milliseconds),
      "logBytes": .optional(step.logBytes),
      "diskBytes": .optional(step.diskBytes),
      "statements": .array(step.statements.map(json)),
      "lateWork": .array(
        step.deferredWork.map {
          [
            "summary": .string($0.summary),
            "durationMilliseconds": .number($0.duration.milliseconds),
          ]
        }
      ),
      "held": .array(
        step.holds.map {
          [
            "table": .string("\($0.table)"), "lock": .string($0.mode.name),
            "durationMilliseconds": .number($0.duration.milliseconds),
          ]
        }
      ),
    ]
  }

  private static func json(_ statement: RehearsedStatement) -> JSONValue {
    let comparison = statement.comparison
    return [
      "sql": .string(statement.statement.sql.text),
      "durationMilliseconds": .number(statement.duration.milliseconds),
      "logBytes": .optional(statement.logBytes),
      "verdict": .optional(comparison?.verdict.rawValue),
      "locks": .object(
        Dictionary(
          (comparison?.locks ?? [:]).map { ("\($0.key)", .string($0.value.name)) },
          uniquingKeysWith: { $1 }
        )
      ),
      "rewrites": names(comparison?.rewrites),
      "scans": names(comparison?.scans),
      "sparedScans": names(comparison?.sparedScans),
      "differences": .strings((comparison?.differences ?? []).map(\.sentence)),
    ]
  }

  private static func names(_ tables: Set<QualifiedName>?) -> JSONValue {
    .strings((tables ?? []).sorted().map(\.description))
  }
}
