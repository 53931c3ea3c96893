internal import ObjectModel
internal import SQLSyntax

extension AttributeValue {
  /// The value as a constant of a column's type.
  func literal(of type: SQLTypeName) -> SQLLiteral {
    switch self {
    case .boolean(let value): .boolean(value)
    case .integer(let value): .integer(value)
    case .decimal(let digits): .typed(digits, type)
    case .double(let value): .typed(String(value), type)
    case .string(let text), .text(let text), .uuid(let text): .typed(text, type)
    case .date(let seconds): .typed(Self.timestamp(secondsSince2001: seconds), type)
    }
  }

  /// A type in which the value can be compared with others of its kind.
  var comparableType: SQLTypeName {
    switch self {
    case .boolean: "boolean"
    case .integer, .decimal: "numeric"
    case .double: "double precision"
    case .string, .text: "text"
    case .uuid: "uuid"
    case .date: "timestamp with time zone"
    }
  }
}
