/// A version that another one was made from, known by its hashes.
///
/// Two versions with the same version hash can differ in their layout, so the digest of the layout
/// tells them apart where it is known.
public struct VersionBase: Hashable, Sendable {
  /// The hash of the whole version.
  public let checksum: VersionHash
  /// The digest of all that becomes DDL; `nil` if the file does not have it.
  package let layoutDigest: VersionHash?

  /// Creates the base that a file names.
  package init(checksum: VersionHash, layoutDigest: VersionHash?) {
    self.checksum = checksum
    self.layoutDigest = layoutDigest
  }

  /// Creates the base that a version with some hashes is for the versions made from it.
  ///
  /// - Parameter hashes: The hashes of the whole model, of all its configurations.
  public init(_ hashes: ModelVersionHashes) {
    checksum = hashes.checksum
    layoutDigest = hashes.layoutDigest
  }
}

extension VersionHash {
  /// Creates a hash from the text of a file.
  ///
  /// - Returns: `nil` if the text is not that of a hash.
  package init?(validating text: String) {
    let digits = text.utf8.dropFirst(3)
    let isHash =
      text.hasPrefix("v1:") && digits.count == 64
      && digits.allSatisfy {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
          || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
      }
    guard isHash else { return nil }
    self.init(text: text)
  }
}
