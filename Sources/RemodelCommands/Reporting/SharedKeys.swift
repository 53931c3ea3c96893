import RemodelKit

extension Diagnostic {
  /// The keys of a complaint or a warning.
  var json: [String: JSONValue] {
    [
      "severity": .string(severity.rawValue),
      "message": .string(message),
      "detail": .optional(detail),
      "hint": .optional(hint),
      "context": .optional(context),
      "sqlstate": .optional(sqlState),
      "path": .optional(location?.path),
      "line": .optional(location?.line),
      "column": .optional(location?.column),
    ]
  }
}

extension JSONValue {
  /// A list of complaints or warnings.
  static func diagnostics(_ diagnostics: [Diagnostic]) -> JSONValue {
    .array(diagnostics.map { .object($0.json) })
  }

  /// A list of what is retained.
  static func retained(_ objects: [RetainedObject]) -> JSONValue {
    .array(
      objects.map {
        [
          "table": .string($0.table.name), "column": .optional($0.column?.name),
          "version": .string($0.version),
        ]
      }
    )
  }

  /// The hashes of entities.
  static func hashes(_ hashes: [String: VersionHash]) -> JSONValue {
    .object(hashes.mapValues { .string($0.text) })
  }
}

extension RetainedObject {
  /// What is retained, in a line.
  var summary: String {
    if let column { return "column \"\(column)\" of table \"\(table)\", of version \"\(version)\"" }
    return "table \"\(table)\", of version \"\(version)\""
  }
}

extension VersionHash {
  /// The beginning of the hash, which is enough for people.
  var brief: String { String(text.prefix(15)) }
}
