/// The offsets of an element's attributes; Expat does not report them, so this parses the start tag
/// again.
struct AttributeOffsets {
  /// The position of the element.
  let element: Int
  private var offsets: [String: Int] = [:]

  /// Reads the start tag of an element, which is well-formed, as Expat has read it.
  init(of element: Int, in bytes: [UInt8]) {
    self.element = element
    var index = element
    func advance(until isEnd: (UInt8) -> Bool) {
      while index < bytes.count, !isEnd(bytes[index]) { index += 1 }
    }
    // Past the element's name.
    advance { Self.isSpace($0) || $0 == UInt8(ascii: ">") }
    while index < bytes.count {
      advance { !Self.isSpace($0) }
      guard index < bytes.count, bytes[index] != UInt8(ascii: ">"),
        bytes[index] != UInt8(ascii: "/")
      else { return }
      let start = index
      advance { Self.isSpace($0) || $0 == UInt8(ascii: "=") }
      offsets[String(decoding: bytes[start..<index], as: UTF8.self)] = start
      advance { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "'") }
      guard index < bytes.count else { return }
      let quote = bytes[index]
      index += 1
      advance { $0 == quote }
      index += 1
    }
  }

  /// Returns the position of an attribute's name, or that of the element if it is not there.
  func offset(of attribute: String) -> Int {
    offsets[attribute] ?? element
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
  }
}
