import RemodelKit

extension PlanReport {
  /// What the whole plan costs and whom it keeps waiting.
  var forecastJSON: JSONValue {
    [
      "verdict": .string(verdict.answer.name),
      "findings": .strings(verdict.findings.map(\.name)),
      "readers": waiting(forecast.longestRead, \.readers),
      "writers": waiting(forecast.longestWrite, \.writers),
      "milliseconds": .milliseconds(forecast.seconds),
      "peakDiskBytes": .optional(forecast.peakDiskBytes),
      "logBytes": .optional(forecast.logBytes),
    ]
  }

  private func waiting(_ block: TableBlock?, _ time: KeyPath<TableBlock, BlockedTime>) -> JSONValue
  {
    guard let block else { return .null }
    let step = zip(plan.steps, forecast.steps).first { $0.1.blocks.contains(block) }?.0
    return [
      "table": .string(block.table.name.name),
      "step": .optional(step?.destination.name),
      "milliseconds": block[keyPath: time].json,
    ]
  }
}

extension StepForecast {
  /// What a step costs and whom it keeps waiting.
  var json: JSONValue {
    [
      "milliseconds": .milliseconds(seconds),
      "peakDiskBytes": .optional(peakDiskBytes),
      "logBytes": .optional(logBytes),
      "blocks": .array(
        blocks.map { block in
          [
            "table": .string(block.table.name.name),
            "lock": .string(block.lock.name),
            "readersMilliseconds": block.readers.json,
            "writersMilliseconds": block.writers.json,
            "longestStatement": .optional(block.longestStatement),
          ]
        }
      ),
    ]
  }
}

extension Activity {
  /// What goes on now.
  var json: [String: JSONValue] {
    [
      "seesOthers": .bool(seesOthers),
      "obstacles": .array(obstacles.map { .object($0.json) }),
      "openTransactions": .array(openTransactions.map { .object($0.json) }),
      "rowsWrittenPerSecond": .object(rowsWrittenPerSecond.mapValues(JSONValue.number)),
    ]
  }
}

extension Activity.Obstacle {
  fileprivate var json: [String: JSONValue] {
    switch self {
    case .session(let session, let tables): Self.json("session", session, tables)
    case .vacuum(let session, let tables): Self.json("vacuum", session, tables)
    case .migrator(let session): Self.json("migrator", session, [])
    case .preparedTransaction(let name, let owner, let since, let tables):
      [
        "kind": "preparedTransaction", "name": .string(name), "user": .optional(owner),
        "since": .optional(since), "tables": .strings(tables),
      ]
    }
  }

  private static func json(
    _ kind: String,
    _ session: Activity.Session,
    _ tables: [String]
  ) -> [String: JSONValue] {
    session.json.merging(
      ["kind": .string(kind), "tables": .strings(tables)],
      uniquingKeysWith: { $1 }
    )
  }
}

extension Activity.Session {
  fileprivate var json: [String: JSONValue] {
    [
      "pid": .integer(pid),
      "application": .optional(application),
      "user": .optional(user),
      "state": .optional(state),
      "since": .optional(since),
      "seconds": .optional(seconds),
      "query": .optional(query),
    ]
  }
}
