import Diagnostics

/// A reader of YAML files.
protocol YAMLReader: FileReader {}

/// Values of keys, and complaints about them.
extension YAMLReader {
  mutating func error(
    _ message: String,
    detail: String? = nil,
    hint: @autoclosure () -> String? = nil,
    at offset: Int
  ) {
    note(.error, message, detail: detail, hint: hint(), at: offset)
  }

  /// Returns the values of a mapping whose keys are fixed, and complains about other keys.
  mutating func fields(
    of node: YAMLNode,
    keys: [String],
    in place: String
  ) -> YAMLKeyedNodes {
    let entries = entries(of: node, what: place)
    for entry in entries where !keys.contains(entry.key) {
      error(
        "unrecognized key \"\(entry.key)\" in \(place)",
        hint: Self.hint(about: entry.key, among: keys),
        at: entry.keyOffset
      )
    }
    return YAMLKeyedNodes(entries: entries)
  }

  static func hint(about key: String, among keys: [String]) -> String {
    // "{ type: numeric(12,2) }" is cut at the comma.
    if key.hasSuffix(")") || key.hasSuffix(")?") {
      return "Put a text that has a comma into quotes."
    }
    if let similar = suggestion(for: key, among: keys) { return "Did you mean \"\(similar)\"?" }
    return "The keys are \(keys.joined(separator: ", "))."
  }

  /// Returns the entries of a mapping; nothing stands for an empty one.
  mutating func entries(of node: YAMLNode?, what: String) -> [YAMLEntry] {
    guard let node, !node.isNull else { return [] }
    if case .mapping(let entries) = node.content { return entries }
    error("\(what) has to be a mapping of keys to values", at: node.offset)
    return []
  }

  /// Returns the items of a list; nothing stands for an empty one.
  mutating func items(of node: YAMLNode?, what: String) -> [YAMLNode] {
    guard let node, !node.isNull else { return [] }
    if case .sequence(let items) = node.content { return items }
    error("\(what) has to be a list", hint: "Write [a, b].", at: node.offset)
    return []
  }

  mutating func texts(_ node: YAMLNode?, what: String) -> [String] {
    items(of: node, what: what).compactMap { text($0, what: "item of \(what)") }
  }

  /// Returns a text, or `nil` if the key is absent or after a complaint.
  mutating func text(_ node: YAMLNode?, what: String) -> String? {
    guard let node else { return nil }
    if case .scalar(let text, _) = node.content, !node.isNull { return text }
    error("\(what) has to be text", at: node.offset)
    return nil
  }

  mutating func boolean(_ node: YAMLNode?, what: String) -> Bool? {
    guard let node else { return nil }
    guard let text = text(node, what: what) else { return nil }
    switch text {
    case "true": return true
    case "false": return false
    default:
      error("\(what) is \"\(text)\", not true or false", at: node.offset)
      return nil
    }
  }

  mutating func count(_ node: YAMLNode?, what: String) -> Int? {
    guard let node, let text = text(node, what: what) else { return nil }
    if let value = Int(text), (0...Int(Int32.max)).contains(value) { return value }
    error("\(what) is \"\(text)\", not a count", at: node.offset)
    return nil
  }

  mutating func choice<Value>(
    _ node: YAMLNode?,
    what: String,
    among choices: [(word: String, value: Value)]
  ) -> Value? {
    guard let node, let word = text(node, what: what) else { return nil }
    return choice(word, of: what, among: choices, at: node.offset)
  }

  mutating func userInfo(_ node: YAMLNode?) -> [String: String] {
    var userInfo: [String: String] = [:]
    for entry in entries(of: node, what: "user info") {
      if case .scalar(let text, _) = entry.value.content {
        userInfo[entry.key] = text
      } else {
        error("user info \"\(entry.key)\" has to be text", at: entry.value.offset)
      }
    }
    return userInfo
  }
}
