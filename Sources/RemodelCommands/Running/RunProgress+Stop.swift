import RemodelKit

extension RunProgress {
  /// Where the run is stopped, and what the next one does, in a line.
  var stopText: String {
    "\(place): \(rest)"
  }

  private var place: String {
    guard let phase, phase.end == nil else {
      if let wait { return "while \(wait.text)" }
      return phase == nil ? "before the first statement" : "between two pieces of work"
    }
    var text = "while \(phase.phase.activity)"
    if hasCommitted, phase.isMeasured { text += " (\(Int(phase.share * 100)) % done)" }
    return text
  }

  private var rest: String {
    if jobID != nil || phase?.phase == .deferredWork || phase?.phase == .cleanUp, hasCommitted {
      return "what is done stays, and the next run continues"
    }
    if let version = committed.last?.destination.name {
      return "the database is at version \"\(version)\", and the next run continues from there"
    }
    return hasCommitted
      ? "what is done stays, and the next run continues"
      : "the tables are as they were, and the next run begins again"
  }
}

extension RunPhase {
  /// What the phase does, after "while".
  fileprivate var activity: String {
    switch self {
    case .prepare: "preparing"
    case .copyRows: "copying rows"
    case .buildIndexes: "building indexes"
    case .catchUp: "catching up"
    case .compare: "comparing rows"
    case .switch: "switching tables"
    case .change: "changing tables"
    case .validate: "validating foreign keys"
    case .deferredWork: "doing deferred work"
    case .cleanUp: "dropping what is retained"
    }
  }
}
