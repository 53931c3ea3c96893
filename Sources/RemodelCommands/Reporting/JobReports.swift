import RemodelKit

extension CopyJob: JSONKeyed {
  /// The keys of a job.
  var json: JSONObject {
    [
      "id": id,
      "from": source,
      "to": target,
      "planDigest": planDigest,
      "strategy": strategy,
      "state": state.rawValue,
      "paused": isPaused,
      "chunksDone": progress.chunksDone,
      "chunksTotal": progress.chunksTotal,
      "rowsCopied": progress.rowsCopied,
      "rowsPerSecond": progress.rowsPerSecond,
      "remainingSeconds": progress.remainingSeconds,
      "backlog": progress.backlog,
      "unvalidated": progress.unvalidatedCount,
      "owner": owner,
      "ownerPID": ownerPID,
      "ownerConnected": isOwnerConnected,
      "lastError": lastError,
      "createdAt": createdAt,
      "updatedAt": updatedAt,
      "endedAt": endedAt,
    ]
  }

  /// The state of the job, in a line.
  var summary: String {
    var text = "\(strategy), \(state.rawValue)\(isPaused ? ", paused" : "")"
    if !state.isEnded {
      text +=
        state == .settling
        ? ", \(counted(progress.unvalidatedCount, "foreign key")) to validate"
        : ", \(progress.chunksDone) of \(counted(progress.chunksTotal, "range"))"
      text += isOwnerConnected ? "" : ", no process works on it"
    }
    return text
  }
}

/// The copy jobs of a store.
struct JobListReport: Report {
  let jobs: [CopyJob]

  var json: JSONObject { ["jobs": jobs] }

  func lines(_ style: TextStyle) -> [String] {
    guard !jobs.isEmpty else { return ["there is no copy job"] }
    var table = TextTable()
    table.add("id", "began", "ended", "from", "to", "state")
    for job in jobs {
      table.add(
        job.id,
        job.createdAt,
        job.endedAt ?? "-",
        job.source ?? "-",
        job.target,
        job.summary
      )
    }
    var lines = table.lines()
    lines[0] = style.bold(lines[0])
    return lines
  }
}

extension JobReport: Report {
  var json: JSONObject {
    [
      "job": job,
      "events": events.map { event in
        [
          "happenedAt": event.happenedAt, "kind": event.kind, "detail": event.detail,
          "role": event.role,
        ] as JSONObject
      },
      "warnings": warnings,
    ]
  }

  func lines(_ style: TextStyle) -> [String] {
    var table = TextTable()
    table.add("job", job.id)
    table.add("steps", "\(versionName(job.source)) -> \(versionName(job.target))")
    table.add("state", job.summary)
    table.add("rows", "\(job.progress.rowsCopied) copied")
    if let rate = job.progress.rowsPerSecond { table.add("rate", "\(rate) rows/s") }
    if let seconds = job.progress.remainingSeconds {
      table.add("remaining", "about \(Int(seconds.rounded())) s")
    }
    if let backlog = job.progress.backlog { table.add("backlog", counted(backlog, "change")) }
    table.add("owner", "\(job.owner), process \(job.ownerPID)")
    if let error = job.lastError { table.add("last error", error) }
    table.add("began", job.createdAt)
    if let endedAt = job.endedAt { table.add("ended", endedAt) }
    var events = TextTable()
    for event in self.events {
      events.add(event.happenedAt, event.role, event.kind, event.detail ?? "")
    }
    return table.lines() + [""] + events.lines()
  }
}
