import ModelMapping
import ObjectModel

/// Turns an archived `NSExpression` back into its text.
struct ArchivedExpression {
  /// The faults of an archive, or the parts that the language cannot express.
  enum Fault: Error, Hashable {
    case notBase64
    case archive(KeyedArchive.Fault)
    /// A class that is not known here.
    case unrecognizedClass(String)
    /// An object lacks a value of its class.
    case incomplete(String)
    /// Expressions are nested too deep, or in themselves.
    case tooDeep
  }

  private static let depthLimit = 100
  private static let lengthLimit = 10_000

  /// The text of the expression.
  let text: String

  init(base64: String) throws(Fault) {
    guard let bytes = bytes(ofBase64: base64) else { throw .notBase64 }
    let archive: KeyedArchive
    do {
      archive = try KeyedArchive(bytes)
    } catch {
      throw .archive(error)
    }
    var walk = Walk(archive: archive)
    text = try walk.text(of: archive.root, depth: 0)
  }

  private struct Walk {
    let archive: KeyedArchive
    /// Shared objects could make an endless text from a short archive.
    var length = 0

    mutating func text(
      of object: KeyedArchive.Reference,
      depth: Int
    ) throws(Fault) -> String {
      guard depth <= depthLimit else { throw .tooDeep }
      let text = try words(of: object, depth: depth)
      length += text.utf8.count
      guard length <= lengthLimit * 10, text.utf8.count <= lengthLimit else { throw .tooDeep }
      return text
    }

    private mutating func words(
      of object: KeyedArchive.Reference,
      depth: Int
    ) throws(Fault) -> String {
      guard let name = archive.className(of: object) else { throw .incomplete("expression") }
      switch name {
      case "NSVariableExpression":
        guard let variable = archive.value("NSVariable", of: object).flatMap(archive.text) else {
          throw .incomplete(name)
        }
        return "$\(variable)"
      case "NSSelfExpression": return "SELF"
      case "NSKeyPathSpecifierExpression":
        guard let path = archive.value("NSKeyPath", of: object).flatMap(archive.text) else {
          throw .incomplete(name)
        }
        // Names that are words of the language are marked.
        return KeyPathExpression(path.split(separator: ".").map(String.init)).description
      case "NSConstantValueExpression":
        guard let value = archive.value("NSConstantValue", of: object) else { return "NULL" }
        return try constant(value)
      case "NSKeyPathExpression": return try keyPath(object, name, depth: depth)
      case "NSFunctionExpression": return try function(object, name, depth: depth)
      case "NSAggregateExpression":
        guard let list = archive.value("NSCollection", of: object),
          let elements = archive.elements(of: list)
        else { throw .incomplete(name) }
        return "{" + (try texts(of: elements, depth: depth)).joined(separator: ", ") + "}"
      default: throw .unrecognizedClass(name)  // Classes are no closed set.
      }
    }

    private mutating func texts(
      of objects: [KeyedArchive.Reference],
      depth: Int
    ) throws(Fault) -> [String] {
      var texts: [String] = []
      for object in objects { texts.append(try text(of: object, depth: depth + 1)) }
      return texts
    }

    private mutating func keyPath(
      _ object: KeyedArchive.Reference,
      _ name: String,
      depth: Int
    ) throws(Fault) -> String {
      let (operand, arguments) = try operandAndArguments(of: object, name)
      guard arguments.count == 1 else { throw .incomplete(name) }
      let path = try text(of: arguments[0], depth: depth + 1)
      guard let operand else { return path }
      let start = try text(of: operand, depth: depth + 1)
      return start == "SELF" ? path : "\(start).\(path)"
    }

    private mutating func function(
      _ object: KeyedArchive.Reference,
      _ name: String,
      depth: Int
    ) throws(Fault) -> String {
      let (operand, objects) = try operandAndArguments(of: object, name)
      guard
        let selector = archive.value("NSSelectorName", of: object).flatMap(archive.text)
      else { throw .incomplete(name) }
      let arguments = try texts(of: objects, depth: depth)
      // Predefined functions are methods of a private class of Foundation's.
      if let operand, archive.className(of: operand) == "NSConstantValueExpression",
        let constant = archive.value("NSConstantValue", of: operand),
        archive.className(of: constant) == "_NSPredicateUtilities"
      {
        return Self.predefined(selector, arguments)
      }
      guard let operand else { return Self.predefined(selector, arguments) }
      let start = try text(of: operand, depth: depth + 1)
      let all = [start, ArchivedExpression.quoted(selector)] + arguments
      return "FUNCTION(\(all.joined(separator: ", ")))"
    }

    private func operandAndArguments(
      of object: KeyedArchive.Reference,
      _ name: String
    ) throws(Fault) -> (KeyedArchive.Reference?, [KeyedArchive.Reference]) {
      guard let list = archive.value("NSArguments", of: object) else {
        return (archive.value("NSOperand", of: object), [])
      }
      guard let arguments = archive.elements(of: list) else { throw .incomplete(name) }
      return (archive.value("NSOperand", of: object), arguments)
    }

    private static func predefined(_ selector: String, _ arguments: [String]) -> String {
      let operators = [
        "add:to:": "+", "from:subtract:": "-", "multiply:by:": "*", "divide:by:": "/",
        "raise:toPower:": "**",
      ]
      if let symbol = operators[selector], arguments.count == 2 {
        return "(\(arguments[0]) \(symbol) \(arguments[1]))"
      }
      if selector == "castObject:toType:" {
        return "CAST(\(arguments.joined(separator: ", ")))"
      }
      let name = selector == "now" ? "now" : selector
      return "\(name)(\(arguments.joined(separator: ", ")))"
    }

    private func constant(_ value: KeyedArchive.Reference) throws(Fault) -> String {
      switch archive.plain(value) {
      case .boolean(let flag): return flag ? "YES" : "NO"
      case .integer(let number): return String(number)
      case .real(let number):
        guard let digits = canonicalDecimal("\(number)") else {
          throw .incomplete("NSConstantValueExpression")
        }
        return digits
      case .string("$null"), .null: return "NULL"
      case .string(let text): return ArchivedExpression.quoted(text)
      case .bytes, .uid, .array: throw .unrecognizedClass("NSData")
      case .dictionary:
        if let text = archive.text(value) { return ArchivedExpression.quoted(text) }
        let name = archive.className(of: value) ?? "NSDictionary"
        if name == "NSNull" { return "NULL" }
        throw .unrecognizedClass(name)
      }
    }
  }

  private static func quoted(_ text: String) -> String {
    Expression.Constant.string(text).description
  }
}
