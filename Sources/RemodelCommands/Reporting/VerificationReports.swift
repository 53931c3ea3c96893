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
      "kinds": kinds.json,
      "unrecorded": unrecordedCount,
      "recordedOn": recordedMajor,
      "server": serverMajor,
    ]
  }

  var blocks: [Block] {
    if let creation {
      "not to be verified yet: \(creation.text)"
    } else if let version {
      "\(versionName(version.name)): \(summary)"
      if let job { "copy job \(job.id) is not ended: \(job.summary)" }
      if isUnfinished { "something is left that a release relies on: run migrate" }
      notes
      drift.blocks
      for object in pending { "pending: \(object), until known work is done" }
      findings?.blocks ?? []
      for change in ownerChanges {
        "owner of table \"\(change.table)\": \(change.owner), was \(change.recorded) (no drift)"
      }
      kinds.blocks
      if !bystanders.isEmpty {
        ""
        "not of this store, and left alone"
        for other in bystanders {
          "  \(other.kind) \(other.identity)\(other.usesStore ? ", which uses its tables" : "")"
        }
      }
    } else {
      "nothing to verify: the schema is empty"
    }
  }

  var summary: String {
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
}

extension [PreconditionFinding] {
  @BlockBuilder
  fileprivate var blocks: [Block] {
    if !isEmpty {
      ""
      "rows"
      Block.indented {
        for finding in self { Block.row(finding.state, finding.precondition.requirement) }
        for finding in self where finding.isViolated { "  \(finding.toDo)" }
      }
    }
  }
}

extension [String: TableKind] {
  fileprivate var json: [JSONObject] {
    sorted { $0.key < $1.key }.map { table, kind in
      ["table": table, "kind": kind.description] as JSONObject
    }
  }

  @BlockBuilder
  fileprivate var blocks: [Block] {
    for (table, kind) in sorted(by: { $0.key < $1.key }) {
      "table \"\(table)\" is \(kind), which the model does not declare (no drift)"
    }
  }
}

extension [Drift] {
  /// What differs, entity by entity.
  @BlockBuilder
  fileprivate var blocks: [Block] {
    let entities = reduce(into: [String?]()) { names, drift in
      if !names.contains(drift.element?.entityName) { names.append(drift.element?.entityName) }
    }
    for entity in entities {
      ""
      Block.title(entity.map { "entity \($0)" } ?? "database")
      for drift in self where drift.element?.entityName == entity { drift.blocks }
    }
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

  @BlockBuilder
  fileprivate var blocks: [Block] {
    let place = element.flatMap { $0.propertyName == nil ? nil : " (\($0))" } ?? ""
    "  \(change.rawValue) \(object)\(place)"
    Block.indented(4) {
      if let expected { Block.row("expected", firstLine(of: expected)) }
      if let actual { Block.row("actual", firstLine(of: actual)) }
      Block.row("hint", hint)
      Block.indented {
        for statement in remedy { Block.sql("\(ReadableSQL(statement.text).text);") }
      }
    }
  }

  /// The whole function is in the statement that creates it.
  private func firstLine(of text: String) -> String {
    let lines = text.split(separator: "\n")
    return lines.count > 1 ? "\(lines[0])…" : text
  }
}

extension PreconditionFinding: JSONKeyed {
  /// What the rows say to the precondition.
  var state: String {
    switch count {
    case nil: "not checked"
    case 0: "holds"
    case let count?: counted(count, "row")
    }
  }

  /// What there is to do, with keys of rows.
  var toDo: String {
    "to do: \(precondition.remedy)\(sampleKeys.map { " (keys: \($0))" } ?? "")"
  }

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
      "kinds": kinds.json,
      "rows": findings,
      "model": model.map {
        ["path": $0.path, "file": $0.file, "text": $0.text, "wasThere": $0.wasThere] as JSONObject
      },
      "warnings": warnings,
    ]
  }

  var blocks: [Block] {
    let name = versionName(version.name)
    if let model {
      if outcome == .matches {
        "\(model.file) would be"
        ""
        Block.text(model.text)
      } else if model.wasThere {
        "continued with \(model.file), which an earlier adoption has written"
      } else {
        "wrote \(model.file)"
      }
    }
    switch outcome {
    case .adopted: "adopted: the database is at \(name) now, with \(counted(tables.count, "table"))"
    case .unchanged: "nothing to adopt: the database is at \(name) already"
    case .matches: "the database matches \(name); nothing was recorded"
    case .differs:
      Block.line(
        "not adopted: \(counted(differences.count, "object"))",
        .error,
        rest: " \(differences.count == 1 ? "differs" : "differ") from \(name)"
      )
      differences.blocks
    }
    kinds.blocks
    if !unexpressed.isEmpty {
      ""
      "left alone"
      for object in unexpressed { "  \(object): \(object.explanation)" }
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
