import RemodelKit

extension PendingWork {
  /// The keys of what is left to do.
  var json: [String: JSONValue] {
    [
      "version": .string(version),
      "phase": .string(phase.rawValue),
      "kind": .string(kind.rawValue),
      "table": .string(table.name),
      "object": .string(object.name),
      "summary": .string(summary),
      "createdAt": .string(createdAt),
      "lastError": .optional(lastError),
    ]
  }
}

extension FinishReport: Report {
  var json: [String: JSONValue] {
    [
      "version": .optional(version?.name),
      "checksum": .optional(version?.checksum.text),
      "done": .array(done.map(\.json)),
      "warnings": .diagnostics(warnings),
    ]
  }

  func lines(_ style: TextStyle) -> [String] {
    guard !done.isEmpty else { return ["nothing to do: nothing is pending"] }
    var table = TextTable()
    for work in done { table.add(work.summary, work.duration.brief) }
    return table.lines() + ["finished: nothing is pending"]
  }
}

extension DeferredWorkExecution.Done {
  fileprivate var json: JSONValue {
    [
      "phase": .string(work.phase.rawValue),
      "kind": .string(work.kind.rawValue),
      "table": .string(work.table.name),
      "object": .string(work.object.name),
      "summary": .string(summary),
      "durationMilliseconds": .number(duration.milliseconds),
    ]
  }
}
