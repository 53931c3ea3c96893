import RemodelKit

extension RehearsalReport {
  /// The rehearsal for people.
  @BlockBuilder
  var blocks: [Block] {
    for step in steps {
      heading(of: step)
      Block.indented {
        for (number, statement) in zip(1..., step.statements) {
          Block.row(
            "\(number).",
            statement.duration.brief,
            statement.comparison?.summary ?? "not measured",
            statement.statement.reason
          )
          for difference in statement.comparison?.differences ?? [] {
            Block.row("", "", "", difference.sentence)
          }
        }
        if !step.deferredWork.isEmpty {
          "afterwards, among others"
          Block.indented {
            for done in step.deferredWork { Block.row(done.duration.brief, done.summary) }
          }
        }
        let holds = step.noticedHolds
        if !holds.isEmpty {
          "locks held"
          Block.indented {
            for hold in holds { Block.row("\(hold.table)", hold.mode.name, hold.duration.brief) }
          }
        }
      }
    }
  }

  private func heading(of step: RehearsedStep) -> Block {
    let place =
      switch rehearsal {
      case .live: "in the database itself, undone"
      case .apart: "on a throwaway PostgreSQL \(serverVersion / 10_000)"
      }
    var facts = ["\(step.duration.brief) \(place)"]
    if let rowCount { facts.append(counted(rowCount, "row")) }
    if let bytes = step.logBytes { facts.append("log \(byteCount(bytes))") }
    if let bytes = step.diskBytes { facts.append("disk +\(byteCount(bytes))") }
    if step.isJob { facts.append("run as a job") }
    return .title(
      "rehearsed: \(versionNames(step.source, step.destination))",
      "  \(facts.joined(separator: ", "))"
    )
  }
}

extension RehearsedStep {
  /// The locks that block other sessions.
  var noticedHolds: [HeldLock] { holds.filter { $0.mode > .accessShare } }
}

extension ImpactComparison {
  /// The comparison of the measurement with the forecast, in a few words.
  var summary: String {
    switch verdict {
    case .equal: "as predicted"
    case .less: "read less"
    case .different: "different"
    }
  }
}

extension RehearsalReport: JSONKeyed {
  /// The keys of a rehearsal.
  var json: JSONObject {
    [
      "place": rehearsal == .live ? "live" : "apart",
      "serverVersion": serverVersion,
      "rows": rowCount,
      "steps": steps.map(Self.json),
      "warnings": diagnostics,
    ]
  }

  private static func json(_ step: RehearsedStep) -> JSONObject {
    [
      "source": step.source,
      "target": step.destination,
      "job": step.isJob,
      "durationMilliseconds": step.duration,
      "logBytes": step.logBytes,
      "diskBytes": step.diskBytes,
      "statements": step.statements.map(json),
      "lateWork": step.deferredWork.map {
        ["summary": $0.summary, "durationMilliseconds": $0.duration] as JSONObject
      },
      "held": step.holds.map {
        ["table": "\($0.table)", "lock": $0.mode.name, "durationMilliseconds": $0.duration]
          as JSONObject
      },
    ]
  }

  private static func json(_ statement: RehearsedStatement) -> JSONObject {
    let comparison = statement.comparison
    return [
      "sql": statement.statement.sql.text,
      "durationMilliseconds": statement.duration,
      "logBytes": statement.logBytes,
      "verdict": comparison?.verdict.rawValue,
      "locks": (comparison?.locks ?? [:]).named(\.description),
      "rewrites": names(comparison?.rewrites),
      "scans": names(comparison?.scans),
      "sparedScans": names(comparison?.sparedScans),
      "differences": (comparison?.differences ?? []).map(\.sentence),
    ]
  }

  private static func names(_ tables: Set<QualifiedName>?) -> [String] {
    (tables ?? []).sorted().map(\.description)
  }
}
