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
  var warnings: [Diagnostic] = []

  var json: JSONObject { ["jobs": jobs] }

  var blocks: [Block] {
    if jobs.isEmpty {
      "there is no copy job"
    } else {
      Block.header("id", "began", "ended", "from", "to", "state")
    }
    for job in jobs {
      Block.row(
        job.id,
        job.createdAt,
        job.endedAt ?? "-",
        job.source ?? "-",
        job.target,
        job.summary
      )
    }
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

  var blocks: [Block] {
    Block.row("job", job.id)
    Block.row("steps", versionNames(job.source, job.target))
    Block.row("state", job.summary)
    Block.row("rows", "\(job.progress.rowsCopied) copied")
    if let rate = job.progress.rowsPerSecond { Block.row("rate", "\(rate) rows/s") }
    if let seconds = job.progress.remainingSeconds {
      Block.row("remaining", "about \(Int(seconds.rounded())) s")
    }
    if let backlog = job.progress.backlog { Block.row("backlog", counted(backlog, "change")) }
    Block.row("owner", "\(job.owner), process \(job.ownerPID)")
    if let error = job.lastError { Block.row("last error", error) }
    Block.row("began", job.createdAt)
    if let endedAt = job.endedAt { Block.row("ended", endedAt) }
    ""
    for event in events {
      Block.row(event.happenedAt, event.role, event.kind, event.detail ?? "")
    }
  }
}
