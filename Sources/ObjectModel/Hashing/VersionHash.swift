internal import COpenSSL

/// A SHA-256 digest with the version of its rules, as in `v1:3a7b…`.
public struct VersionHash: Hashable, Sendable, Codable {
  /// The digest as text: `v1:` and 64 hexadecimal digits.
  public let text: String

  /// Creates a hash from its text, as metadata and reports hold it.
  package init(text: String) {
    self.text = text
  }

  init(of serialisation: CanonicalWriter) {
    text = "v1:" + hexadecimalSHA256(of: serialisation.bytes)
  }

  /// Returns whether the hash begins with a prefix, which may have the `v1:` or leave it out.
  package func matches(prefix: String) -> Bool {
    !prefix.isEmpty && (text.hasPrefix(prefix) || text.dropFirst(3).hasPrefix(prefix.lowercased()))
  }

  /// Reads the text.
  public init(from decoder: any Decoder) throws {
    text = try decoder.singleValueContainer().decode(String.self)
  }

  /// Writes the text.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}

extension VersionHash: CustomStringConvertible {
  /// The hash as text: `v1:` and hexadecimal digits.
  public var description: String { text }
}

/// Returns the SHA-256 digest of bytes in hexadecimal digits.
package func hexadecimalSHA256(of bytes: some Sequence<UInt8>) -> String {
  var context = SHA256_CTX()
  SHA256_Init(&context)
  let bytes = Array(bytes)
  SHA256_Update(&context, bytes, bytes.count)
  var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
  SHA256_Final(&digest, &context)

  let digits = Array("0123456789abcdef".utf8)
  return String(unsafeUninitializedCapacity: 2 * digest.count) { text in
    for (index, byte) in digest.enumerated() {
      text[2 * index] = digits[Int(byte >> 4)]
      text[2 * index + 1] = digits[Int(byte & 15)]
    }
    return 2 * digest.count
  }
}
