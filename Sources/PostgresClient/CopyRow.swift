/// A row as `COPY` sends it in its text format.
package struct CopyRow: Hashable, Sendable {
  private let bytes: [UInt8]
  /// The end of each field, without the tab after it.
  private let ends: [Int]

  /// Creates a row from its line, without the newline at its end.
  package init(line: some Sequence<UInt8>) {
    bytes = Array(line)
    // A tab in a value is sent as an escape.
    ends = bytes.withUnsafeBufferPointer { bytes in
      bytes.indices.filter { bytes[$0] == tab } + [bytes.count]
    }
  }

  /// How many fields the row has.
  package var count: Int { ends.count }

  /// How many bytes were sent for it.
  package var byteCount: Int { bytes.count }

  /// Returns the value of a field; none if it is NULL.
  ///
  /// - Parameter position: Which field, counted from 0.
  package subscript(position: Int) -> String? {
    let start = position == 0 ? 0 : ends[position - 1] + 1
    let field = bytes[start..<ends[position]]
    guard let escape = field.firstIndex(of: backslash) else {
      return String(decoding: field, as: UTF8.self)
    }
    if field.elementsEqual([backslash, UInt8(ascii: "N")]) { return nil }
    return String(decoding: Self.unescaped(field, from: escape), as: UTF8.self)
  }

  private static func unescaped(_ field: ArraySlice<UInt8>, from first: Int) -> [UInt8] {
    var value = Array(field[..<first])
    var rest = field[first...]
    while let byte = rest.popFirst() {
      guard byte == backslash, let code = rest.popFirst() else {
        value.append(byte)
        continue
      }
      switch code {
      case UInt8(ascii: "b"): value.append(8)
      case UInt8(ascii: "f"): value.append(12)
      case UInt8(ascii: "n"): value.append(10)
      case UInt8(ascii: "r"): value.append(13)
      case UInt8(ascii: "t"): value.append(tab)
      case UInt8(ascii: "v"): value.append(11)
      case UInt8(ascii: "x"):
        let digits = rest.prefix(2).prefix { digit($0, radix: 16) != nil }
        value.append(digits.isEmpty ? code : number(digits, radix: 16))
        rest = rest.dropFirst(digits.count)
      case UInt8(ascii: "0")...UInt8(ascii: "7"):
        let digits = [code] + rest.prefix(2).prefix { digit($0, radix: 8) != nil }
        value.append(number(digits[...], radix: 8))
        rest = rest.dropFirst(digits.count - 1)
      default: value.append(code)  // All else stands for itself.
      }
    }
    return value
  }

  private static func digit(_ byte: UInt8, radix: UInt8) -> UInt8? {
    let value: UInt8
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): value = byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): value = byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): value = byte - UInt8(ascii: "A") + 10
    default: return nil  // Bytes are no closed set.
    }
    return value < radix ? value : nil
  }

  private static func number(_ digits: ArraySlice<UInt8>, radix: UInt8) -> UInt8 {
    // Three octal digits may exceed a byte; like the server, take the low bits.
    digits.reduce(0) { $0 &* radix &+ (digit($1, radix: radix) ?? 0) }
  }
}

extension CopyRow {
  /// Appends values to a buffer as a line that the server reads back as exactly these.
  ///
  /// - Throws: The error of a value that has a null byte, which no text of the server's has.
  static func append(
    _ values: some Sequence<String?>,
    to buffer: inout [UInt8]
  ) throws(PostgresError) {
    var isFirst = true
    for value in values {
      if !isFirst { buffer.append(tab) }
      isFirst = false
      guard var value else {
        buffer += [backslash, UInt8(ascii: "N")]
        continue
      }
      let isText = value.withUTF8 { append($0, to: &buffer) }
      if !isText { throw .nullByte(in: "COPY") }
    }
    buffer.append(10)
  }

  /// Returns whether the bytes are those of a text.
  private static func append(_ bytes: UnsafeBufferPointer<UInt8>, to buffer: inout [UInt8]) -> Bool
  {
    var start = 0
    for position in bytes.indices {
      let code: UInt8
      switch bytes[position] {
      case backslash: code = backslash
      case 10: code = UInt8(ascii: "n")
      case 13: code = UInt8(ascii: "r")
      case tab: code = UInt8(ascii: "t")
      case 0: return false
      default: continue  // All else stands for itself.
      }
      buffer += UnsafeBufferPointer(rebasing: bytes[start..<position])
      buffer += [backslash, code]
      start = position + 1
    }
    buffer += UnsafeBufferPointer(rebasing: bytes[start...])
    return true
  }
}

private let tab = UInt8(ascii: "\t")
private let backslash = UInt8(ascii: "\\")
