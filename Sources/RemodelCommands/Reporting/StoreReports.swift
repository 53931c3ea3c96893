import RemodelKit

extension MigrationReport: Report {
  var json: JSONObject {
    let object: JSONObject = [
      "outcome": outcome.rawValue,
      "served": isServed,
      "source": source?.name,
      "target": target.name,
      "checksum": target.checksum,
      "steps": steps,
      "pending": pending,
      "warnings": warnings,
    ]
    return transfer.map { object.merging(["transfer": $0]) } ?? object
  }

  var blocks: [Block] {
    let target = versionName(target.name)
    if isServed {
      "nothing to do: the database is at \(versionName(source?.name ?? "")) and serves \(target)"
    } else if outcome == .unchanged {
      "nothing to do: the database is at \(target)"
    } else {
      for step in steps {
        Block.title(
          versionNames(step.source, step.destination),
          "  \(counted(step.statementCount, "statement")), \(step.duration.brief)"
        )
        for object in step.retained { "  retained: \(object.summary)" }
        if step.source == nil, let transfer { Block.nested(2, transfer.blocks) }
      }
      "\(outcome.rawValue): the \(outcome == .transferred ? "destination" : "database") is at \(target)"
    }
    if !pending.isEmpty {
      "left for finish:"
      for work in pending { "  \(work.summary)" }
    }
  }
}

extension TransferReport: JSONKeyed {
  var json: JSONObject {
    [
      "snapshotTime": snapshotTime,
      "rows": rowCount,
      "tables": tables.map { table -> JSONObject in
        ["name": table.name, "rows": table.rowCount, "wasFilled": table.wasFilled]
      },
    ]
  }

  /// The tables with their rows.
  var blocks: [Block] {
    tables.map { table in
      let state = table.wasFilled ? ", by an earlier run" : ""
      return .line("\"\(table.name)\": \(counted(table.rowCount, "row"))\(state)")
    }
  }
}

extension MigrationReport.Step: JSONKeyed {
  var json: JSONObject {
    [
      "source": source,
      "target": destination,
      "statements": statementCount,
      "durationMilliseconds": duration,
      "digest": digest,
      "retained": retained,
    ]
  }
}

extension CreationProgress: JSONKeyed {
  /// The progress as an object.
  var json: JSONObject {
    ["version": version.name, "done": done, "total": total]
  }

  /// The progress in words.
  var text: String {
    "version \"\(version.name)\" is being created, \(done) of \(total) statements"
  }
}

extension StatusReport: Report {
  var json: JSONObject {
    [
      "state": state.rawValue,
      "version": version?.name,
      "checksum": version?.checksum,
      "creation": creation,
      "development": isDevelopment,
      "draft": isDraft,
      "target": target.name,
      "targetChecksum": target.checksum,
      "steps":
        steps.map { ["source": $0.source, "target": $0.destination] },
      "jobs": [job].compactMap(\.self),
      "pending": pending,
      "retained": retainedEntries.map { $0.object.json.merging(["retainedAt": $0.retainedAt]) },
      "obstacles": obstacles,
      "nextCommand": completeNextCommand,
      "nodes": nodes.map {
        [
          "host": $0.host, "port": $0.port, "coordinator": $0.isCoordinator, "shards": $0.hasShards,
        ] as JSONObject
      },
      "database": database,
      "schema": schema,
      "time": time,
      "lastMigration": lastEntry?.briefJSON,
      "serves": servedVersions,
      "drift": drift?.map {
        ["object": $0.object.description, "change": $0.change.rawValue] as JSONObject
      },
    ]
  }

  /// A Boolean value that indicates whether the database is not what the models say.
  var isDifferent: Bool { state != .current || drift?.isEmpty == false }

