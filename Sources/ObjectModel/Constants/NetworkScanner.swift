/// Tells whether a text is an address of version 4 or 6, with or without the length of its network.
enum NetworkScanner {
  static func isAddress(_ text: String) -> Bool {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard let address = parts.first, parts.count <= 2 else { return false }
    let bits: Int
    if isVersion4(address) {
      bits = 32
    } else if isVersion6(address) {
      bits = 128
    } else {
      return false
    }
    guard parts.count == 2 else { return true }
    return plainNumber(parts[1]).map { $0 <= bits } ?? false
  }

  /// Returns a number of at most three digits without needless zeros.
  private static func plainNumber(_ text: Substring) -> Int? {
    guard (1...3).contains(text.utf8.count), text == "0" || text.first != "0" else { return nil }
    return ClockScanner.number(text)
  }

  private static func isVersion4(_ text: Substring) -> Bool {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts.allSatisfy { plainNumber($0).map { $0 <= 255 } ?? false }
  }

  private static func isVersion6(_ text: Substring) -> Bool {
    // Two colons, at most once, abbreviate groups of zeros.
    let halves = text.split(separator: "::", omittingEmptySubsequences: false)
    let groups = halves.map { half in
      half.isEmpty ? [] : half.split(separator: ":", omittingEmptySubsequences: false)
    }
    let all = groups.flatMap(\.self)
    guard all.allSatisfy(isGroup) else { return false }
    return halves.count == 1 ? all.count == 8 : halves.count == 2 && all.count <= 6
  }

  private static func isGroup(_ text: Substring) -> Bool {
    (1...4).contains(text.utf8.count) && text.allSatisfy { $0.isASCII && $0.isHexDigit }
  }
}
