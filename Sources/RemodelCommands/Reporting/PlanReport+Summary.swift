import RemodelKit

extension PlanReport {
  /// The lines at the head of a plan: what it costs, whom it keeps waiting, what is in its way.
  var summary: [(label: String, text: String)] {
    var lines = verdict.lines.enumerated().map { ($0 == 0 ? "verdict" : "", $1) }
    lines.append(("readers", waiting(forecast.longestRead, \.readers)))
    lines.append(("writers", waiting(forecast.longestWrite, \.writers)))
    lines.append(("time", forecast.seconds.map(estimateText) ?? "not known"))
    lines.append(("disk", disk))
    if let role = origin?.assumedRole { lines.append(("role", "\"\(role)\", by SET ROLE")) }
    if !hazardCounts.isEmpty {
      let hazards = hazardCounts.map { "\($0.count) \($0.hazard.rawValue)" }
      lines.append(("hazards", hazards.joined(separator: ", ")))
    }
    for note in notes {
      lines.append(("note", note.message + (note.hint.map { ". \($0)" } ?? "")))
    }
    if let activity {
      let obstacles = activity.obstacles.map(\.text)
      for line in obstacles { lines.append(("now", line)) }
      if obstacles.isEmpty { lines.append(("now", "nobody is in the way")) }
      if !activity.seesOthers {
        lines.append(("", "the role sees little of others: GRANT pg_read_all_stats shows more"))
      }
    }
    return lines
  }

  private func waiting(_ block: TableBlock?, _ time: KeyPath<TableBlock, BlockedTime>) -> String {
    guard let block else { return "do not wait" }
    let rate = activity?.rowsWrittenPerSecond[block.table.name.name] ?? 0
    let writes =
      time == \.writers && rate >= 0.1
      ? "; \((rate * 10).rounded() / 10) rows a second are written to it" : ""
    switch block[keyPath: time] {
    case .none: return "do not wait"
    case .about(let seconds):
      return "wait for \(estimateText(seconds)) at most, \(place(of: block))\(writes)"
    case .notKnown:
      return "wait for table \"\(block.table.name)\" for as long as that takes\(writes)"
    }
  }

  private var disk: String {
    guard let peak = forecast.peakDiskBytes, let log = forecast.logBytes else { return "not known" }
    return "up to \(byteCount(peak)) more; about \(byteCount(log)) of write-ahead log"
  }
}

extension Activity.Obstacle {
  /// What stands in the way, in a line.
  var text: String {
    switch self {
    case .session(let session, let tables):
      "\(session.text) holds locks on \(Self.names(tables))\(session.queryText)"
    case .preparedTransaction(let name, let owner, let since, let tables):
      "prepared transaction \"\(name)\"\(owner.map { " of \"\($0)\"" } ?? "")"
        + "\(since.map { ", since \($0)," } ?? "") holds locks on \(Self.names(tables))"
    case .vacuum(let session, let tables):
      "\(session.text) vacuums \(Self.names(tables)) to prevent wraparound, and does not give way"
    case .migrator(let session): "\(session.text) is migrating this store"
    }
  }

  private static func names(_ tables: [String]) -> String {
    tables.map { "\"\($0)\"" }.joined(separator: ", ")
  }
}

extension Activity.Session {
  fileprivate var text: String {
    let details = [
      application.flatMap { $0.isEmpty ? nil : "application \"\($0)\"" },
      user.map { "role \"\($0)\"" }, state, since.map { "since \($0)" },
    ].compactMap(\.self)
    return "process \(pid)\(details.isEmpty ? "" : " (\(details.joined(separator: ", ")))")"
  }

  fileprivate var queryText: String {
    guard let query, !query.isEmpty else { return "" }
    let line = query.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return ": \(line.prefix(120))"
  }
}
