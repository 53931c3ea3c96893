internal import ObjectModel
internal import SQLSyntax

extension AttributeValue {
  /// The value as a constant of a column's type, wherever it stands.
  func literal(of type: SQLTypeName) -> SQLLiteral {
    switch self {
    case .boolean(let value): .boolean(value)
    case .integer(let value): .integer(value)
    case .decimal(let digits): .typed(digits, type)
    case .double(let value): .typed(String(value), type)
    // Alone, too, a constant in quotes becomes a text.
    case .string(let text) where type.text == "text": .text(text)
    case .string(let text), .text(let text), .uuid(let text): .typed(text, type)
    case .date(let seconds): .typed(Self.timestamp(secondsSince2001: seconds), type)
    }
  }

  /// The value as a constant for a place where the server expects a column's type: a default, what a column
  /// is set to, the alternative of a null.
  func assigned(to type: SQLTypeName) -> SQLLiteral {
    switch self {
    case .boolean(let value): .boolean(value)
    case .integer(let value): .number("\(value)", of: type)
    case .decimal(let digits): .number(digits, of: type)
    case .double(let value): .number(Self.digits(of: value), of: type)
    case .string(let text), .uuid(let text): .text(text)
    case .date(let seconds): .text(Self.timestamp(secondsSince2001: seconds))
    // A cast cuts and pads what an assignment refuses.
    case .text(let text): type.parts.modifiers.isEmpty ? .text(text) : .typed(text, type)
    }
  }

  /// The fewest digits that are a number: `32`, not `32.0`.
  private static func digits(of value: Double) -> String {
    let digits = String(value)
    return digits.hasSuffix(".0") ? String(digits.dropLast(2)) : digits
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
