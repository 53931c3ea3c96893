import RemodelKit

extension PlanDecision: JSONKeyed {
  /// The facts to decide on, without values of rows: a plan file is kept.
  var json: JSONObject {
    [
      "verdict": verdict.answer.name,
      "severity": verdict.severity.rawValue,
      "waits": waits,
      "losses": losses,
      "breakages": breakages,
      "rowChecks": rowChecks,
      "wayBack": wayBack,
      "next": next,
    ]
  }
}

extension StatementReference: JSONKeyed {
  var json: JSONObject { ["step": step, "statement": statement] }
}

extension PlanDecision.Wait: JSONKeyed {
  var json: JSONObject {
    [
      "table": table.name.name,
      "step": step,
      "lock": lock.name,
      "readersMilliseconds": readers,
      "writersMilliseconds": writers,
      "cause": cause,
      "reason": reason,
      "rowsWrittenPerSecond": rowsWrittenPerSecond,
    ]
  }
}

extension PlanDecision.Loss: JSONKeyed {
  var json: JSONObject {
    [
      "statement": statement,
      "kind": data?.kind.rawValue ?? "unknown",
      "entities": data?.entityNames ?? [],
      "property": data?.propertyName,
      "table": data?.table.name,
      "column": data?.column?.name,
      "rows": count.number,
      "isCounted": count.isCounted,
    ]
  }
}

extension PlanDecision.RowCount {
  fileprivate var number: Int? {
    switch self {
    case .counted(let count), .about(let count): count
    case .notKnown: nil
    }
  }

  fileprivate var isCounted: Bool { if case .counted = self { true } else { false } }
}

extension PlanDecision.Breakage: JSONKeyed {
  var json: JSONObject {
    [
      "statement": statement,
      "table": change.table.name,
      "description": change.description,
      "sql": failing.sql.text,
      "effect": failing.effect.rawValue,
    ]
  }
}

extension PlanDecision.RowCheck: JSONKeyed {
  var json: JSONObject {
    [
      "step": step,
      "number": number,
      "statements": statements,
      "requirement": condition.requirement,
      "state": state.rawValue,
      "count": count,
      "query": query?.text,
    ]
  }
}

extension PlanDecision.WayBack: JSONKeyed {
  var json: JSONObject {
    [
      "revert": revert.name,
      "version": version,
      "stepCount": stepCount,
      "retained": retained,
      "retainedUntil": term.rawValue,
      "missing": missing,
    ]
  }
}

extension PlanDecision.WayBack.Revert {
  /// The case in a word, for programs.
  var name: String {
    switch self {
    case .nothing: "nothing"
    case .noVersionBefore: "no-version-before"
    case .restoresAll: "restores-all"
    case .restoresSome: "restores-some"
    case .untilWritten: "until-written"
    case .byMappingModel: "by-mapping-model"
    case .needsMapping: "needs-mapping"
    case .migration: "migration"
    }
  }
}

extension PlanDecision.Retained: JSONKeyed {
  var json: JSONObject {
    ["step": step, "table": object.table.name, "column": object.column?.name]
  }
}

extension PlanDecision.NextCommands: JSONKeyed {
  var json: JSONObject {
    ["run": run, "approve": approve, "planAgain": planAgain, "revert": revert]
  }
}