  var blocks: [Block] {
    Block.row(
      "version",
      version.map { "\($0.name)  \($0.checksum.brief)\(isDraft ? ", a draft" : "")" }
        ?? "no version"
    )
    Block.row("target", "\(target.name)  \(target.checksum.brief)")
    Block.row("state", explanation)
    if isDevelopment { Block.row("mark", "for development") }
    for (index, step) in steps.enumerated() {
      Block.row(
        index == 0 ? "steps" : "",
        versionNames(step.source, step.destination)
      )
    }
    if let job { Block.row("job", "\(job.id)  \(job.summary)") }
    for (index, work) in pending.enumerated() {
      let error = work.lastError.map { ": \($0)" } ?? ""
      Block.row(
        index == 0 ? "pending" : "",
        "\(work.phase.rawValue)  \(work.summary)\(error)"
      )
    }
    for (index, object) in retained.enumerated() {
      Block.row(index == 0 ? "retained" : "", object.summary)
    }
    for (index, node) in nodes.enumerated() {
      let parts = [node.isCoordinator ? "coordinator" : nil, node.hasShards ? "has shards" : nil]
      Block.row(
        index == 0 ? "nodes" : "",
        (["\(node.host):\(node.port)"] + parts.compactMap(\.self)).joined(separator: ", ")
      )
    }
    for (index, served) in servedVersions.enumerated() {
      Block.row(index == 0 ? "serves" : "", served.text)
    }
    if let drift { Block.row("drift", drift.summary) }
    for obstacle in obstacles { obstacle.blocks }
    if let nextCall { Block.row("next", completeNextCommand ?? nextCall.wordsForOneStore) }
  }

  /// The state, in a line.
  var explanation: String {
    switch state {
    case .empty: "the schema is empty"
    case .creating: creation?.text ?? "being created"
    case .current: "current"
    case .behind: "current, but behind in layout: indexes, defaults or delete rules are missing"
    case .older: "older, \(counted(steps.count, "step")) to go"
    case .blocked: "older, and there is no path to the target"
    case .newer: "newer, or of other models: nothing leads to the target"
    case .reverted:
      "reverted from the target: migrate --to \(target.name) migrates there again, migrate alone does not"
    }
  }
}

extension CheckReport: Report {
  var json: JSONObject {
    [
      "current": isCurrent,
      "behind": isBehind,
      "unfinished": isUnfinished,
      "served": isServed,
      "version": version?.name,
      "checksum": version?.checksum,
      "creation": creation,
      "job": jobID,
      "target": target.name,
      "targetChecksum": target.checksum,
    ]
  }

  var blocks: [Block] {
    "\(isCurrent ? "current" : isServed ? "served" : "not current"): \(explanation)"
  }

  /// Where the database is, and why that is not enough.
  var explanation: String {
    if let creation { return creation.text }
    let found = "the database is at \(version.map { versionName($0.name) } ?? "no version")"
    if isUnfinished {
      return "\(found), but deferred work that its release needs is pending: run migrate"
    }
    if isServed { return "\(found) and serves \(versionName(target.name))" }
    guard isCurrent else { return "\(found), the model at \(versionName(target.name))" }
    let layout = isBehind ? ", but behind in layout: run migrate" : ""
    let job = jobID.map { "; copy job \($0) is unfinished: migrate ends it" } ?? ""
    return "\(found)\(layout)\(job)"
  }
}

extension PendingWork: JSONKeyed {
  /// The keys of deferred work.
  var json: JSONObject {
    [
      "version": version,
      "phase": phase.rawValue,
      "kind": kind.rawValue,
      "table": table.name,
      "object": object.name,
      "summary": summary,
      "createdAt": createdAt,
      "lastError": lastError,
    ]
  }
}

extension FinishReport: Report {
  var json: JSONObject {
    [
      "version": version?.name,
      "checksum": version?.checksum,
      "done": done,
      "left": left,
      "partitions": partitions.map {
        [
          "table": $0.table, "partition": $0.partition, "change": $0.isAdded ? "added" : "retained",
        ] as JSONObject
      },
      "warnings": warnings,
    ]
  }

  var blocks: [Block] {
    for work in done { Block.row(work.summary, work.duration.brief) }
    for change in partitions {
      "\(change.isAdded ? "added" : "retained") partition \"\(change.partition)\" of table \"\(change.table)\""
    }
    if left.isEmpty {
      done.isEmpty && partitions.isEmpty
        ? "nothing to do: nothing is pending" : "finished: nothing is pending"
    } else {
      "left for another finish:"
      for work in left { "  \(work.summary)" }
    }
  }
}

