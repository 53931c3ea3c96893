import RemodelKit

/// The audit log of a store.
struct HistoryReport: Report {
  let entries: [HistoryEntry]
  /// Where it was read; `nil` if that is not known.
  var place: AuditLog.Place?
  /// Whether the text contains the executed SQL.
  var showsSQL = false

  var json: JSONObject {
    ["entries": entries]
  }

  var blocks: [Block] {
    if entries.isEmpty {
      "no migration has been run"
    } else {
      Block.header(
        "id",
        "what",
        "started",
        "took",
        "from",
        "to",
        "outcome",
        "by",
        "approved by",
        "plan"
      )
    }
    for entry in entries {
      Block.row(
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
    if showsSQL {
      for entry in entries { entry.details }
    }
  }
}

extension HistoryEntry: JSONKeyed {
  /// The role, with its address and application.
  fileprivate var whose: String {
    let place = client.map { "@\($0)" } ?? ""
    let name = application.flatMap { $0 == "remodel" ? nil : " (\($0))" } ?? ""
    return role + place + name
  }

  @BlockBuilder
  fileprivate var details: [Block] {
    ""
    Block.title("\(id): \(versionNames(source, target)), \(outcome)")
    Block.indented {
      "plan \(planDigest)"
      if let approval {
        let whose = approval.approvedBy.map { " by \($0)" } ?? ""
        "approved\(whose) as \(approval.planDigest)"
      }
      if let error { Block.line(error, .error) }
      if let statements { Block.sql(ReadableSQL(statements).text) }
    }
  }

  /// The entry without its statements and what is about them.
  var briefJSON: JSONObject {
    [
      "id": id,
      "kind": kind.rawValue,
      "from": source,
      "to": target,
      "startedAt": startedAt,
      "endedAt": endedAt,
      "durationMilliseconds": milliseconds,
      "outcome": outcome,
      "role": role,
      "client": client,
      "application": application,
      "approvedBy": approval?.approvedBy,
    ]
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
