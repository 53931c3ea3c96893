import ObjectModel

/// The versions that a version was made from.
extension YAMLModelReader {
  /// Returns the contents of `base` and `baseLayout`: one hash, or a list of them after a merge.
  mutating func bases(_ fields: YAMLKeyedNodes) -> [VersionBase] {
    let checksums = hashes(fields["base"], what: "base")
    let layouts = hashes(fields["baseLayout"], what: "baseLayout")
    guard let node = fields["baseLayout"] else {
      return checksums.map { VersionBase(checksum: $0, layoutDigest: nil) }
    }
    guard layouts.count == checksums.count else {
      error(
        "baseLayout has \(layouts.count) digests for \(checksums.count) bases",
        hint: "Write one for each base, in the same order, or leave out the key.",
        at: node.offset
      )
      return []
    }
    return zip(checksums, layouts).map { VersionBase(checksum: $0, layoutDigest: $1) }
  }

  private mutating func hashes(_ node: YAMLNode?, what: String) -> [VersionHash] {
    guard let node, !node.isNull else { return [] }
    let nodes: [YAMLNode]
    if case .sequence(let items) = node.content { nodes = items } else { nodes = [node] }
    return nodes.compactMap { node in
      guard let text = text(node, what: what) else { return nil }
      if let hash = VersionHash(validating: text) { return hash }
      error(
        "\(what) is \"\(text)\", not a version hash",
        hint: "Write \"v1:\" and 64 hexadecimal digits, as model hash shows them.",
        at: node.offset
      )
      return nil
    }
  }
}
