/// Tells whether a text is a JSON document that `jsonb` holds: without the character zero, and with
/// surrogates in pairs.
struct JSONScanner {
  /// The maximum depth, far below the stack limit of any server.
  private static let depthLimit = 200

  private var rest: ArraySlice<UInt8>

  static func isDocument(_ text: String) -> Bool {
    var scanner = JSONScanner(rest: Array(text.utf8)[...])
    guard scanner.value(depth: 0) else { return false }
    scanner.skipSpace()
    return scanner.rest.isEmpty
  }

  private mutating func skipSpace() {
    while let byte = rest.first, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { rest.removeFirst() }
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    skipSpace()
    guard rest.first == UInt8(ascii: character) else { return false }
    rest.removeFirst()
    return true
  }

  private mutating func value(depth: Int) -> Bool {
    guard depth < Self.depthLimit else { return false }
    skipSpace()
    if take("{") {
      return list(until: "}") { scanner in
        scanner.skipSpace()
        return scanner.string() && scanner.take(":") && scanner.value(depth: depth + 1)
      }
    }
    if take("[") { return list(until: "]") { $0.value(depth: depth + 1) } }
    if rest.first == UInt8(ascii: "\"") { return string() }
    for word in ["true", "false", "null"] where rest.starts(with: word.utf8) {
      rest = rest.dropFirst(word.utf8.count)
      return true
    }
    return number()
  }

  private mutating func list(
    until end: Unicode.Scalar,
    _ item: (inout JSONScanner) -> Bool
  ) -> Bool {
    if take(end) { return true }
    repeat {
      guard item(&self) else { return false }
    } while take(",")
    return take(end)
  }

  private mutating func digits() -> Int {
    let count = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }.count
    rest = rest.dropFirst(count)
    return count
  }

  private mutating func number() -> Bool {
    if rest.first == UInt8(ascii: "-") { rest.removeFirst() }
    let startsWithZero = rest.first == UInt8(ascii: "0")
    let whole = digits()
    guard whole > 0, whole <= 1000, !startsWithZero || whole == 1 else { return false }
    if rest.first == UInt8(ascii: ".") {
      rest.removeFirst()
      guard (1...1000).contains(digits()) else { return false }
    }
    if let mark = rest.first, mark == UInt8(ascii: "e") || mark == UInt8(ascii: "E") {
      rest.removeFirst()
      if let sign = rest.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") {
        rest.removeFirst()
      }
      // A number of more digits than numeric has is out of range.
      guard (1...3).contains(digits()) else { return false }
    }
    return true
  }

  private mutating func string() -> Bool {
    guard rest.popFirst() == UInt8(ascii: "\"") else { return false }
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "\""): return true
      case UInt8(ascii: "\\"): guard escape() else { return false }
      case 0..<0x20: return false
      default: continue
      }
    }
    return false
  }

  private mutating func escape() -> Bool {
    guard let byte = rest.popFirst() else { return false }
    guard byte == UInt8(ascii: "u") else { return "\"\\/bfnrt".utf8.contains(byte) }
    guard let code = hexadecimal(), code != 0, !(0xDC00...0xDFFF).contains(code) else {
      return false
    }
    guard (0xD800...0xDBFF).contains(code) else { return true }
    guard rest.starts(with: "\\u".utf8) else { return false }
    rest = rest.dropFirst(2)
    return hexadecimal().map { (0xDC00...0xDFFF).contains($0) } ?? false
  }

  private mutating func hexadecimal() -> UInt32? {
    let digits = String(decoding: rest.prefix(4), as: UTF8.self)
    guard digits.utf8.count == 4, digits.allSatisfy(\.isHexDigit) else { return nil }
    rest = rest.dropFirst(4)
    return UInt32(digits, radix: 16)
  }
}
