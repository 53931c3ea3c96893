/// A name of something in the database; always printed in double quotes.
public struct SQLIdentifier: Hashable, Sendable {
  /// The name itself, without quotes.
  public let name: String

  /// The longest name that PostgreSQL keeps whole, in bytes of UTF-8.
  public static let maximumLength = 63

  /// Creates an identifier from a name, whatever characters it has.
  public init(_ name: String) {
    self.name = name
  }

  /// The name in double quotes, those inside it doubled.
  public var quoted: String { "\"" + name.replacingScalars("\"", with: "\"\"") + "\"" }
}

extension SQLIdentifier: Comparable {
  /// Orders identifiers by their bytes, whatever the locale.
  public static func < (first: Self, second: Self) -> Bool {
    byBytes(first.name, second.name)
  }
}

extension SQLIdentifier: ExpressibleByStringLiteral {
  /// Creates an identifier of a name in our own source.
  public init(stringLiteral name: StaticString) {
    self.init(name.description)
  }
}

extension SQLIdentifier: Codable {
  /// Reads the name.
  public init(from decoder: any Decoder) throws {
    self.init(try String(from: decoder))
  }

  /// Writes the name.
  public func encode(to encoder: any Encoder) throws {
    try name.encode(to: encoder)
  }
}

extension SQLIdentifier: CustomStringConvertible {
  /// The name, unquoted, for messages.
  public var description: String { name }
}
