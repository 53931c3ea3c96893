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
      "refusal": refusal.map { .diagnostics($0.diagnostics) } ?? .null,
      "steps": .array(zip(plan.steps, forecast.steps).map { json($0, $1) }),
      "forecast": forecastJSON,
      "activity": activity.map { .object($0.json) } ?? .null,
      "tables": .object(
        sizes.mapValues {
          [
            "rows": .integer($0.rows), "bytes": .integer($0.bytes),
            "indexBytes": .integer($0.indexBytes), "toastBytes": .integer($0.toastBytes),
          ]
        }
      ),
      "warnings": .diagnostics(warnings + notes),
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

  private func json(_ step: MigrationStep, _ forecast: StepForecast) -> JSONValue {
    let changes = StepChanges(of: step)
    return [
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
        StatementGroup.groups(of: step, forecast).flatMap { group in
          group.members.map { json($0, in: group, changes) }
        }
      ),
      "forecast": forecast.json,
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

  /// Returns a statement, with what it is for and what it costs.
  private func json(
    _ member: StatementGroup.Member,
    in group: StatementGroup,
    _ changes: StepChanges
  ) -> JSONValue {
    let statement = member.statement
    let impact = statement.impact
    let locks = impact.locks.map { ($0.key.name, JSONValue.string($0.value.name)) }
    return [
      "sql": .string(statement.sql.text),
      "reason": .string(statement.reason),
      "change": .optional(group.title),
      "elements": .strings(changes.subjects(of: statement).map(\.description)),
      "phase": .string(statement.phase.rawValue),
      "policy": .optional(statement.rowPolicy?.policyClassName),
      "locks": .object(Dictionary(locks, uniquingKeysWith: { $1 })),
      "rewrites": .strings(impact.rewrites.sorted().map(\.name)),
      "scans": .strings(impact.scans.sorted().map(\.name)),
      "hazards": .strings(member.forecast.hazards.map(\.rawValue)),
      "breaks": .strings(statement.breakages.map(\.description)),
      "transactional": .bool(statement.isTransactional),
      "estimatedRows": .optional(member.forecast.rows),
      "estimatedBytes": .optional(member.forecast.bytes),
      "estimatedWrittenBytes": .optional(member.forecast.writtenBytes),
      "estimatedLogBytes": .optional(member.forecast.logBytes),
      "estimatedMilliseconds": .milliseconds(member.forecast.seconds),
      "estimatedRowsAtRisk": .optional(member.forecast.rowsAtRisk?.count),
    ]
  }
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
