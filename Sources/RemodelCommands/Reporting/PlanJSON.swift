import RemodelKit

extension PlanReport {
  /// The keys that a plan file is read by, and those for people and programs.
  var json: JSONObject {
    get throws {
      try JSONObject(from: source, to: target).merging([
        "digest": plan.digest,
        "schema": plan.schema.name,
        "refusal": refusal?.diagnostics,
        "steps": zip(plan.steps, forecast.steps).map { json($0, $1) },
        "forecast": forecastJSON,
        "decision": decision,
        "activity": activity,
        "warnings": warnings + notes,
        "rehearsal": rehearsal,
        "origin": nil as String?,
        "toolVersion": toolVersion,
        "seal": PlanSeal.blank,
      ]).merging(JSONObject(coding: ApprovedPlan.Record(self)))
    }
  }

  var jsonText: String {
    get throws { PlanSeal.sealed(try json.merging(["formatVersion": 1]).jsonValue.text) }
  }

  /// The database's result for a precondition; `nil` if it was not checked.
  func finding(of precondition: PlannedPrecondition) -> PreconditionFinding? {
    findings.first { $0.precondition == precondition }
  }

  private func json(_ step: MigrationStep, _ forecast: StepForecast) -> JSONObject {
    let intents = intents(of: step)
    let choice: JSONObject = step.choice.map { ["strategyReason": $0.sentence] } ?? [:]
    let rest: JSONObject = [
      "source": step.source?.name,
      "passedVersions": step.passedVersions,
      "metadataOnly": step.isMetadataOnly,
      "preconditions": step.preconditions.map(json),
      "lockedTables": Dictionary(
        step.lockedTables.map { ($0.name.name.name, $0.mode.name) },
        uniquingKeysWith: { $1 }
      ),
      "strategy": step.strategy.rawValue,
      "statements":
        StatementGroup.groups(of: step, forecast, intents).flatMap { group in
          group.members.map { json($0, intents.subjects) }
        },
      "intents": intents.intents.map(json),
      "forecast": forecast,
      "retained": step.retained,
      "warnings": step.warnings,
    ]
    return rest.merging(choice)
  }

  private func json(_ intent: StepIntents.Intent) -> JSONObject {
    [
      "entity": intent.entityName,
      "work": intent.work.rawValue,
      "rows": intent.rows,
      "summary": intent.summary(arrow: "->"),
      "statements": intent.statements.map { $0 + 1 },
    ]
  }

  private func json(_ precondition: PlannedPrecondition) -> JSONObject {
    let finding = finding(of: precondition)
    return precondition.json.merging(
      [
        "checked": finding?.count != nil,
        "count": finding?.count,
        // A plan file is kept, and values of rows are not: the query finds them.
        "sampleKeys": nil as String?,
      ]
    )
  }

  /// Returns a statement, with its purpose and its cost.
  private func json(
    _ member: StatementGroup.Member,
    _ changes: StepChanges
  ) -> JSONObject {
    let statement = member.statement
    let impact = statement.impact
    return [
      "reason": statement.reason,
      "change": changes.title(of: statement),
      "elements": changes.subjects(of: statement).map(\.description),
      "phase": statement.phase.rawValue,
      "policy": statement.rowPolicy?.policyClassName,
      "locks": impact.locks.named(\.name),
      "rewrites": impact.rewrites.sorted().map(\.name),
      "scans": impact.scans.sorted().map(\.name),
      "hazards": member.forecast.hazards.map(\.rawValue),
      "breaks": statement.breakages.map(\.description),
      "transactional": statement.isTransactional,
      "estimatedRows": member.forecast.rows,
      "estimatedBytes": member.forecast.bytes,
      "estimatedWrittenBytes": member.forecast.writtenBytes,
      "estimatedLogBytes": member.forecast.logBytes,
      "estimatedMilliseconds": JSONValue.milliseconds(member.forecast.seconds),
      "estimatedRowsAtRisk": member.forecast.rowsAtRisk?.count,
    ]
  }
}

