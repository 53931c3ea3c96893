internal import ObjectModel
internal import SQLSyntax

/// The kind of a value, as operators distinguish it.
enum ValueType: Hashable, Sendable {
  case integer
  case decimal
  case double
  case text
  case boolean
  case date
  /// The key of a to-one relationship's destination.
  case reference
  case null
  /// The value of authored SQL: the server checks comparisons with it.
  case unknown
  /// Of such values nothing is known but whether two are equal.
  case other(AttributeType)

  init(_ type: AttributeType) {
    switch type.kind {
    case .integer, .objectID: self = .integer
    case .decimal: self = .decimal
    case .floating: self = .double
    case .text: self = .text
    case .boolean: self = .boolean
    case .instant: self = .date
    case .uuid, .bytes, .constant, .array, .none: self = .other(type)
    }
  }

  var isNumeric: Bool { self == .integer || self == .decimal || self == .double }

  /// A Boolean value that indicates whether of two values one is the smaller.
  var isOrdered: Bool { isNumeric || self == .text || self == .date }

  /// The type in words: `text`.
  var words: String {
    switch self {
    case .integer: "an integer"
    case .decimal: "a decimal"
    case .double: "a floating-point number"
    case .text: "text"
    case .boolean: "a Boolean"
    case .date: "a timestamp"
    case .reference: "a relationship"
    case .null: "no value"
    case .unknown: "of a type that only the server knows"
    case .other(let type): "of type \(type)"
    }
  }

  /// The type that an attribute can have to keep such values without a loss; none if nothing can.
  var keepingType: AttributeType? {
    switch self {
    case .integer: .integer64
    case .decimal: .decimal
    case .double: .double
    case .text: .string
    case .boolean: .boolean
    case .date: .date
    case .other(let type): type
    case .reference, .null, .unknown: nil
    }
  }

  /// Returns whether an attribute of another type can store values of this type without a silent
  /// loss.
  func fits(_ type: AttributeType) -> Bool {
    let target = ValueType(type)
    switch self {
    case .integer: return target.isNumeric
    case .decimal: return target == .decimal || target == .double
    case .double: return target == .double
    case .text, .boolean, .date: return target == self
    case .null, .unknown: return true
    case .reference: return false
    case .other(let own): return own == type
    }
  }
}
