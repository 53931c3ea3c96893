/// A constant, printed so that the server reads back exactly this value.
///
/// Text relies on `standard_conforming_strings`, which every session of ours switches on.
public enum SQLLiteral: Hashable, Sendable {
  case null
  case boolean(Bool)
  case integer(Int64)
  /// A number of the type that its form has, where nothing binds to its sign: after a comparison, as a
  /// default, in a list.
  case number(SQLNumber)
  case text(String)
  /// A constant of a type, read by the server from its text.
  case typed(String, SQLTypeName)

  /// The constant as SQL text.
  public var quoted: String {
    switch self {
    case .null: "NULL"
    case .boolean(let value): value ? "true" : "false"
    case .integer(let value): value < 0 ? "(\(value))" : String(value)
    case .number(let number): number.text
    case .text(let value): Self.quote(value)
    case .typed(let value, let type):
      SQLNumber(value)?.constant(of: type) ?? "\(Self.quote(value))::\(type.text)"
    }
  }

  /// Returns a number in the type that its form has, or as a constant of a type if the digits are none.
  package static func number(_ digits: String, of type: SQLTypeName) -> SQLLiteral {
    SQLNumber(digits).map { .number($0) } ?? .typed(digits, type)
  }

  private static func quote(_ text: String) -> String {
    "'\(text.replacingScalars("'", with: "''"))'"
  }
}
