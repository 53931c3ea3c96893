import RemodelKit

/// The versions of a bundle.
struct VersionsReport: Report {
  let versions: [VersionListing]

  var json: [String: JSONValue] {
    [
      "versions": .array(
        versions.map {
          [
            "name": .string($0.name),
            "path": .string($0.path),
            "current": .bool($0.isCurrent),
            "checksum": .string($0.hashes.checksum.text),
            "layoutDigest": .string($0.hashes.layoutDigest.text),
            "entityCount": .integer($0.entityCount),
          ]
        }
      )
    ]
  }

  func lines(_ style: TextStyle) -> [String] {
    var table = TextTable()
    for version in versions {
      table.add(
        version.isCurrent ? "*" : "",
        version.name,
        version.hashes.checksum.brief,
        counted(version.entityCount, "entity", plural: "entities"),
        version.path
      )
    }
    return table.lines()
  }
}
