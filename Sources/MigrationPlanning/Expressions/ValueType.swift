internal import ObjectModel
internal import SQLSyntax

/// What kind of value an expression gives, as far as operators care.
enum ValueType: Hashable, Sendable {
  case integer
  case decimal
  case double
  case text
  case boolean
  case date
  /// The key of what a to-one relationship leads to.
  case reference
  case null
  /// What SQL that people wrote gives: whatever it is compared with, the server will tell.
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

  /// Returns whether values of this type can be kept in an attribute of another without a loss that
  /// nobody is told of.
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
