import ObjectModel

@testable import ModelLoading

/// The part of JSON Schema that the schemas for editors use, over YAML: JSON is YAML.
struct YAMLSchema {
  let root: YAMLNode

  /// Returns whether a file is what the schema says.
  func accepts(_ text: String) throws -> Bool {
    accepts(try YAMLTree.parse(SourceText(path: "a", bytes: Array(text.utf8))), root)
  }

  private func accepts(_ value: YAMLNode, _ schema: YAMLNode) -> Bool {
    if schema.text == "false" { return false }
    for (key, rule) in schema.entries.map({ ($0.key, $0.value) }) where !accepts(value, key, rule) {
      return false
    }
    guard schema["additionalProperties"]?.text == "false" else { return true }
    let known = Set(schema["properties"]?.keys ?? [])
    return value.keys.allSatisfy(known.contains)
  }

  private func accepts(_ value: YAMLNode, _ key: String, _ rule: YAMLNode) -> Bool {
    switch key {
    case "$ref":
      let name = rule.text.split(separator: "/").last.map(String.init) ?? ""
      return root["$defs"]?[name].map { accepts(value, $0) } ?? false
    case "type": return rule.itemsOrSelf.contains { value.isOf(type: $0.text) }
    case "enum": return rule.itemsOrSelf.contains { value.isScalar && $0.text == value.text }
    case "const": return value.isScalar && rule.text == value.text
    case "oneOf": return rule.itemsOrSelf.count { accepts(value, $0) } == 1
    case "anyOf": return rule.itemsOrSelf.contains { accepts(value, $0) }
    case "required":
      return !value.isMapping || rule.itemsOrSelf.allSatisfy { value[$0.text] != nil }
    case "pattern":
      guard value.isOf(type: "string"), let pattern = try? Regex(rule.text) else { return true }
      return value.text.firstMatch(of: pattern) != nil
    case "minimum", "maximum":
      guard value.isOf(type: "number"), let number = Double(value.text),
        let bound = Double(rule.text)
      else { return true }
      return key == "minimum" ? number >= bound : number <= bound
    case "minItems": return !value.isSequence || "\(value.itemsOrSelf.count)" >= rule.text
    case "items": return !value.isSequence || value.itemsOrSelf.allSatisfy { accepts($0, rule) }
    case "properties":
      return rule.entries.allSatisfy { entry in
        value[entry.key].map { accepts($0, entry.value) } ?? true
      }
    case "additionalProperties":
      return rule.text == "false" || value.entries.allSatisfy { accepts($0.value, rule) }
    default: return true
    }
  }
}

extension YAMLNode {
  var entries: [YAMLEntry] {
    if case .mapping(let entries) = content { entries } else { [] }
  }

  var keys: [String] { entries.map(\.key) }

  subscript(_ key: String) -> YAMLNode? {
    entries.first { $0.key == key }?.value
  }

  fileprivate var text: String {
    if case .scalar(let text, _) = content { text } else { "" }
  }

  fileprivate var isMapping: Bool {
    if case .mapping = content { true } else { false }
  }

  fileprivate var isSequence: Bool {
    if case .sequence = content { true } else { false }
  }

  fileprivate var isScalar: Bool { !isMapping && !isSequence }

  fileprivate var itemsOrSelf: [YAMLNode] {
    if case .sequence(let items) = content { items } else { [self] }
  }

  fileprivate func isOf(type: String) -> Bool {
    guard case .scalar(let text, let isPlain) = content else {
      return type == (isMapping ? "object" : "array")
    }
    switch type {
    case "null": return isNull
    case "boolean": return isPlain && ["true", "false"].contains(text)
    case "integer": return isPlain && Int(text) != nil
    case "number": return isPlain && canonicalDecimal(text) != nil
    case "string":
      return !isNull && !isOf(type: "boolean") && !isOf(type: "number")
    default: return false
    }
  }
}
