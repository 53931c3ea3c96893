import RemodelKit

extension MappingFileReport: Report {
  var json: [String: JSONValue] {
    [
      "source": .string(source),
      "target": .string(destination),
      "yaml": .string(text),
      "holes": .diagnostics(holes),
      "warnings": .diagnostics(warnings),
    ]
  }

  func lines(_ style: TextStyle) -> [String] { text.lines }
}

/// The result of a validation of mapping models without complaints.
struct MappingValidationReport: Report {
  let names: [String]
  let warnings: [Diagnostic]

  var json: [String: JSONValue] {
    [
      "valid": true,
      "mappings": .array(names.map { .string($0) }),
      "warnings": .diagnostics(warnings),
    ]
  }

  func lines(_ style: TextStyle) -> [String] {
    guard !names.isEmpty else { return ["there is no mapping model"] }
    let remark = warnings.isEmpty ? "" : ", with \(counted(warnings.count, "warning"))"
    return ["valid: \(counted(names.count, "mapping model"))\(remark)"] + names.map { "  \($0)" }
  }
}
