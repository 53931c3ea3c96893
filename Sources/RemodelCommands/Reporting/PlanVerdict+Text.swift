import RemodelKit

extension PlanVerdict {
  /// What there is to say, a line each, the answer first.
  var lines: [String] { findings.map(\.text) }
}

extension PlanVerdict.Finding {
  /// The finding in a word, for programs.
  var name: String {
    switch self {
    case .nothingToDo: "nothing"
    case .rowsInTheWay: "rows"
    case .refused: "refused"
    case .losesValues: "loss"
    case .unknownEffect: "sql"
    case .blocks: "blocks"
    case .breaksPreviousRelease: "breaks"
    case .unknownWait: "unknown"
    case .brief: "brief"
    case .heldUp: "held"
    case .uncheckedRows: "unchecked"
    case .safe: "safe"
    }
  }

  /// The finding in a line, for people.
  var text: String {
    switch self {
    case .nothingToDo: "nothing to do"
    case .rowsInTheWay(let count):
      "cannot run: the rows do not meet \(counted(count, "condition"))"
    case .refused: "may not run: it is refused"
    case .losesValues(let rows): "deletes \(rows.text)"
    case .unknownEffect: "runs SQL that people wrote: what it does is not known"
    case .blocks(let seconds): "keeps others waiting for \(estimateText(seconds))"
    case .breaksPreviousRelease: "breaks statements of the previous release"
    case .unknownWait: "not known how long others wait: the size of a table is not known"
    case .brief(let seconds): "for a quiet time: somebody waits for \(estimateText(seconds))"
    case .heldUp: "held up now: others hold locks that it waits for"
    case .uncheckedRows: "not known whether the rows allow it: not all conditions were checked"
    case .safe: "safe at any time: nobody waits for more than about 1 s"
    }
  }

  /// How grave it is, as the name of a class of the page, and its mark.
  var weight: (name: String, mark: String) {
    switch self {
    case .nothingToDo: ("plain", "=")
    case .safe: ("fine", "✓")
    case .breaksPreviousRelease, .unknownWait, .brief, .heldUp, .uncheckedRows: ("care", "!")
    case .rowsInTheWay, .refused, .losesValues, .unknownEffect, .blocks: ("stop", "✕")
    }
  }
}

extension PlanReport {
  /// The plan as a script, under comments with what there is to say of it.
  var scriptText: String {
    get throws {
      let script = try script
      return verdict.lines.map { "-- verdict  \($0)\n" }.joined() + script
    }
  }
}
