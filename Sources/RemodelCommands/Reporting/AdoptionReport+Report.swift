import RemodelKit

extension AdoptionReport: Report {
  var json: [String: JSONValue] {
    [
      "outcome": .string(outcome.rawValue),
      "version": .string(version.name),
      "checksum": .string(version.checksum.text),
      "tables": .strings(tables),
      "differences": .array(differences.map(\.json)),
      "leftAlone": .array(unexpressed.map(\.json)),
      "rows": .array(findings.map(\.json)),
      "model": model.map {
        [
          "path": .string($0.path), "file": .string($0.file), "text": .string($0.text),
          "wasThere": .bool($0.wasThere),
        ]
      } ?? .null,
      "warnings": .diagnostics(warnings),
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
    case .matches: "the database is as \(name) says; nothing was recorded"
    case .differs:
      style.red("not adopted: \(counted(differences.count, "object"))")
        + " \(differences.count == 1 ? "is" : "are") not as \(name) says"
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

extension UnexpressedObject {
  fileprivate var json: JSONValue {
    [
      "object": .string(description),
      "kind": .string(kind),
      "table": .optional(part?.table),
      "reason": .string(explanation),
    ]
  }
}
