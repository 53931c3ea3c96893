extension AttributeValue {
  /// Creates the constant that a text denotes in a type; `nil` if it denotes none.
  ///
  /// Booleans are `YES`, `NO`, `true`, `false`, `1` and `0`; integers may be written `0.0`, as Xcode
  /// does; dates are seconds since 2001-01-01 00:00:00 UTC.
  public init?(_ text: String, of type: AttributeType) {
    switch type.kind {
    case .boolean:
      guard let value = Self.boolean(text) else { return nil }
      self = .boolean(value)
    case .integer:
      guard let digits = canonicalDecimal(text), let value = Int64(digits) else { return nil }
      self = .integer(value)
    case .decimal:
      guard let digits = canonicalDecimal(text) else { return nil }
      self = .decimal(digits)
    case .floating, .instant:
      guard canonicalDecimal(text) != nil, let value = Double(text), value.isFinite else {
        return nil
      }
      // The sum takes the sign off a zero, which equals one that has none.
      self = type.kind == .instant ? .date(value + 0) : .double(value + 0)
    case .uuid:
      guard let value = Self.uuid(text) else { return nil }
      self = .uuid(value)
    case .text: self = .string(text)
    case .constant, .array: self = .text(text)
    case .bytes, .objectID, .none: return nil
    }
    guard isConstant(of: type) else { return nil }
  }

  /// Returns whether the value belongs to a type, as far as this is certain without a server.
  package func isConstant(of type: AttributeType) -> Bool {
    switch (type.kind, self) {
    case (.boolean, .boolean), (.uuid, .uuid), (.decimal(nil), .decimal): true
    case (.integer(let bits), .integer(let value)): [0, -1].contains(value >> (bits - 1))
    case (.decimal(let limit?), .decimal(let digits)): Self.fits(digits, limit)
    case (.floating(let bits), .double(let value)):
      bits == 24 ? Float(value).isFinite : value.isFinite
    case (.instant, .date(let seconds)): seconds.isFinite
    case (.text(let domain), .string(let text)): domain.contains(text)
    case (.constant, .text(let text)), (.array, .text(let text)): type.traits.reads(text)
    case (_, _): false  // A value of another kind.
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

  private static func fits(_ digits: String, _ limit: AttributeTypeTraits.DecimalDigits) -> Bool {
    let parts = digits.drop { $0 == "-" }.split(separator: ".")
    let whole = parts.first.map { $0 == "0" ? 0 : $0.utf8.count } ?? 0
    let fraction = parts.count > 1 ? parts[1].utf8.count : 0
    return whole <= limit.precision - limit.scale && fraction <= limit.scale
  }
}
