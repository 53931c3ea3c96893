extension ModelBundle {
  /// A Boolean value that indicates whether a version's file says what it was made from, by its lines:
  /// the models of a bundle without such files need not be read to know that none lead apart.
  package var hasBases: Bool {
    isOfFiles && versions.contains { Self.hasBase(at: $0.path) }
  }

  private static func hasBase(at path: String) -> Bool {
    guard path.hasSuffix(".yaml") || path.hasSuffix(".yml"),
      let bytes = try? ModelFile.read(path)
    else { return false }
    return bytes.withUnsafeBufferPointer { bytes in
      bytes.indices.contains { index in
        bytes[index] == UInt8(ascii: "b") && bytes[index...].starts(with: "base".utf8)
          && isAtStart(index, bytes)
      }
    }
  }

  /// Returns whether a key is the first of its line; it may be quoted, or stand in braces.
  private static func isAtStart(_ index: Int, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    for byte in bytes[..<index].reversed() {
      switch byte {
      case UInt8(ascii: "\n"): return true
      case UInt8(ascii: "{"), UInt8(ascii: " "), UInt8(ascii: "\""), UInt8(ascii: "'"): continue
      default: return false
      }
    }
    return true
  }
}
