/// Tells whether a text is an interval: numbers with units, `1 day 2 hours`, then or instead a
/// clock, `-02:30:00`; or `P1DT2H`, as ISO 8601 has it.
enum IntervalScanner {
  /// The unit of each word; an interval has each unit at most once.
  private static let units: [String: String] = [
    "microsecond": "microsecond", "millisecond": "millisecond", "second": "second",
    "sec": "second", "minute": "minute", "min": "minute", "hour": "hour", "day": "day",
    "week": "week", "month": "month", "mon": "month", "year": "year", "decade": "decade",
  ]

  static func isInterval(_ text: String) -> Bool {
    if text.first == "P" { return isDuration(text.dropFirst()) }
    var words = text.split(separator: " ", omittingEmptySubsequences: false)[...]
    var seen: Set<String> = []
    while words.count >= 2, isNumber(words[words.startIndex]) {
      var name = words[words.startIndex + 1].lowercased()
      if name.hasSuffix("s") { name.removeLast() }
      guard let unit = units[name], seen.insert(unit).inserted else { return false }
      words = words.dropFirst(2)
    }
    guard let clock = words.first else { return !seen.isEmpty }
    let parts: Set = ["microsecond", "millisecond", "second", "minute", "hour"]
    return words.count == 1 && seen.isDisjoint(with: parts)
      && ClockScanner.seconds(of: String(withoutSign(clock))) != nil
  }

  /// Returns whether a text is numbers, each with its letter behind it, in the order of ISO 8601.
  private static func isDuration(_ text: Substring) -> Bool {
    let parts = text.split(separator: "T", omittingEmptySubsequences: false)
    guard parts.count <= 2, parts.last?.isEmpty == false else { return false }
    return zip(parts, ["YMWD", "HMS"]).allSatisfy { part, letters in
      var rest = part
      var letters = letters[...]
      while let end = rest.firstIndex(where: \.isLetter) {
        guard isNumber(rest[..<end]), let place = letters.firstIndex(of: rest[end]) else {
          return false
        }
        letters = letters[place...].dropFirst()
        rest = rest[end...].dropFirst()
      }
      return rest.isEmpty
    }
  }

  private static func withoutSign(_ text: Substring) -> Substring {
    text.first == "-" || text.first == "+" ? text.dropFirst() : text
  }

  private static func isNumber(_ text: Substring) -> Bool {
    let parts = withoutSign(text).split(separator: ".", omittingEmptySubsequences: false)
    return parts.count <= 2
      && parts.allSatisfy { (1...6).contains($0.utf8.count) && ClockScanner.number($0) != nil }
  }
}
