import RemodelKit

extension MigrationReport: Report {
  var json: [String: JSONValue] {
    [
      "outcome": .string(outcome.rawValue),
      "source": .optional(source?.name),
      "target": .string(target.name),
      "checksum": .string(target.checksum.text),
      "steps": .array(steps.map(\.json)),
      "pending": .array(pending.map { .object($0.json) }),
      "warnings": .diagnostics(warnings),
    ]
  }

  func lines(_ style: TextStyle) -> [String] {
    let target = versionName(target.name)
    guard outcome != .unchanged else {
      return ["nothing to do: the database is at \(target)"] + pendingLines
    }
    var lines: [String] = []
    for step in steps {
      let way = "\(versionName(step.source)) -> \(versionName(step.destination))"
      let work = "\(counted(step.statementCount, "statement")), \(step.duration.brief)"
      lines.append("\(style.bold(way))  \(work)")
      lines += step.retained.map { "  retained: \($0.summary)" }
    }
    switch outcome {
    case .created: lines.append("created: the database is at \(target)")
    case .migrated: lines.append("migrated: the database is at \(target)")
    case .reverted: lines.append("reverted: the database is at \(target)")
    case .unchanged: break
    }
    return lines + pendingLines
  }

  private var pendingLines: [String] {
    guard !pending.isEmpty else { return [] }
    return ["left for finish:"] + pending.map { "  \($0.summary)" }
  }
}

extension MigrationReport.Step {
  fileprivate var json: JSONValue {
    [
      "source": .optional(source),
      "target": .string(destination),
      "statements": .integer(statementCount),
      "durationMilliseconds": .number(duration.milliseconds),
      "digest": .string(digest),
      "retained": .retained(retained),
    ]
  }
}
