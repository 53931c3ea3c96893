import Logging
import RemodelKit

extension RunPhase {
  /// The phase in words.
  var title: String {
    switch self {
    case .prepare: "prepare"
    case .copyRows: "copy rows"
    case .buildIndexes: "build indexes"
    case .catchUp: "catch up"
    case .compare: "compare"
    case .switch: "switch"
    case .change: "change tables"
    case .validate: "validate"
    case .deferredWork: "deferred work"
    case .cleanUp: "clean up"
    }
  }
}

extension RunWait {
  /// The reason in words.
  var text: String {
    switch self {
    case .migrationLock: return "waiting for another migrator of this store"
    case .locks(let blockers):
      guard let first = blockers.first else { return "waiting for locks of others" }
      let more = blockers.count > 1 ? ", and \(blockers.count - 1) more" : ""
      return "waiting for \(first)\(more)"
    case .throttle(let reason): return "giving way: \(reason)"
    case .server: return "waiting for the server"
    case .worker: return "no process works on it"
    }
  }
}

extension RunProgress {
  /// Returns the progress as a line for people, the most important facts first.
  func line(at time: Double) -> String {
    guard let phase, let number = phaseNumber else { return wait?.text ?? "begin" }
    var head = phase.phase.title
    if number.count > 1 { head += " (\(number.number) of \(number.count))" }
    if let plan, plan.steps.count > 1, let versions {
      head = "\(versions.source ?? "empty") -> \(versions.destination), \(head)"
    }
    let facts =
      [wait?.text] + [shareText(phase), remainingText(at: time)] + [rowsText(phase)]
      + [statementText, activityText, backlog.map { "\(grouped($0)) changes left" }]
    let known = facts.compactMap(\.self)
    let elapsed = Duration.seconds(phase.elapsed(at: time)).inWholeSeconds
    return "\(head): " + (known.isEmpty ? elapsed : known.joined(separator: ", "))
  }

  private func shareText(_ phase: PhaseProgress) -> String? {
    phase.isMeasured ? "\(Int(phase.share * 100)) %" : nil
  }

  private func remainingText(at time: Double) -> String? {
    if let seconds = remaining(at: time) {
      return "\(Duration.seconds(seconds).inWholeSeconds) left"
    }
    return remainingOfPhase(at: time).map {
      "\(Duration.seconds($0).inWholeSeconds) left of this phase"
    }
  }

  private func rowsText(_ phase: PhaseProgress) -> String? {
    guard phase.rowsDone > 0 else { return nil }
    var text = grouped(phase.rowsDone)
    if let total = phase.rowsTotal { text += " of \(grouped(total))" }
    text += " rows"
    if let rate = phase.rowsPerSecond { text += ", \(grouped(Int(rate))) rows/s" }
    return text
  }

  private var statementText: String? {
    guard phase?.rowsDone == 0 else { return nil }
    return statement.map { "statement \($0.number) of \($0.count)" }
  }

  private var activityText: String? {
    guard let activity else { return phase?.phase == .deferredWork ? part : nil }
    return activity.name + (activity.share.map { " \(Int($0 * 100)) %" } ?? "")
  }

  /// Returns the progress as the values of a log record.
  func metadata(at time: Double) -> Logger.Metadata {
    var metadata: Logger.Metadata = ["elapsed": .stringConvertible(Duration.seconds(time))]
    if let wait { metadata["waitingFor"] = "\(wait.text)" }
    guard let phase, let number = phaseNumber else { return metadata }
    metadata["phase"] = "\(phase.phase.rawValue)"
    metadata["phaseNumber"] = .stringConvertible(number.number)
    metadata["phases"] = .stringConvertible(number.count)
    if phase.isMeasured {
      metadata["share"] = .stringConvertible((phase.share * 1_000).rounded() / 1_000)
    }
    if phase.rowsDone > 0 {
      metadata["rows"] = .stringConvertible(phase.rowsDone)
      if let total = phase.rowsTotal { metadata["rowsTotal"] = .stringConvertible(total) }
      if let rate = phase.rowsPerSecond {
        metadata["rowsPerSecond"] = .stringConvertible(Int(rate))
      }
    }
    if let part { metadata["part"] = "\(part)" }
    if let statement {
      metadata["statement"] = .stringConvertible(statement.number)
      metadata["statements"] = .stringConvertible(statement.count)
    }
    if let activity {
      metadata["activity"] = "\(activity.name)"
      if let share = activity.share {
        metadata["activityShare"] = .stringConvertible((share * 1_000).rounded() / 1_000)
      }
    }
    if let backlog { metadata["backlog"] = .stringConvertible(backlog) }
    if let seconds = remaining(at: time) {
      metadata["remaining"] = .stringConvertible(Duration.seconds(seconds))
    } else if let seconds = remainingOfPhase(at: time) {
      metadata["remainingOfPhase"] = .stringConvertible(Duration.seconds(seconds))
    }
    return metadata
  }
}

