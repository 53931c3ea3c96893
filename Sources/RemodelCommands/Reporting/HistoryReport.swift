import RemodelKit

/// The audit log of a store.
struct HistoryReport: Report {
  let entries: [HistoryEntry]
  /// Whether the text contains the executed SQL.
  var showsSQL = false

  var json: JSONObject {
    ["entries": entries]
  }

  func lines(_ style: TextStyle) -> [String] {
    guard !entries.isEmpty else { return ["no migration has been run"] }
    var table = TextTable()
    table.add("id", "what", "started", "took", "from", "to", "outcome", "by", "approved by", "plan")
    for entry in entries {
      table.add(
        String(entry.id),
        entry.kind.rawValue,
        entry.startedAt,
        entry.milliseconds.map { Duration.milliseconds($0).brief } ?? "-",
        entry.source ?? "-",
        entry.target,
        entry.outcome,
        entry.whose,
        entry.approval.map { $0.approvedBy ?? "somebody" } ?? "-",
        String(entry.planDigest.prefix(19))
      )
    }
    var lines = table.lines()
    lines[0] = style.bold(lines[0])
    if showsSQL { for entry in entries { lines += entry.details(style) } }
    return lines
  }
}

extension HistoryEntry: JSONKeyed {
  /// The role, with its address and application.
  fileprivate var whose: String {
    let place = client.map { "@\($0)" } ?? ""
    let name = application.flatMap { $0 == "remodel" ? nil : " (\($0))" } ?? ""
    return role + place + name
  }

  fileprivate func details(_ style: TextStyle) -> [String] {
    let heading = style.bold("\(id): \(versionName(source)) -> \(versionName(target)), \(outcome)")
    var lines = ["", heading, "  plan \(planDigest)"]
    if let approval {
      let whose = approval.approvedBy.map { " by \($0)" } ?? ""
      lines.append("  approved\(whose) as \(approval.planDigest)")
    }
    if let error {
      lines.append("  " + style.red(error))
    }
    let sql = statements.map { ReadableSQL($0).text.lines } ?? []
    return lines + sql.map { "  " + style.dim($0) }
  }

  var json: JSONObject {
    [
      "id": id,
      "kind": kind.rawValue,
      "from": source,
      "to": target,
      "planDigest": planDigest,
      "startedAt": startedAt,
      "endedAt": endedAt,
      "durationMilliseconds": milliseconds,
      "outcome": outcome,
      "role": role,
      "client": client,
      "application": application,
      "approvedDigest": approval?.planDigest,
      "approvedBy": approval?.approvedBy,
      "sqlstate": sqlState,
      "error": error,
      "sql": statements,
      "toolVersion": toolVersion,
    ]
  }
}
