/// A constant of an attribute's type: its default.
public enum AttributeValue: Hashable, Sendable {
  case boolean(Bool)
  case integer(Int64)
  /// A number in decimal digits, exact: an optional sign, digits, an optional point and digits.
  case decimal(String)
  case double(Double)
  case string(String)
  /// An instant in seconds since 2001-01-01 00:00:00 UTC.
  case date(Double)
  case uuid(String)
  /// A constant of one of PostgreSQL's own types, as the server reads it.
  case text(String)
}

extension AttributeValue {
  /// The value as text with its kind: `integer 5`, `string five`.
  package var canonicalText: String {
    switch self {
    case .boolean(let value): "boolean \(value)"
    case .integer(let value): "integer \(value)"
    case .decimal(let digits): "decimal \(digits)"
    case .double(let value): "double \(value)"
    case .string(let text): "string \(text)"
    case .date(let seconds): "date \(seconds)"
    case .uuid(let text): "uuid \(text)"
    case .text(let text): "text \(text)"
    }
  }
}

extension AttributeValue: CustomStringConvertible {
  /// The value as text, for people.
  public var description: String {
    switch self {
    case .boolean(let value): String(value)
    case .integer(let value): String(value)
    case .decimal(let digits): digits
    case .double(let value), .date(let value): String(value)
    case .string(let text): "\"\(text)\""
    case .uuid(let text), .text(let text): text
    }
  }
}
