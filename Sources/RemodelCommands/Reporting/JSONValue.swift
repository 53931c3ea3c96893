import RemodelKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A JSON document as a value; its text has the keys in order, so that the same value has the same
/// text.
enum JSONValue: Hashable, Sendable {
  case null
  case bool(Bool)
  case integer(Int)
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])
}

// MARK: - Text

extension JSONValue {
  /// The document over several lines.
  var text: String {
    var text = ""
    write(to: &text, indentation: 0)
    return text
  }

  /// The document in one line.
  var line: String {
    var text = ""
    write(to: &text, indentation: nil)
    return text
  }

  private func write(to text: inout String, indentation: Int?) {
    switch self {
    case .null: text += "null"
    case .bool(let value): text += value ? "true" : "false"
    case .integer(let value): text += String(value)
    case .number(let value): text += value.isFinite ? String(value) : "null"
    case .string(let value): Self.write(value, to: &text)
    case .array(let values):
      Self.write(values, brackets: ("[", "]"), to: &text, indentation) { value, text, inner in
        value.write(to: &text, indentation: inner)
      }
    case .object(let values):
      let sorted = values.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      Self.write(sorted, brackets: ("{", "}"), to: &text, indentation) { pair, text, inner in
        Self.write(pair.key, to: &text)
        text += inner == nil ? ":" : ": "
        pair.value.write(to: &text, indentation: inner)
      }
    }
  }

  private static func write<Element>(
    _ elements: [Element],
    brackets: (String, String),
    to text: inout String,
    _ indentation: Int?,
    _ writeElement: (Element, inout String, Int?) -> Void
  ) {
    text += brackets.0
    let inner = indentation.map { $0 + 2 }
    for (index, element) in elements.enumerated() {
      if index > 0 { text += "," }
      if let inner { text += "\n" + String(repeating: " ", count: inner) }
      writeElement(element, &text, inner)
    }
    if let indentation, !elements.isEmpty {
      text += "\n" + String(repeating: " ", count: indentation)
    }
    text += brackets.1
  }

  private static func write(_ string: String, to text: inout String) {
    text += "\""
    var hashes = 0
    for scalar in string.unicodeScalars {
      switch scalar {
      // GitHub's runner would find a command.
      case "[" where hashes > 1: text += "\\u005b"
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case _ where scalar.isHiding:
        for unit in String(scalar).utf16 {
          let digits = String(unit, radix: 16)
          text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
      default: text.unicodeScalars.append(scalar)
      }
      hashes = scalar == "#" ? hashes + 1 : 0
    }
    text += "\""
  }
}

// MARK: - Literals

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral,
  ExpressibleByNilLiteral
{
  init(stringLiteral value: String) { self = .string(value) }
  init(integerLiteral value: Int) { self = .integer(value) }
  init(booleanLiteral value: Bool) { self = .bool(value) }
  init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  init(nilLiteral: ()) { self = .null }
  init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(Dictionary(elements, uniquingKeysWith: { $1 }))
  }
}

// MARK: - Building

/// A value with a JSON form.
protocol JSONConvertible {
  var jsonValue: JSONValue { get }
}

/// A value whose JSON form is an object.
protocol JSONKeyed: JSONConvertible {
  /// Its keys.
  var json: JSONObject { get }
}

extension JSONKeyed {
  var jsonValue: JSONValue { json.jsonValue }
}

/// The keys of an object, written as a literal of whatever has a place in a document.
struct JSONObject: Hashable, Sendable, ExpressibleByDictionaryLiteral, JSONConvertible {
  private(set) var values: [String: JSONValue]

  var jsonValue: JSONValue { .object(values) }

  init(dictionaryLiteral elements: (String, any JSONConvertible)...) {
    values = Dictionary(elements.map { ($0, $1.jsonValue) }, uniquingKeysWith: { $1 })
  }

  /// Creates the keys of two versions.
  init(from source: VersionReference?, to target: VersionReference) {
    self = [
      "source": source?.name, "sourceChecksum": source?.checksum,
      "target": target.name, "targetChecksum": target.checksum,
    ]
  }

  subscript(key: String) -> (any JSONConvertible)? {
    get { values[key] }
    set { values[key] = newValue?.jsonValue }
  }

  /// Creates the object that a value is coded as.
  init(coding value: some Encodable) throws {
    values = try JSONDecoder().decode([String: JSONValue].self, from: JSONEncoder().encode(value))
  }

  /// Returns the keys of both; the other's win.
  func merging(_ other: JSONObject) -> JSONObject {
    var sum = self
    sum.values.merge(other.values) { $0.merging($1) }
    return sum
  }
}

extension JSONValue: JSONConvertible {
  var jsonValue: JSONValue { self }

  /// Returns the keys of both, in lists of the same length, too; elsewhere the other wins.
  fileprivate func merging(_ other: JSONValue) -> JSONValue {
    switch (self, other) {
    case (.object(let values), .object(let others)):
      .object(values.merging(others) { $0.merging($1) })
    case (.array(let values), .array(let others)) where values.count == others.count:
      .array(zip(values, others).map { $0.merging($1) })
    case _: other
    }
  }
}

extension String: JSONConvertible {
  var jsonValue: JSONValue { .string(self) }
}

extension Bool: JSONConvertible {
  var jsonValue: JSONValue { .bool(self) }
}

extension Int: JSONConvertible {
  var jsonValue: JSONValue { .integer(self) }
}

extension Double: JSONConvertible {
  var jsonValue: JSONValue { .number(self) }
}

extension Duration: JSONConvertible {
  var jsonValue: JSONValue { .number(milliseconds) }
}

extension Optional: JSONConvertible where Wrapped: JSONConvertible {
  var jsonValue: JSONValue { self?.jsonValue ?? .null }
}

extension Array: JSONConvertible where Element: JSONConvertible {
  var jsonValue: JSONValue { .array(map(\.jsonValue)) }
}

extension Dictionary: JSONConvertible where Key == String, Value: JSONConvertible {
  var jsonValue: JSONValue { .object(mapValues(\.jsonValue)) }
}

extension VersionHash: JSONConvertible {
  var jsonValue: JSONValue { .string(text) }
}

extension Diagnostic: JSONKeyed {
  var json: JSONObject {
    let completed = completed
    return [
      "severity": severity.rawValue,
      "message": message,
      "detail": completed.detail,
      "hint": completed.hint,
      "context": context,
      "sqlstate": sqlState,
      "path": location?.path,
      "line": location?.line,
      "column": location?.column,
    ]
  }
}

extension RetainedObject: JSONKeyed {
  var json: JSONObject {
    ["table": table.name, "column": column?.name, "version": version]
  }
}

// MARK: - Reading

extension JSONValue: Decodable {
  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let values = try? container.decode([String: JSONValue].self) {
      self = .object(values)
    } else if let values = try? container.decode([JSONValue].self) {
      self = .array(values)
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Int.self) {
      self = .integer(value)
    } else {
      self = .number(try container.decode(Double.self))
    }
  }
}
