import RemodelKit

extension ExportReport: Report {
  var json: [String: JSONValue] {
    [
      "form": .string(export.form.rawValue),
      "path": .string(export.path),
      "versions": .array(
        checksums.map { name, checksum in
          [
            "name": .string(name), "checksum": .string(checksum),
            "written": .bool(export.written.contains(name)),
          ]
        }
      ),
      "files": .array(export.files.map { .string($0.path) }),
    ]
  }

  func lines(_ style: TextStyle) -> [String] {
    let unchanged = counted(export.unchanged.count, "version")
    guard !export.files.isEmpty else {
      return ["nothing to write: \(export.path) has \(unchanged) as the database does"]
    }
    let present = export.unchanged.isEmpty ? "" : ", which has \(unchanged) already"
    return ["wrote \(counted(export.written.count, "version")) to \(export.path)\(present)"]
      + export.files.map { "  \($0.path)" }
  }
}
