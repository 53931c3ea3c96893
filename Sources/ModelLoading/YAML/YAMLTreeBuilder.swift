import Diagnostics

/// Builds a tree from libyaml's events, and reports refused features.
struct YAMLTreeBuilder {
  private let source: SourceText
  private var events: YAMLEvents
  private var count = 0
  private(set) var diagnostics: [Diagnostic] = []

  init(_ source: SourceText) throws(ModelLoadingError) {
    self.source = source
    events = try YAMLEvents(source)
  }

  func release() { events.release() }

  /// Reads the whole stream, which has to be one document.
  mutating func document() throws(ModelLoadingError) -> YAMLNode {
    var root: YAMLNode?
    while true {
      let (event, offset) = try events.next()
      switch event {
      case .streamStart, .documentEnd: continue
      case .documentStart:
        guard root == nil else {
          throw failure("file has more than one document", at: offset)
        }
      case .streamEnd:
        guard let root else { throw failure("file is empty", at: 0) }
        return root
      case .scalar, .alias, .sequenceStart, .sequenceEnd, .mappingStart, .mappingEnd:
        root = try node(event, at: offset, depth: 1)
      }
    }
  }

  private func failure(_ message: String, at offset: Int) -> ModelLoadingError {
    let failure = Diagnostic(message, location: source.location(of: offset))
    return ModelLoadingError(.invalid, diagnostics + [failure])
  }

  private mutating func note(_ message: String, hint: String? = nil, at offset: Int) {
    let location = source.location(of: offset)
    diagnostics.append(Diagnostic(message, hint: hint, location: location))
  }

  private mutating func check(_ properties: YAMLProperties, at offset: Int) {
    if properties.hasAnchor { note("anchors are not supported", at: offset) }
    if properties.hasTag { note("tags are not supported", at: offset) }
  }

  // MARK: - Nodes

  private mutating func node(
    _ event: YAMLEvent,
    at offset: Int,
    depth: Int
  ) throws(ModelLoadingError) -> YAMLNode {
    guard depth <= YAMLTree.depthLimit else {
      throw failure("values are nested more than \(YAMLTree.depthLimit) deep", at: offset)
    }
    count += 1
    guard count <= YAMLTree.nodeLimit else {
      throw failure("file has more than \(YAMLTree.nodeLimit) values", at: offset)
    }
    switch event {
    case .scalar(let text, let isPlain, let properties):
      check(properties, at: offset)
      return YAMLNode(content: .scalar(text, isPlain: isPlain), offset: offset)
    case .sequenceStart(let properties):
      check(properties, at: offset)
      return YAMLNode(content: .sequence(try sequence(depth: depth)), offset: offset)
    case .mappingStart(let properties):
      check(properties, at: offset)
      return YAMLNode(content: .mapping(try mapping(depth: depth)), offset: offset)
    case .alias:
      note("aliases are not supported", hint: "Write the value out.", at: offset)
      return YAMLNode(content: .scalar("", isPlain: true), offset: offset)
    case .streamStart, .streamEnd, .documentStart, .documentEnd, .sequenceEnd, .mappingEnd:
      throw failure("malformed YAML: unexpected end", at: offset)
    }
  }

  private mutating func sequence(depth: Int) throws(ModelLoadingError) -> [YAMLNode] {
    var nodes: [YAMLNode] = []
    while true {
      let (event, offset) = try events.next()
      if case .sequenceEnd = event { return nodes }
      nodes.append(try node(event, at: offset, depth: depth + 1))
    }
  }

  private mutating func mapping(depth: Int) throws(ModelLoadingError) -> [YAMLEntry] {
    var entries: [YAMLEntry] = []
    var names = MappingNames()
    while true {
      let (event, keyOffset) = try events.next()
      if case .mappingEnd = event { return entries }
      let key = try node(event, at: keyOffset, depth: depth + 1)
      let (valueEvent, valueOffset) = try events.next()
      let value = try node(valueEvent, at: valueOffset, depth: depth + 1)
      guard case .scalar(let name, _) = key.content else {
        note("key of a mapping is not text", at: keyOffset)
        continue
      }
      if !names.insert(name, after: entries) {
        note("key \"\(name)\" is given twice", at: keyOffset)
      }
      entries.append(YAMLEntry(key: name, keyOffset: keyOffset, value: value))
    }
  }
}

/// The keys of a mapping that is being read.
private struct MappingNames {
  private var names: Set<String> = []

  /// Adds a key, and returns whether it is none of those of the entries before.
  mutating func insert(_ name: String, after entries: [YAMLEntry]) -> Bool {
    // Few names are compared faster than hashed.
    guard entries.count >= 16 else { return !entries.contains { $0.key == name } }
    if names.isEmpty { names = Set(entries.map(\.key)) }
    return names.insert(name).inserted
  }
}
