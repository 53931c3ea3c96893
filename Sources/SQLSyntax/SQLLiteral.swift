/// A constant, printed so that the server reads back exactly this value.
///
/// Text relies on `standard_conforming_strings`, which every session of ours switches on.
public enum SQLLiteral: Hashable, Sendable {
  case null
  case boolean(Bool)
  case integer(Int64)
  case text(String)
  /// A constant written as text and read by the server as a value of a type.
  case typed(String, SQLTypeName)

  /// The constant as SQL text.
  public var quoted: String {
    switch self {
    case .null: "NULL"
    case .boolean(let value): value ? "true" : "false"
    case .integer(let value): value < 0 ? "(\(value))" : String(value)
    case .text(let value): Self.quote(value)
    case .typed(let value, let type): "\(Self.quote(value))::\(type.text)"
    }
  }

  private static func quote(_ text: String) -> String {
    var quoted = "'"
    for scalar in text.unicodeScalars {
      if scalar == "'" { quoted.unicodeScalars.append("'") }
      quoted.unicodeScalars.append(scalar)
    }
    return quoted + "'"
  }
}
