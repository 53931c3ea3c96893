import Testing

@testable import RemodelCommands

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The part of JSON Schema that the schemas of the reports use.
struct JSONSchema {
  private let root: JSONValue

  /// Reads the schema of a name.
  init(named name: String, filePath: String = #filePath) throws {
    let file = URL(filePath: filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
      .appending(path: "Sources/RemodelCommands/Reporting/Schemas/\(name).schema.json")
    root = try JSONDecoder().decode(JSONValue.self, from: Data(contentsOf: file))
  }

  /// Returns everything in which a document is not what the schema says.
  func complaints(about document: JSONValue) -> [String] {
    complaints(about: document, root, at: "$")
  }

  private func complaints(
    about value: JSONValue,
    _ schema: JSONValue,
    at path: String
  ) -> [String] {
    if case .string(let reference) = schema["$ref"] {
      let name = String(reference.dropFirst("#/$defs/".count))
      guard let target = root["$defs"]?[name] else { return ["\(path): no schema \(reference)"] }
      return complaints(about: value, target, at: path)
    }
    var complaints: [String] = []
    if let types = schema["type"], !types.list.contains(where: { value.isOf(type: $0) }) {
      complaints.append("\(path): \(value.line) is no \(types.line)")
    }
    if let constant = schema["const"], constant != value {
      complaints.append("\(path): \(value.line) is not \(constant.line)")
    }
    if case .array(let choices) = schema["enum"], !choices.contains(value) {
      complaints.append("\(path): \(value.line) is none of \(choices.map(\.line))")
    }
    if case .string(let pattern) = schema["pattern"], case .string(let text) = value {
      // Only digests have patterns: a prefix and hexadecimal digits.
      let prefix = pattern.dropFirst().prefix { $0 != "[" }
      if !text.hasPrefix(prefix) || text.dropFirst(prefix.count).count != 64 {
        complaints.append("\(path): \(value.line) does not match \(pattern)")
      }
    }
    if case .array(let elements) = value, let items = schema["items"] {
      for (index, element) in elements.enumerated() {
        complaints += self.complaints(about: element, items, at: "\(path)[\(index)]")
      }
    }
    guard case .object(let keys) = value else { return complaints }
    for key in schema["required"]?.list ?? [] {
      if case .string(let key) = key, keys[key] == nil { complaints.append("\(path): no \(key)") }
    }
    for (key, value) in keys {
      if let property = schema["properties"]?[key] ?? schema["additionalProperties"]?.asSchema {
        complaints += self.complaints(about: value, property, at: "\(path).\(key)")
      } else if schema["additionalProperties"] == false {
        complaints.append("\(path): \(key) is not in the schema")
      }
    }
    return complaints
  }
}

extension JSONValue {
  fileprivate subscript(key: String) -> JSONValue? {
    if case .object(let values) = self { values[key] } else { nil }
  }

  fileprivate var list: [JSONValue] {
    if case .array(let values) = self { values } else { [self] }
  }

  fileprivate var asSchema: JSONValue? {
    if case .object = self { self } else { nil }
  }

  fileprivate func isOf(type: JSONValue) -> Bool {
    switch self {
    case .null: type == "null"
    case .bool: type == "boolean"
    case .integer: type == "integer" || type == "number"
    case .number: type == "number"
    case .string: type == "string"
    case .array: type == "array"
    case .object: type == "object"
    }
  }
}

/// Expects a document to be as its schema says.
func expect(
  _ outcome: Tool.Outcome,
  toBe name: String,
  sourceLocation: Testing.SourceLocation = #_sourceLocation
) throws {
  let document = try #require(outcome.json, "\(outcome)", sourceLocation: sourceLocation)
  let complaints = try JSONSchema(named: name).complaints(about: document)
  #expect(complaints.isEmpty, "\(outcome)", sourceLocation: sourceLocation)
}

/// Expects a call to have succeeded with a document that is as its schema says.
func expectSuccess(
  _ outcome: Tool.Outcome,
  toBe name: String,
  sourceLocation: Testing.SourceLocation = #_sourceLocation
) throws {
  #expect(outcome.status == 0, "\(outcome)", sourceLocation: sourceLocation)
  try expect(outcome, toBe: name, sourceLocation: sourceLocation)
}
