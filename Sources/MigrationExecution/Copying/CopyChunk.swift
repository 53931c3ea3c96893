internal import PostgresClient

/// A range of keys that one transaction copies.
struct CopyChunk: Hashable {
  let number: Int
  var lower: String?
  var upper: String?
}

extension CopyChunk {
  /// Reads the first ranges that lie side by side, so that they are one together.
  static func adjoining(_ rows: QueryResult) -> [CopyChunk] {
    var chunks: [CopyChunk] = []
    for row in rows {
      let chunk = CopyChunk(row)
      if let last = chunks.last, last.upper == nil || last.upper != chunk.lower { break }
      chunks.append(chunk)
    }
    return chunks
  }

  /// Reads a range.
  init(_ row: QueryResult.Row) {
    self.init(
      number: row.integer("no") ?? 0,
      lower: row["lower_bound"],
      upper: row["upper_bound"]
    )
  }
}
