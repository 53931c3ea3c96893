import RemodelKit

/// The hashes of a version.
struct HashReport: Report {
  let name: String
  let hashes: ModelVersionHashes

  var json: [String: JSONValue] {
    [
      "version": .string(name),
      "checksum": .string(hashes.checksum.text),
      "layoutDigest": .string(hashes.layoutDigest.text),
      "entities": .hashes(hashes.entities),
    ]
  }

  func lines(_ style: TextStyle) -> [String] {
    var table = TextTable()
    table.add("checksum", hashes.checksum.text)
    table.add("layout", hashes.layoutDigest.text)
    let entities = hashes.entities.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    for (name, hash) in entities { table.add("entity \(name)", hash.text) }
    return table.lines()
  }
}
