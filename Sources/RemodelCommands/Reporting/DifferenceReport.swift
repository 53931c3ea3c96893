import RemodelKit

/// In what two versions differ.
struct DifferenceReport: Report {
  let source: VersionReference
  let target: VersionReference
  let difference: ModelDifference

  var json: [String: JSONValue] {
    [
      "source": .string(source.name),
      "sourceChecksum": .string(source.checksum.text),
      "target": .string(target.name),
      "targetChecksum": .string(target.checksum.text),
      "sameHashes": .bool(source.checksum == target.checksum),
      "changes": .array(
        difference.changes.map {
          [
            "kind": .string($0.kind.rawValue),
            "entity": .string($0.entityName),
            "property": .optional($0.propertyName),
            "before": .optional($0.before),
            "after": .optional($0.after),
            "description": .string($0.description),
          ]
        }
      ),
    ]
  }

  func lines(_ style: TextStyle) -> [String] {
    guard !difference.changes.isEmpty else { return ["no difference"] }
    return difference.changes.flatMap(\.description.lines)
  }
}
