import RemodelKit

extension VerificationReport: Report {
  var json: [String: JSONValue] {
    [
      "version": .optional(version?.name),
      "checksum": .optional(version?.checksum.text),
      "creation": creation?.json ?? .null,
      "job": .optional(job?.id),
      "unfinished": .bool(isUnfinished),
      "drift": .array(drift.map(\.json)),
      "pending": .array(pending.map { ["object": .string($0.description)] }),
      "rows": findings.map { .array($0.map(\.json)) } ?? .null,
      "owners": .array(
        ownerChanges.map {
          [
            "table": .string($0.table), "recorded": .string($0.recorded),
            "owner": .string($0.owner),
          ]
        }
      ),
      "others": .array(
        bystanders.map {
          [
            "kind": .string($0.kind), "object": .string($0.identity),
            "usesStore": .bool($0.usesStore),
          ]
        }
      ),
      "unrecorded": .integer(unrecordedCount),
      "recordedOn": .optional(recordedMajor),
      "server": .integer(serverMajor),
    ]
  }

  func lines(_ style: TextStyle) -> [String] {
    if let creation { return ["not to be verified yet: \(creation.text)"] }
    guard let version else { return ["nothing to verify: the schema is empty"] }
    var lines = ["\(versionName(version.name)): \(summary)"]
    if let job { lines.append("copy job \(job.id) is not ended: \(job.summary)") }
    if isUnfinished { lines.append("something is left that a release relies on: run migrate") }
    lines += notes + DriftLines(drift, style).lines
    for object in pending { lines.append("pending: \(object), until known work is done") }
    lines += findingLines
    for change in ownerChanges {
      lines.append(
        "owner of table \"\(change.table)\": \(change.owner), was \(change.recorded) (no drift)"
      )
    }
    if !bystanders.isEmpty {
      lines += ["", "not of this store, and left alone"]
      for other in bystanders {
        lines.append(
          "  \(other.kind) \(other.identity)\(other.usesStore ? ", which uses its tables" : "")"
        )
      }
    }
    return lines
  }

  private var summary: String {
    let violated = findings?.filter(\.isViolated).count ?? 0
    let found =
      drift.isEmpty ? "no drift" : counted(drift.count, "object") + " drifted"
    let rows =
      findings == nil
      ? ""
      : violated == 0
        ? ", the rows are as they should be" : ", rows break \(counted(violated, "rule"))"
    return found + rows
  }

  private var notes: [String] {
    if recordedMajor == nil {
      return [
        "no definitions are recorded, so only what the model itself says is compared; "
          + "the next migration records them"
      ]
    }
    var notes: [String] = []
    if let recordedMajor, recordedMajor != serverMajor {
      notes.append(
        "the definitions were recorded on PostgreSQL \(recordedMajor), and this is \(serverMajor): "
          + "expressions are compared without their parentheses"
      )
    }
    if unrecordedCount > 0 {
      notes.append(
        "of \(counted(unrecordedCount, "object")) no definition is recorded, and only what the "
          + "model says is compared"
      )
    }
    return notes
  }

  private var findingLines: [String] {
    guard let findings, !findings.isEmpty else { return [] }
    var table = TextTable()
    var remedies: [String] = []
    for finding in findings {
      let state =
        switch finding.count {
        case nil: "not checked"
        case 0: "holds"
        case let count?: counted(count, "row")
        }
      table.add(state, finding.precondition.requirement)
      if finding.isViolated {
        let keys = finding.sampleKeys.map { " (keys: \($0))" } ?? ""
        remedies.append("    to do: \(finding.precondition.remedy)\(keys)")
      }
    }
    return ["", "rows"] + table.lines(indentation: 2) + remedies
  }
}

/// What differs, entity by entity.
struct DriftLines {
  let lines: [String]

  init(_ drifts: [Drift], _ style: TextStyle) {
    var lines: [String] = []
    var entities: [String?] = []
    for drift in drifts where !entities.contains(drift.element?.entityName) {
      entities.append(drift.element?.entityName)
    }
    for entity in entities {
      lines += ["", style.bold(entity.map { "entity \($0)" } ?? "database")]
      for drift in drifts where drift.element?.entityName == entity { lines += drift.lines(style) }
    }
    self.lines = lines
  }
}

extension Drift {
  var json: JSONValue {
    [
      "object": .string(object.description),
      "kind": .string(object.kind.rawValue),
      "table": object.table.isEmpty ? .null : .string(object.table),
      "name": object.name.isEmpty ? .null : .string(object.name),
      "change": .string(change.rawValue),
      "element": .optional(element?.description),
      "entity": .optional(element?.entityName),
      "property": .optional(element?.propertyName),
      "expected": .optional(expected),
      "actual": .optional(actual),
      "hint": .string(hint),
      "remedy": .strings(remedy.map(\.text)),
    ]
  }

  fileprivate func lines(_ style: TextStyle) -> [String] {
    var subject = "  \(change.rawValue) \(object)"
    if let element, element.propertyName != nil { subject += " (\(element))" }
    var table = TextTable()
    if let expected { table.add("expected", firstLine(of: expected)) }
    if let actual { table.add("actual", firstLine(of: actual)) }
    table.add("hint", hint)
    return [subject] + table.lines(indentation: 4)
      + remedy.flatMap { statement in
        "\(ReadableSQL(statement.text).text);".lines.map { "      " + style.dim($0) }
      }
  }

  /// The whole of a function is in the statement that makes it.
  private func firstLine(of text: String) -> String {
    let lines = text.split(separator: "\n")
    return lines.count > 1 ? "\(lines[0])…" : text
  }
}

extension PreconditionFinding {
  var json: JSONValue {
    [
      "requirement": .string(precondition.requirement),
      "entity": .string(precondition.entityName),
      "property": .optional(precondition.propertyName),
      "count": .optional(count),
      "keys": .optional(sampleKeys),
      "hint": .string(precondition.remedy),
    ]
  }
}
