import RemodelKit

/// The result of a validation without complaints.
struct ValidationReport: Report {
  let warnings: [Diagnostic]

  var json: [String: JSONValue] {
    ["valid": true, "warnings": .diagnostics(warnings)]
  }

  func lines(_ style: TextStyle) -> [String] {
    [warnings.isEmpty ? "valid" : "valid, with \(counted(warnings.count, "warning"))"]
  }
}
