import RemodelKit

extension CreationProgress {
  /// The progress as an object.
  var json: JSONValue {
    ["version": .string(version.name), "done": .integer(done), "total": .integer(total)]
  }

  /// The progress in words.
  var text: String {
    "version \"\(version.name)\" is being created, \(done) of \(total) statements"
  }
}

extension StatusReport: Report {
  var json: [String: JSONValue] {
    [
      "state": .string(state.rawValue),
      "version": .optional(version?.name),
      "checksum": .optional(version?.checksum.text),
      "creation": creation?.json ?? .null,
      "target": .string(target.name),
      "targetChecksum": .string(target.checksum.text),
      "steps": .array(
        steps.map { ["source": .optional($0.source), "target": .string($0.destination)] }
      ),
      "jobs": .array([job].compactMap(\.self).map { .object($0.json) }),
      "pending": .array(pending.map { .object($0.json) }),
      "retained": .retained(retained),
      "obstacles": .diagnostics(obstacles),
    ]
  }

  func lines(_ style: TextStyle) -> [String] {
    var table = TextTable()
    table.add("version", version.map { "\($0.name)  \($0.checksum.brief)" } ?? "no version")
    table.add("target", "\(target.name)  \(target.checksum.brief)")
    table.add("state", explanation)
    for (index, step) in steps.enumerated() {
      let way = "\(versionName(step.source)) -> \(versionName(step.destination))"
      table.add(index == 0 ? "steps" : "", way)
    }
    if let job { table.add("job", "\(job.id)  \(job.summary)") }
    for (index, work) in pending.enumerated() {
      let error = work.lastError.map { ": \($0)" } ?? ""
      table.add(index == 0 ? "pending" : "", "\(work.phase.rawValue)  \(work.summary)\(error)")
    }
    for (index, object) in retained.enumerated() {
      table.add(index == 0 ? "retained" : "", object.summary)
    }
    return table.lines() + obstacles.flatMap { $0.text(style).lines }
  }

  private var explanation: String {
    switch state {
    case .empty: "the schema is empty"
    case .creating: creation?.text ?? "being created"
    case .current: "current"
    case .behind: "current, but behind in layout: indexes, defaults or delete rules are to come"
    case .older: "older, \(counted(steps.count, "step")) to go"
    case .blocked: "older, and there is no way to the target"
    case .newer: "newer, or of other models: nothing leads to the target"
    case .reverted:
      "went back from the target: migrate --to \(target.name) goes there again, migrate alone does not"
    }
  }
}