extension PlannedPrecondition: JSONKeyed {
  /// The keys of a precondition.
  var json: JSONObject {
    [
      "requirement": requirement,
      "remedy": remedy,
      "entity": entityName,
      "property": propertyName,
      "coreDataError": coreDataError,
      "query": query.text,
    ]
  }
}

extension PlanReport {
  /// The cost of the whole plan, and the tables that it blocks.
  var forecastJSON: JSONObject {
    [
      "verdict": verdict.answer.name,
      "findings": verdict.findings.map(\.name),
      "readers": waiting(forecast.longestRead, \.readers),
      "writers": waiting(forecast.longestWrite, \.writers),
      "milliseconds": JSONValue.milliseconds(forecast.seconds),
      "peakDiskBytes": forecast.peakDiskBytes,
      "logBytes": forecast.logBytes,
    ]
  }

  private func waiting(
    _ block: TableBlock?,
    _ time: KeyPath<TableBlock, BlockedTime>
  ) -> JSONObject? {
    guard let block else { return nil }
    let step = zip(plan.steps, forecast.steps).first { $0.1.blocks.contains(block) }?.0
    return [
      "table": block.table.name.name,
      "step": step?.destination.name,
      "milliseconds": block[keyPath: time],
    ]
  }
}

extension StepForecast: JSONKeyed {
  /// The cost of a step, and the tables that it blocks.
  var json: JSONObject {
    [
      "milliseconds": JSONValue.milliseconds(seconds),
      "peakDiskBytes": peakDiskBytes,
      "logBytes": logBytes,
      "blocks": blocks.map { block in
        [
          "table": block.table.name.name,
          "lock": block.lock.name,
          "readersMilliseconds": block.readers,
          "writersMilliseconds": block.writers,
          "longestStatement": block.longestStatement,
        ] as JSONObject
      },
    ]
  }
}

extension Activity: JSONKeyed {
  /// The current activity.
  var json: JSONObject {
    [
      "seesOthers": seesOthers,
      "obstacles": obstacles,
      "openTransactions": openTransactions,
      "rowsWrittenPerSecond": rowsWrittenPerSecond,
    ]
  }
}

extension Activity.Obstacle: JSONKeyed {
  var json: JSONObject {
    switch self {
    case .session(let session, let tables): Self.json("session", session, tables)
    case .vacuum(let session, let tables): Self.json("vacuum", session, tables)
    case .migrator(let session): Self.json("migrator", session, [])
    case .preparedTransaction(let name, let owner, let since, let tables):
      [
        "kind": "preparedTransaction", "name": name, "user": owner,
        "since": since, "tables": tables,
      ]
    }
  }

  private static func json(
    _ kind: String,
    _ session: Activity.Session,
    _ tables: [String]
  ) -> JSONObject {
    session.json.merging(
      ["kind": kind, "tables": tables]
    )
  }
}

extension Activity.Session: JSONKeyed {
  var json: JSONObject {
    [
      "pid": pid,
      "application": application,
      "user": user,
      "state": state,
      "since": since,
      "seconds": seconds,
      "query": query,
    ]
  }
}

extension BlockedTime: JSONConvertible {
  /// The milliseconds: zero if nobody waits, null if unknown.
  var jsonValue: JSONValue {
    switch self {
    case .none: 0
    case .about(let seconds): .milliseconds(seconds)
    case .notKnown: .null
    }
  }
}

extension JSONValue {
  /// A time in whole milliseconds, or null.
  static func milliseconds(_ seconds: Double?) -> JSONValue {
    seconds.map { Int(($0 * 1000).rounded(.up)) }.jsonValue
  }
}

extension Dictionary where Value == LockMode {
  /// Returns the names of the locks, by the names of the locked objects.
  func named(_ name: (Key) -> String) -> [String: String] {
    [String: String](map { (name($0), $1.name) }, uniquingKeysWith: { $1 })
  }
}
