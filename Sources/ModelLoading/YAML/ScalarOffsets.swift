/// The positions of a text's bytes in a YAML file, which may have folded and escaped them.
///
/// Computed on first use, since most texts have no faults.
struct ScalarOffsets: Sendable {
  let text: String
  private let start: Int
  private let bytes: [UInt8]

  /// Creates the places of a text that starts somewhere in a file.
  init(of text: String, at start: Int, in source: SourceText) {
    self.text = text
    self.start = start
    bytes = source.bytes
  }

  /// Returns the position of a byte of the text, in white space one nearby; the end of the text has
  /// one, too.
  func offset(ofByte index: Int) -> Int? {
    let text = text.utf8
    guard index >= 0, index <= text.count, !text.isEmpty else { return nil }
    var walk = ScalarWalk(bytes, start)
    var offset = start
    // The text and its place in the file are walked along together.
    for byte in text.prefix(index + 1) { offset = walk.offset(of: byte) }
    return index == text.count ? offset + 1 : offset
  }
}

/// Goes over a scalar in a file byte by byte.
private struct ScalarWalk {
  private enum Style {
    case plain, singleQuoted, doubleQuoted, block
  }

  private let bytes: [UInt8]
  private let style: Style
  private var position: Int
  /// The remaining bytes of an escape sequence, which share one position.
  private var escaped: (bytes: ArraySlice<UInt8>, start: Int)?
  private var wasSpace = false

  init(_ bytes: [UInt8], _ start: Int) {
    self.bytes = bytes
    position = min(start, bytes.count)
    switch position < bytes.count ? bytes[position] : 0 {
    case UInt8(ascii: "'"):
      style = .singleQuoted
      position += 1
    case UInt8(ascii: "\""):
      style = .doubleQuoted
      position += 1
    case UInt8(ascii: "|"), UInt8(ascii: ">"):
      style = .block
      while position < bytes.count, bytes[position] != UInt8(ascii: "\n") { position += 1 }
      skipSpaces()
    default: style = .plain
    }
  }

  mutating func offset(of byte: UInt8) -> Int {
    if let rest = escaped {
      let next = rest.bytes.dropFirst()
      escaped = next.isEmpty ? nil : (next, rest.start)
      return rest.start
    }
    if style == .doubleQuoted, peek() == UInt8(ascii: "\\"), let start = takeEscape() {
      return start
    }
    // Line breaks become spaces and indentation is removed, so any run of white space matches
    // another.
    guard !Self.isSpace(byte) else {
      let start = position
      if let next = peek(), Self.isSpace(next), !wasSpace || next == byte { position += 1 }
      wasSpace = true
      return start
    }
    if wasSpace || peek().map(Self.isSpace) == true {
      skipSpaces()
      wasSpace = false
    }
    if style == .doubleQuoted, peek() == UInt8(ascii: "\\"), let start = takeEscape() {
      return start
    }
    let start = position
    position += 1
    if style == .singleQuoted, byte == UInt8(ascii: "'") { position += 1 }
    return min(start, bytes.count)
  }

  private func peek() -> UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func skipSpaces() {
    while let byte = peek(), Self.isSpace(byte) { position += 1 }
  }

  /// Skips an escape sequence; returns its start, or `nil` for an escaped line break, which
  /// produces no byte.
  private mutating func takeEscape() -> Int? {
    let start = position
    position += 1
    guard let letter = peek() else { return start }
    position += 1
    let digitCounts: [UInt8: Int] = [
      UInt8(ascii: "x"): 2, UInt8(ascii: "u"): 4, UInt8(ascii: "U"): 8,
    ]
    if let count = digitCounts[letter] {
      let digits = String(decoding: bytes[position...].prefix(count), as: UTF8.self)
      position = min(position + count, bytes.count)
      let scalar = UInt32(digits, radix: 16).flatMap(Unicode.Scalar.init) ?? " "
      expect(UTF8.width(scalar), start)
    } else if letter == UInt8(ascii: "\n") || letter == UInt8(ascii: "\r") {
      skipSpaces()
      return nil
    } else if letter == UInt8(ascii: "N") || letter == UInt8(ascii: "_") {
      expect(2, start)
    } else if letter == UInt8(ascii: "L") || letter == UInt8(ascii: "P") {
      expect(3, start)
    }
    wasSpace = false
    return start
  }

  private mutating func expect(_ count: Int, _ start: Int) {
    let rest = [UInt8](repeating: 0, count: count).dropFirst()
    escaped = rest.isEmpty ? nil : (rest, start)
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
  }
}