extension DeferredWorkExecution.Done: JSONKeyed {
  var json: JSONObject {
    [
      "phase": work.phase.rawValue,
      "kind": work.kind.rawValue,
      "table": work.table.name,
      "object": work.object.name,
      "summary": summary,
      "durationMilliseconds": duration,
    ]
  }
}

extension CleanupReport: Report {
  var json: JSONObject {
    [
      "version": version?.name,
      "checksum": version?.checksum,
      "dryRun": isDryRun,
      "objects": items,
      "statements": statements.map {
        ["sql": $0.sql.text, "reason": $0.reason, "locks": $0.impact.locks.named(\.name)]
          as JSONObject
      },
      "warnings": diagnostics,
    ]
  }

  var blocks: [Block] {
    if items.isEmpty {
      "nothing to clean up"
    } else {
      Block.row("table", "column", "of version", "retained since", "rows", "size", "")
    }
    for item in items {
      let object = item.entry.object
      Block.row(
        object.table.name,
        object.column?.name ?? "",
        object.version,
        item.entry.retainedAt,
        item.amount?.rows.map { "about \($0)" } ?? "unknown",
        item.amount?.bytes.map { "about \(byteCount($0))" } ?? "unknown",
        item.outcome(isDryRun: isDryRun)
      )
    }
    if isDryRun, !items.isEmpty, !statements.isEmpty {
      ""
      for statement in statements { Block.text(ReadableSQL(statement.sql.text).text + ";") }
    }
  }
}

/// What a cleanup would drop that was not asked to drop anything.
struct UnaskedCleanup: Report {
  let report: CleanupReport

  var json: JSONObject { report.json }
  var warnings: [Diagnostic] { report.warnings }

  var blocks: [Block] {
    report.blocks
    if !report.items.isEmpty {
      ""
      "nothing was dropped: use --yes, or --older-than with an age such as 7d"
    }
  }
}

extension CleanupReport.Item: JSONKeyed {
  /// Its fate, in a word or two.
  fileprivate func outcome(isDryRun: Bool) -> String {
    switch fate {
    case .dropped: isDryRun ? "to be dropped" : "dropped"
    case .droppedWithTable: isDryRun ? "to be dropped with its table" : "dropped with its table"
    case .forgotten: "dropped already"
    case .depended, .replaced: "stays"
    }
  }

  var json: JSONObject {
    [
      "table": entry.object.table.name,
      "column": entry.object.column?.name,
      "version": entry.object.version,
      "retainedAt": entry.retainedAt,
      "estimatedRows": amount?.rows,
      "estimatedBytes": amount?.bytes,
      "outcome": word,
      "dependents": dependents,
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

extension RetainedObject {
  /// The retained object, in a line.
  var summary: String {
    if let column { return "column \"\(column)\" of table \"\(table)\", of version \"\(version)\"" }
    return "table \"\(table)\", of version \"\(version)\""
  }
}

extension VersionHash {
  /// The beginning of the hash, which is enough for people.
  var brief: String { String(text.prefix(15)) }
}

extension ServedVersion: JSONKeyed {
  var json: JSONObject {
    [
      "version": version.name,
      "checksum": version.checksum,
      "schema": schema,
      "current": isCurrent,
      "unserved": unservedTables,
      "postponed": postponedConstraints,
      "sessions": sessions.count,
      "idleSeconds": idleSeconds,
    ]
  }

  /// The version with its users, in a line.
  var text: String {
    let idle = idleSeconds.map { ", last seen \(Duration.seconds($0).brief) ago" } ?? ""
    let users = sessions.isEmpty ? "no session" : "\(counted(sessions.count, "session"))\(idle)"
    let gaps = unservedTables.isEmpty ? "" : ", without \(unservedTables.joined(separator: ", "))"
    let constraints = counted(postponedConstraints.count, "constraint")
    let postponed =
      postponedConstraints.isEmpty ? "" : ", with \(constraints) postponed until it is retired"
    return
      "\(version.name)\(isCurrent ? ", current" : ""), by schema \"\(schema)\": \(users)\(gaps)\(postponed)"
  }
}
