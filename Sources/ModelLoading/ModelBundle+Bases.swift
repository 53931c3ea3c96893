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
    // The key may be quoted, or stand in braces.
    let key = "base".utf8
    return bytes.split(separator: UInt8(ascii: "\n")).contains { line in
      line.drop {
        [UInt8(ascii: "{"), UInt8(ascii: " "), UInt8(ascii: "\""), UInt8(ascii: "'")].contains($0)
      }
      .starts(with: key)
    }
  }
}
