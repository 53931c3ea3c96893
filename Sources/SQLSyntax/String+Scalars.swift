// A combining mark makes one character of itself and the sign before it, but only to Swift: to every other
// reader the sign is there. UTF-8 has the bytes of a text nowhere but where its code points are.
extension StringProtocol {
  /// Returns whether the code points of a text are in this one, side by side.
  package func hasScalars(_ text: String) -> Bool {
    nextPlace(of: Array(text.utf8), in: Array(utf8), from: 0) != nil
  }
}

extension String {
  /// Returns the text with other code points wherever it has those of a text.
  package func replacingScalars(_ text: String, with other: String) -> String {
    // Most names have no sign that is to be doubled.
    guard let first = text.utf8.first, utf8.contains(first) else { return self }
    let pattern = Array(text.utf8)
    let bytes = Array(utf8)
    guard var place = nextPlace(of: pattern, in: bytes, from: 0) else { return self }
    var result: [UInt8] = []
    var start = 0
    while true {
      result += bytes[start..<place]
      result += other.utf8
      start = place + pattern.count
      guard let next = nextPlace(of: pattern, in: bytes, from: start) else { break }
      place = next
    }
    result += bytes[start...]
    return String(decoding: result, as: UTF8.self)
  }
}

/// Returns whether a text is the first of two by their bytes.
package func byBytes(_ first: String, _ second: String) -> Bool {
  var (first, second) = (first, second)
  return first.withUTF8 { first in second.withUTF8 { first.lexicographicallyPrecedes($0) } }
}

/// Returns where a pattern of at least one byte is next.
private func nextPlace(of pattern: [UInt8], in bytes: [UInt8], from start: Int) -> Int? {
  guard let first = pattern.first, start + pattern.count <= bytes.count else { return nil }
  return (start...(bytes.count - pattern.count)).first { place in
    bytes[place] == first && bytes[place..<(place + pattern.count)].elementsEqual(pattern)
  }
}
