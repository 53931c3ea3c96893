internal import FoundationEssentials

/// Small JSON texts, the same for the same content.
enum JSONText {
  /// Returns the strings of an array, or none if the text is anything else.
  static func strings(in text: String?) -> [String] {
    guard let text else { return [] }
    return (try? JSONDecoder().decode([String].self, from: Data(text.utf8))) ?? []
  }

  /// Decodes the value of a text of the server.
  ///
  /// - Throws: The fault of the text.
  static func value<Value: Decodable>(_ type: Value.Type, in text: String?) throws -> Value {
    try JSONDecoder().decode(type, from: Data((text ?? "").utf8))
  }

  /// Returns the members of an object that has nothing but strings and nulls.
  ///
  /// - Throws: The fault of the text.
  static func texts(in text: String) throws -> [String: String?] {
    var text = text
    let plain = text.withUTF8 { bytes in
      var scanner = PlainTextScanner(bytes: bytes)
      return scanner.members()
    }
    return try plain ?? value([String: String?].self, in: text)
  }

  /// Returns the text of a value whose parts are strings.
  static func text(_ value: some Encodable) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Strings always encode.
    return (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "null"
  }
}

/// Reads an object of strings without escapes, as nearly all that describe a catalog are, in a fraction of the
/// time of a decoder.
private struct PlainTextScanner {
  let bytes: UnsafeBufferPointer<UInt8>
  private var position = 0

  init(bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
  }

  /// Returns the members; `nil` if the text is anything else.
  mutating func members() -> [String: String?]? {
    guard take(UInt8(ascii: "{")) else { return nil }
    var members: [String: String?] = [:]
    repeat {
      guard let key = string(), take(UInt8(ascii: ":")) else { return nil }
      if let text = string() {
        members.updateValue(text, forKey: key)
      } else {
        guard takeNull() else { return nil }
        members.updateValue(nil, forKey: key)
      }
    } while take(UInt8(ascii: ","))
    guard take(UInt8(ascii: "}")) else { return nil }
    skipSpaces()
    return position == bytes.count ? members : nil
  }

  private mutating func string() -> String? {
    guard take(UInt8(ascii: "\"")) else { return nil }
    let start = position
    while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
      guard bytes[position] != UInt8(ascii: "\\"), bytes[position] >= 0x20 else { return nil }
      position += 1
    }
    let content = UnsafeBufferPointer(rebasing: bytes[start..<position])
    return take(UInt8(ascii: "\"")) ? String(decoding: content, as: UTF8.self) : nil
  }

  private mutating func takeNull() -> Bool {
    guard bytes[position...].starts(with: "null".utf8) else { return false }
    position += 4
    return true
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    skipSpaces()
    guard position < bytes.count, bytes[position] == byte else { return false }
    position += 1
    return true
  }

  private mutating func skipSpaces() {
    while position < bytes.count, bytes[position] == UInt8(ascii: " ") { position += 1 }
  }
}
