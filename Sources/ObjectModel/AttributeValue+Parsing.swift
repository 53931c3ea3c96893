extension AttributeValue {
  /// Creates the constant that a text stands for in a type, or returns `nil` if it stands for none.
  ///
  /// Booleans are `YES`, `NO`, `true`, `false`, `1` and `0`; integers may be written `0.0`, as Xcode
  /// does; dates are seconds since 2001-01-01 00:00:00 UTC.
  public init?(_ text: String, of type: AttributeType) {
    switch type {
    case .boolean:
      guard let value = Self.boolean(text) else { return nil }
      self = .boolean(value)
    case .integer16, .integer32, .integer64:
      guard let digits = canonicalDecimal(text), let value = Int64(digits) else { return nil }
      self = .integer(value)
    case .decimal, .numeric:
      guard let digits = canonicalDecimal(text) else { return nil }
      self = .decimal(digits)
    case .double, .float, .date:
      guard canonicalDecimal(text) != nil, let value = Double(text), value.isFinite else {
        return nil
      }
      // The sum takes the sign off a zero, which equals one that has none.
      self = type == .date ? .date(value + 0) : .double(value + 0)
    case .uuid:
      guard let value = Self.uuid(text) else { return nil }
      self = .uuid(value)
    case .string, .uri, .varchar, .enumeration:
      self = .string(text)
    case .json, .calendarDate, .time, .interval, .inet, .array, .sql:
      self = .text(text)
    case .undefined, .binary, .transformable, .objectID, .composite:
      return nil
    }
    guard isConstant(of: type) else { return nil }
  }

  /// Returns whether the value is one of a type's, as far as that can be told without a server.
  public func isConstant(of type: AttributeType) -> Bool {
    switch type {
    case .boolean: kind == .boolean
    case .string, .uri: kind == .string
    case .uuid: kind == .uuid
    case .decimal: kind == .decimal
    case .date: kind == .date && isFinite
    case .double: kind == .double && isFinite
    case .integer64: kind == .integer
    case .integer16:
      if case .integer(let value) = self { Int16(exactly: value) != nil } else { false }
    case .integer32:
      if case .integer(let value) = self { Int32(exactly: value) != nil } else { false }
    case .float: if case .double(let value) = self { Float(value).isFinite } else { false }
    case .numeric(let precision, let scale):
      if case .decimal(let digits) = self {
        Self.fits(digits, precision: precision, scale: scale)
      } else {
        false
      }
    case .varchar(let length):
      if case .string(let text) = self { text.unicodeScalars.count <= length } else { false }
    case .enumeration(let values):
      if case .string(let text) = self { values.contains(text) } else { false }
    case .json, .calendarDate, .time, .interval, .inet, .array, .sql:
      if case .text(let text) = self { type.hasConstant(text) } else { false }
    case .undefined, .binary, .transformable, .objectID, .composite: false
    }
  }

  private enum Kind {
    case boolean, integer, decimal, double, string, date, uuid, text
  }

  private var kind: Kind {
    switch self {
    case .boolean: .boolean
    case .integer: .integer
    case .decimal: .decimal
    case .double: .double
    case .string: .string
    case .date: .date
    case .uuid: .uuid
    case .text: .text
    }
  }

  private var isFinite: Bool {
    switch self {
    case .double(let value), .date(let value): value.isFinite
    case .boolean, .integer, .decimal, .string, .uuid, .text: true
    }
  }

  private static func boolean(_ text: String) -> Bool? {
    switch text {
    case "YES", "true", "1": true
    case "NO", "false", "0": false
    default: nil
    }
  }

  /// Returns the lower-case form with hyphens, which is how PostgreSQL prints one.
  private static func uuid(_ text: String) -> String? {
    let groups = text.lowercased().split(separator: "-", omittingEmptySubsequences: false)
    guard groups.map(\.utf8.count) == [8, 4, 4, 4, 12] else { return nil }
    let isHexadecimal = groups.joined().utf8.allSatisfy {
      (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
        || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
    }
    return isHexadecimal ? groups.joined(separator: "-") : nil
  }

  private static func fits(_ digits: String, precision: Int, scale: Int) -> Bool {
    let parts = digits.drop { $0 == "-" }.split(separator: ".")
    let whole = parts.first.map { $0 == "0" ? 0 : $0.utf8.count } ?? 0
    let fraction = parts.count > 1 ? parts[1].utf8.count : 0
    return whole <= precision - scale && fraction <= scale
  }
}
