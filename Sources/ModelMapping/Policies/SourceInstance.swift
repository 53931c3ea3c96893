public import ObjectModel

/// A row of the source, as a policy gets it.
///
/// Look up values by the names of attributes and to-one relationships; the value of a relationship
/// is the key of its destination. NULL is `nil`.
public struct SourceInstance: Sendable {
  /// The key of the row, as text.
  public let objectID: String
  /// The layout of the row.
  package let layout: InstanceLayout
  /// The values as the server prints them, in the order of the layout.
  package let texts: [String?]
  /// Which one of its batch it is.
  package let position: Int

  /// Creates a row, such as for a test of a policy.
  ///
  /// - Parameters:
  ///   - objectID: The key.
  ///   - layout: The layout of the row.
  ///   - texts: The values as the server prints them, in the order of the layout.
  ///   - position: The position in its batch, from 0.
  package init(
    objectID: String,
    _ layout: InstanceLayout,
    texts: [String?],
    position: Int = 0
  ) {
    self.objectID = objectID
    self.layout = layout
    self.texts = texts
    self.position = position
  }

  /// Returns a value as the server prints it.
  public func text(forKey key: String) throws(InstanceError) -> String? {
    let position = try layout.source.position(of: key)
    return position < texts.count ? texts[position] : nil
  }

  /// Returns a value in the type of its attribute.
  ///
  /// - Throws: That there is no such attribute, or that its values are bytes.
  public func value(forKey key: String) throws(InstanceError) -> AttributeValue? {
    let type = layout.source.properties[try layout.source.position(of: key)].type
    guard let text = try text(forKey: key) else { return nil }
    guard let value = AttributeValue(serverText: text, of: type) else {
      throw error(key, .otherType(type))
    }
    return value
  }

  /// Returns a text: the value of a string, of a URI, or of a type of the server's.
  public func string(forKey key: String) throws(InstanceError) -> String? {
    switch try value(forKey: key) {
    case .string(let text), .text(let text), .uuid(let text), .decimal(let text): text
    case .boolean, .integer, .double, .date: throw error(key, .notA("text"))
    case nil: nil
    }
  }

  /// Returns a whole number, or the key of a to-one relationship's destination.
  public func integer(forKey key: String) throws(InstanceError) -> Int64? {
    switch try value(forKey: key) {
    case .integer(let value): value
    case .boolean, .string, .text, .uuid, .decimal, .double, .date:
      throw error(key, .notA("whole number"))
    case nil: nil
    }
  }

  /// Returns a number in floating point.
  public func double(forKey key: String) throws(InstanceError) -> Double? {
    switch try value(forKey: key) {
    case .double(let value): value
    case .boolean, .string, .text, .uuid, .decimal, .integer, .date:
      throw error(key, .notA("number in floating point"))
    case nil: nil
    }
  }

  /// Returns a Boolean.
  public func boolean(forKey key: String) throws(InstanceError) -> Bool? {
    switch try value(forKey: key) {
    case .boolean(let value): value
    case .double, .string, .text, .uuid, .decimal, .integer, .date:
      throw error(key, .notA("Boolean"))
    case nil: nil
    }
  }

  /// Returns an instant in seconds since 2001-01-01 00:00:00 UTC.
  public func date(forKey key: String) throws(InstanceError) -> Double? {
    switch try value(forKey: key) {
    case .date(let seconds): seconds
    case .double, .string, .text, .uuid, .decimal, .integer, .boolean:
      throw error(key, .notA("date"))
    case nil: nil
    }
  }

  /// Returns the bytes of a binary or transformable attribute.
  public func bytes(forKey key: String) throws(InstanceError) -> [UInt8]? {
    guard let text = try text(forKey: key) else { return nil }
    let type = layout.source.properties[try layout.source.position(of: key)].type
    guard type.kind == .bytes, let bytes = Self.bytes(hexadecimal: text) else {
      throw error(key, .notA("binary value"))
    }
    return bytes
  }

  /// Returns the bytes of `\x0a1b`, which is how the server prints them.
  private static func bytes(hexadecimal text: String) -> [UInt8]? {
    let digits = text.utf8.dropFirst(2).map {
      Unicode.Scalar($0).properties.isASCIIHexDigit ? $0 : 0
    }
    guard text.hasPrefix("\\x"), digits.count.isMultiple(of: 2), !digits.contains(0) else {
      return nil
    }
    func value(_ digit: UInt8) -> UInt8 { digit < 65 ? digit - 48 : (digit | 32) - 87 }
    return stride(from: 0, to: digits.count, by: 2).map {
      value(digits[$0]) << 4 | value(digits[$0 + 1])
    }
  }

  private func error(_ key: String, _ fact: InstanceError.Fact) -> InstanceError {
    InstanceError(entityName: layout.source.entityName, key: key, fact: fact)
  }
}
