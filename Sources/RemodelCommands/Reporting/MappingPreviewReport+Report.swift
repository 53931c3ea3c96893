import RemodelKit

extension MappingPreviewReport: Report {
  var json: JSONObject {
    JSONObject(from: source, to: target).merging([
      "mappings": mappings,
      "warnings": warnings,
    ])
  }

  var blocks: [Block] {
    Block.title(versionNames(source.name, target.name), ", preview")
    for mapping in mappings { mapping.blocks }
    if mappings.isEmpty { "no entity mapping has rows to show" }
  }
}

extension PreviewedMapping: JSONKeyed {
  var json: JSONObject {
    [
      "name": name,
      "source": sourceEntityName,
      "destination": destinationEntityName,
      "rows": rows.map { row -> JSONObject in
        ["source": row.source, "destination": row.destination]
      },
    ]
  }

  /// The rows one below the other, each with the values of the source on the left and those of the
  /// destination on the right.
  @BlockBuilder
  fileprivate var blocks: [Block] {
    let count = rows.isEmpty ? "no rows" : counted(rows.count, "row")
    Block.text("  \(sourceEntityName) -> \(destinationEntityName), \"\(name)\": \(count)")
    Block.indented(4) {
      for row in rows {
        Block.header(sourceEntityName, "", "->", destinationEntityName, "")
        for index in 0..<max(row.source.count, row.destination.count) {
          let before = index < row.source.count ? row.source[index] : nil
          let after = index < row.destination.count ? row.destination[index] : nil
          Block.row(
            before?.name ?? "",
            before?.words ?? "",
            "",
            after?.name ?? "",
            after?.words ?? ""
          )
        }
      }
    }
  }
}

extension PreviewedMapping.Value: JSONKeyed {
  var json: JSONObject {
    ["name": name, "value": text, "origin": origin]
  }

  /// The value for people; in parentheses where it will be from.
  fileprivate var words: String { origin.map { "(\($0))" } ?? text ?? "NULL" }
}
