import RemodelKit

extension VerificationReport: Report {
  var json: JSONObject {
    [
      "version": version?.name,
      "checksum": version?.checksum,
      "creation": creation,
      "job": job?.id,
      "unfinished": isUnfinished,
      "drift": drift,
      "pending": pending.map { ["object": $0.description] as JSONObject },
      "rows": findings,
      "owners": ownerChanges.map {
        ["table": $0.table, "recorded": $0.recorded, "owner": $0.owner] as JSONObject
      },
      "others": bystanders.map {
        ["kind": $0.kind, "object": $0.identity, "usesStore": $0.usesStore] as JSONObject
      },
      "unrecorded": unrecordedCount,
      "recordedOn": recordedMajor,
      "server": serverMajor,
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
        "no definitions are recorded, so only the model itself is compared; "
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
        "\(counted(unrecordedCount, "object")) without a recorded definition: compared with the model only"
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

/// The differences, entity by entity.
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

extension Drift: JSONKeyed {
  var json: JSONObject {
    [
      "object": object.description,
      "kind": object.kind.rawValue,
      "table": object.table.isEmpty ? nil : object.table,
      "name": object.name.isEmpty ? nil : object.name,
      "change": change.rawValue,
      "element": element?.description,
      "entity": element?.entityName,
      "property": element?.propertyName,
      "expected": expected,
      "actual": actual,
      "hint": hint,
      "remedy": remedy.map(\.text),
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

  /// The whole function is in the statement that creates it.
  private func firstLine(of text: String) -> String {
    let lines = text.split(separator: "\n")
    return lines.count > 1 ? "\(lines[0])…" : text
  }
}

extension PreconditionFinding: JSONKeyed {
  var json: JSONObject {
    [
      "requirement": precondition.requirement,
      "entity": precondition.entityName,
      "property": precondition.propertyName,
      "count": count,
      "keys": sampleKeys,
      "hint": precondition.remedy,
    ]
  }
}

extension AdoptionReport: Report {
  var json: JSONObject {
    [
      "outcome": outcome.rawValue,
      "version": version.name,
      "checksum": version.checksum,
      "tables": tables,
      "differences": differences,
      "leftAlone": unexpressed,
      "rows": findings,
      "model": model.map {
        ["path": $0.path, "file": $0.file, "text": $0.text, "wasThere": $0.wasThere] as JSONObject
      },
      "warnings": warnings,
    ]
  }

  func lines(_ style: TextStyle) -> [String] {
    var lines = modelLines + [summary(style)]
    if outcome == .differs {
      lines += DriftLines(differences, style).lines
    }
    if !unexpressed.isEmpty {
      lines += ["", "left alone"]
      for object in unexpressed { lines.append("  \(object): \(object.explanation)") }
    }
    return lines
  }

  private func summary(_ style: TextStyle) -> String {
    let name = versionName(version.name)
    return switch outcome {
    case .adopted:
      "adopted: the database is at \(name) now, with \(counted(tables.count, "table"))"
    case .unchanged: "nothing to adopt: the database is at \(name) already"
    case .matches: "the database matches \(name); nothing was recorded"
    case .differs:
      style.red("not adopted: \(counted(differences.count, "object"))")
        + " \(differences.count == 1 ? "differs" : "differ") from \(name)"
    }
  }

  private var modelLines: [String] {
    guard let model else { return [] }
    switch outcome {
    case .matches:
      return ["\(model.file) would be", ""]
        + model.text.lines
    case .adopted, .unchanged, .differs:
      return [
        model.wasThere
          ? "continued with \(model.file), which an earlier adoption has written"
          : "wrote \(model.file)"
      ]
    }
  }
}

extension UnexpressedObject: JSONKeyed {
  var json: JSONObject {
    [
      "object": description,
      "kind": kind,
      "table": part?.table,
      "reason": explanation,
    ]
  }
}
