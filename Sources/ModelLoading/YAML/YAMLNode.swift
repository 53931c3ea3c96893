/// A value in a YAML file, with the place where it starts.
struct YAMLNode {
  /// The contents of a node.
  enum Content {
    case scalar(String, isPlain: Bool)
    case sequence([YAMLNode])
    case mapping([YAMLEntry])
  }

  let content: Content
  /// The position in the file, in bytes.
  let offset: Int

  /// A Boolean value that indicates whether nothing is written, or `~` or `null`.
  var isNull: Bool {
    switch content {
    case .scalar(let text, let isPlain):
      isPlain && ["", "~", "null", "Null", "NULL"].contains(text)
    case .sequence, .mapping: false
    }
  }
}

/// A key of a mapping with its value.
struct YAMLEntry {
  let key: String
  let keyOffset: Int
  let value: YAMLNode
}

/// The values of a mapping whose keys are fixed; so few are written that hashing them would take longer.
struct YAMLKeyedNodes {
  let entries: [YAMLEntry]

  /// The value of a key; `nil` if the key is not written.
  subscript(key: String) -> YAMLNode? {
    entries.first { $0.key == key }?.value
  }
}
