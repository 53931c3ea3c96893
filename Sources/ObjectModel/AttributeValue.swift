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
