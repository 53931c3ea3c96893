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

  /// Returns the text of a value whose parts are strings and finite numbers.
  static func text(_ value: some Encodable) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // They always encode.
    return (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "null"
  }
}
