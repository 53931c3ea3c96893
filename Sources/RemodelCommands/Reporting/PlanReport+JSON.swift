import RemodelKit

extension PlanReport {
  var json: [String: JSONValue] {
    [
      "digest": .string(plan.digest),
      "schema": .string(plan.schema.name),
      "source": .optional(source?.name),
      "sourceChecksum": .optional(source?.checksum.text),
      "target": .string(target.name),
      "targetChecksum": .string(target.checksum.text),
      "steps": .array(plan.steps.map(json)),
      "tables": .object(
        sizes.mapValues {
          [
            "rows": .integer($0.rows), "bytes": .integer($0.bytes),
            "indexBytes": .integer($0.indexBytes), "toastBytes": .integer($0.toastBytes),
          ]
        }
      ),
      "warnings": .diagnostics(warnings),
      "rehearsal": rehearsal?.json ?? .null,
      "settings": settings.json,
      "origin": origin?.json ?? .null,
      "toolVersion": .string(toolVersion),
      "seal": .string(PlanSeal.blank),
    ]
  }

  var jsonText: String { PlanSeal.sealed(document.text) }

  /// What the database says to a precondition; none if it was not asked.
  func finding(of precondition: PlannedPrecondition) -> PreconditionFinding? {
    findings.first { $0.precondition == precondition }
  }

  /// The size of the tables that a statement writes anew or reads from end to end; none if one of
  /// them is not known.
  func workload(of statement: PlannedStatement) -> TableWorkload? {
    var sum = TableWorkload(rows: 0, bytes: 0)
    for table in statement.impact.rewrites.union(statement.impact.scans) {
      guard let size = sizes[table.name] else { return nil }
      sum.rows += size.rows
      sum.bytes += size.bytes
    }
    return sum
  }

  private func json(_ step: MigrationStep) -> JSONValue {
    [
      "source": .optional(step.source?.name),
      "passedVersions": .array(step.passedVersions.map(JSONValue.string)),
      "target": .string(step.destination.name),
      "digest": .string(step.digest),
      "metadataOnly": .bool(step.isMetadataOnly),
      "preconditions": .array(step.preconditions.map(json)),
      "lockedTables": .object(
        Dictionary(
          step.lockedTables.map { ($0.name.name.name, .string($0.mode.name)) },
          uniquingKeysWith: { $1 }
        )
      ),
      "strategy": .string(step.strategy.rawValue),
      "statements": .array(
        (step.copyStatements + step.statements + step.settlingStatements).map(json)
      ),
      "retained": .retained(step.retained),
      "warnings": .diagnostics(step.warnings),
    ]
  }

  private func json(_ precondition: PlannedPrecondition) -> JSONValue {
    let finding = finding(of: precondition)
    return .object(
      precondition.json.merging(
        [
          "checked": .bool(finding?.count != nil),
          "count": .optional(finding?.count),
          "sampleKeys": .optional(finding?.sampleKeys),
        ],
        uniquingKeysWith: { $1 }
      )
    )
  }

  private func json(_ statement: PlannedStatement) -> JSONValue {
    let impact = statement.impact
    let workload = workload(of: statement)
    let locks = impact.locks.map { ($0.key.name, JSONValue.string($0.value.name)) }
    return [
      "sql": .string(statement.sql.text),
      "reason": .string(statement.reason),
      "phase": .string(statement.phase.rawValue),
      "policy": .optional(statement.passage?.policyClassName),
      "locks": .object(Dictionary(locks, uniquingKeysWith: { $1 })),
      "rewrites": .strings(impact.rewrites.sorted().map(\.name)),
      "scans": .strings(impact.scans.sorted().map(\.name)),
      "hazards": .strings(impact.allHazards.map(\.rawValue)),
      "transactional": .bool(statement.isTransactional),
      "estimatedRows": .optional(workload?.rows),
      "estimatedBytes": .optional(workload?.bytes),
    ]
  }
}

/// How much a statement has to go through.
struct TableWorkload: Hashable, Sendable {
  var rows: Int
  var bytes: Int
}

extension PlannedPrecondition {
  /// The keys that say what is asked.
  var json: [String: JSONValue] {
    [
      "requirement": .string(requirement),
      "remedy": .string(remedy),
      "entity": .string(entityName),
      "property": .optional(propertyName),
      "coreDataError": .integer(coreDataError),
      "query": .string(query.text),
    ]
  }
}
