extension ModelBundle {
  /// A Boolean value that indicates whether versions may lead apart, by the lines of the files that
  /// name their bases, without reading the models.
  package var mayFork: Bool {
    switch content {
    case .models, .parts, .combination: return false
    case .files: break
    }
    var named: Set<[String]> = []
    var count = 0
    for version in versions {
      let lines = Self.baseLines(of: version.path)
      guard !lines.isEmpty else { continue }
      count += 1
      // A list of several is on lines of its own.
      guard lines.allSatisfy({ $0.contains("v1:") }), named.insert(lines).inserted else {
        return true
      }
    }
    return count > 0 && count < versions.count - 1
  }

  private static func baseLines(of path: String) -> [String] {
    guard path.hasSuffix(".yaml") || path.hasSuffix(".yml"),
      let bytes = try? ModelFile.read(path)
    else { return [] }
    let key = Array("base".utf8)
    return bytes.split(separator: UInt8(ascii: "\n")).filter { $0.starts(with: key) }
      .map { String(decoding: $0, as: UTF8.self) }
  }
}
