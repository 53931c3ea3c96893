import RemodelKit

/// What a model was written as.
struct ConversionReport: Report {
  let conversion: ModelConversion

  var json: [String: JSONValue] {
    [
      "form": .string(conversion.form.rawValue),
      "path": .string(conversion.path),
      "versions": .array(conversion.versions.map { .string($0) }),
      "current": .string(conversion.currentVersion),
      "files": .array(conversion.files.map { .string($0.path) }),
    ]
  }

  func lines(_ style: TextStyle) -> [String] {
    let count = counted(conversion.versions.count, "version")
    return ["wrote \(count) to \(conversion.path)"] + conversion.files.map { "  \($0.path)" }
  }
}
