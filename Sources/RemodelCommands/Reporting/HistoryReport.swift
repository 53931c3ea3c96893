import RemodelKit

/// The audit trail of a store.
struct HistoryReport: Report {
  let entries: [HistoryEntry]

  var json: [String: JSONValue] {
    ["entries": .array(entries.map { .object($0.json) })]
  }

  func text(_ style: TextStyle) -> String {
    guard !entries.isEmpty else { return "no migration has been run" }
    var table = TextTable()
    table.add("id", "started", "ended", "from", "to", "outcome", "role", "plan")
    for entry in entries {
      table.add(
        String(entry.id),
        entry.startedAt,
        entry.endedAt ?? "-",
        entry.source ?? "-",
        entry.target,
        entry.outcome,
        entry.role,
        String(entry.planDigest.prefix(19))
      )
    }
    var lines = table.lines()
    lines[0] = style.bold(lines[0])
    return lines.joined(separator: "\n")
  }
}

extension HistoryEntry {
  fileprivate var json: [String: JSONValue] {
    [
      "id": .integer(id),
      "from": .optional(source),
      "to": .string(target),
      "planDigest": .string(planDigest),
      "startedAt": .string(startedAt),
      "endedAt": .optional(endedAt),
      "outcome": .string(outcome),
      "role": .string(role),
      "error": .optional(error),
    ]
  }
}
