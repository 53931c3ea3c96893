import RemodelKit

extension CleanupReport: Report {
  var json: [String: JSONValue] {
    [
      "version": .optional(version?.name),
      "checksum": .optional(version?.checksum.text),
      "dryRun": .bool(isDryRun),
      "objects": .array(items.map { .object($0.json) }),
      "statements": .array(statements.map(\.cleanupJSON)),
      "warnings": .diagnostics(diagnostics),
    ]
  }

  func lines(_ style: TextStyle) -> [String] {
    guard !items.isEmpty else { return ["nothing to clean up"] }
    var table = TextTable()
    table.add("table", "column", "of version", "retained since", "rows", "size", "")
    for item in items {
      let object = item.entry.object
      table.add(
        object.table.name,
        object.column?.name ?? "",
        object.version,
        item.entry.retainedAt,
        item.amount?.rows.map { "about \($0)" } ?? "unknown",
        item.amount?.bytes.map { "about \(byteCount($0))" } ?? "unknown",
        item.outcome(isDryRun: isDryRun)
      )
    }
    let lines = table.lines()
    guard isDryRun, !statements.isEmpty else { return lines }
    return lines + [""] + statements.flatMap { (ReadableSQL($0.sql.text).text + ";").lines }
  }
}

extension CleanupReport.Item {
  /// What became of it, or would, in a word or two.
  fileprivate func outcome(isDryRun: Bool) -> String {
    switch fate {
    case .dropped: isDryRun ? "to be dropped" : "dropped"
    case .droppedWithTable: isDryRun ? "to be dropped with its table" : "dropped with its table"
    case .forgotten: "gone already"
    case .depended, .replaced: "stays"
    }
  }

  fileprivate var json: [String: JSONValue] {
    [
      "table": .string(entry.object.table.name),
      "column": .optional(entry.object.column?.name),
      "version": .string(entry.object.version),
      "retainedAt": .string(entry.retainedAt),
      "estimatedRows": .optional(amount?.rows),
      "estimatedBytes": .optional(amount?.bytes),
      "outcome": .string(word),
      "dependents": .array(dependents.map { .string($0) }),
    ]
  }

  private var word: String {
    switch fate {
    case .dropped: "dropped"
    case .droppedWithTable: "dropped-with-table"
    case .forgotten: "gone"
    case .depended: "dependents"
    case .replaced: "other-object"
    }
  }

  private var dependents: [String] {
    if case .depended(let names) = fate { names } else { [] }
  }
}

extension PlannedStatement {
  fileprivate var cleanupJSON: JSONValue {
    [
      "sql": .string(sql.text),
      "reason": .string(reason),
      "locks": .object(
        Dictionary(
          impact.locks.map { ($0.key.name, .string($0.value.name)) },
          uniquingKeysWith: { first, _ in first }
        )
      ),
    ]
  }
}