// MARK: - Summary

extension RunProgress {
  /// Returns the lines for people at the end of a run.
  func summary(at time: Double) -> [Block] {
    let times = times(at: time)
    let took = Duration.seconds(time).brief
    var lines = [rows > 0 ? "\(grouped(rows)) rows in \(took)" : "done in \(took)"]
    if times.count > 1 {
      lines.append(
        "  phases: "
          + times.map { "\($0.phase.title) \(Duration.seconds($0.seconds).brief)" }
          .joined(separator: ", ")
      )
    }
    if let longest = othersText(at: time) { lines.append("  others: \(longest)") }
    let own = ownWaits(at: time)
    if !own.isEmpty { lines.append("  waited: " + own.joined(separator: ", ")) }
    if retainedCount > 0 {
      let cleanup = StoreOptions.current.phrase(CommandCall("cleanup"))
      lines.append("  retained: \(counted(retainedCount, "object")), until \(cleanup) drops them")
    }
    if let next {
      let call = StoreOptions.current.completing(next)?.text ?? next.wordsForOneStore
      lines.append("  next: \(call)")
    }
    return lines.map { .line($0) }
  }

  /// Returns the values of the log record at the end of a run.
  func summaryMetadata(at time: Double) -> Logger.Metadata {
    var metadata: Logger.Metadata = [
      "duration": .stringConvertible(Duration.seconds(time)),
      "rows": .stringConvertible(rows),
      "phaseSeconds": .dictionary(
        Dictionary(
          times(at: time).map {
            ($0.phase.rawValue, .stringConvertible(($0.seconds * 1_000).rounded() / 1_000))
          },
          uniquingKeysWith: { first, _ in first }
        )
      ),
      "retries": .stringConvertible(retries),
      "retained": .stringConvertible(retainedCount),
    ]
    if let longestLock {
      metadata["longestLock"] = .stringConvertible(Duration.seconds(longestLock))
    }
    if let gated = gated(at: time) {
      metadata["writersTurnedAway"] = .stringConvertible(Duration.seconds(gated))
    }
    if throttled > 0 { metadata["throttled"] = .stringConvertible(Duration.seconds(throttled)) }
    if let call = next.flatMap(StoreOptions.current.completing) {
      metadata["next"] = "\(call.text)"
    }
    return metadata
  }

  /// What is known of how long others have waited.
  private func othersText(at time: Double) -> String? {
    var facts: [String] = []
    if let gated = gated(at: time) {
      facts.append("writers were turned away for \(Duration.seconds(gated).brief)")
    }
    if let longestLock {
      facts.append("waited for locks for \(Duration.seconds(longestLock).brief) at most")
    }
    if blockedSessions > 0 {
      facts.append("up to \(counted(blockedSessions, "session")) waited for the copy")
    }
    return facts.isEmpty ? nil : facts.joined(separator: "; ")
  }

  /// How long the run itself has waited.
  private func ownWaits(at time: Double) -> [String] {
    RunWait.Kind.allCases.compactMap { kind in
      let seconds = waited(for: kind, at: time)
      guard seconds >= 0.1 else { return nil }
      let reason =
        switch kind {
        case .migrationLock: "for another migrator"
        case .locks: "for locks of others"
        case .throttle: "to give way to others"
        case .server: "for the server"
        case .worker: "for a process"
        }
      return "\(Duration.seconds(seconds).brief) \(reason)"
    }
  }

  var retainedCount: Int { committed.reduce(0) { $0 + $1.retained.count } }

  /// The command that comes next; `nil` if nothing has to.
  private var next: CommandCall? {
    let isLeft = committed.contains { $0.deferredWork.contains { $0.phase == .deferred } }
    return isLeft ? CommandCall("finish") : nil
  }
}

extension Duration {
  /// The duration without fractions of a second.
  fileprivate var inWholeSeconds: String {
    self < .seconds(60) ? "\(components.seconds) s" : brief
  }
}

/// Returns a number with a comma between each three digits.
func grouped(_ number: Int) -> String {
  var digits = String(abs(number))
  var groups: [String] = []
  while digits.count > 3 {
    groups.insert(String(digits.suffix(3)), at: 0)
    digits.removeLast(3)
  }
  return (number < 0 ? "-" : "") + ([digits] + groups).joined(separator: ",")
}
