internal import ObjectModel

/// The digest of a plan file in the file itself, which reveals every changed byte.
///
/// It detects edits and damage, but no deception: anyone can compute it again.
package enum PlanSeal {
  /// The placeholder for the digest while it is computed.
  package static let blank = "sha256:" + String(repeating: "0", count: 64)

  private static let key = Array("\n  \"seal\": \"sha256:".utf8)

  /// Returns a JSON text whose top level has the key `seal`, with its digest in place of the blank.
  package static func sealed(_ text: String) -> String {
    let bytes = Array(text.utf8)
    guard let place = place(in: bytes) else { return text }
    return String(
      decoding: bytes[..<place.lowerBound] + Array(digest(of: bytes, place).utf8)
        + bytes[place.upperBound...],
      as: UTF8.self
    )
  }

  /// Returns whether a file is as it was written; none if it has no seal.
  package static func isIntact(_ bytes: [UInt8]) -> Bool? {
    // A line break at the end is the editors' and the shells'.
    let bytes = bytes.last == UInt8(ascii: "\n") ? bytes.dropLast() : bytes
    guard let place = place(in: bytes) else { return nil }
    return Array(bytes[place]) == Array(digest(of: bytes, place).utf8)
  }

  private static func digest(of bytes: [UInt8], _ place: Range<Int>) -> String {
    var bytes = bytes
    bytes.replaceSubrange(place, with: repeatElement(UInt8(ascii: "0"), count: place.count))
    return hexadecimalSHA256(of: bytes)
  }

  /// The position of the digits.
  private static func place(in bytes: [UInt8]) -> Range<Int>? {
    guard let start = bytes.firstRange(of: key)?.upperBound, bytes.count >= start + 64 else {
      return nil
    }
    return start..<start + 64
  }
}
