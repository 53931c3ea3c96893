/// Tells whether texts are days and times in ISO 8601.
enum ClockScanner {
  /// `2024-02-29`, or one of the two infinities.
  static func isDate(_ text: String) -> Bool {
    if text == "infinity" || text == "-infinity" { return true }
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.map(\.utf8.count) == [4, 2, 2], let year = number(parts[0]), year > 0,
      let month = number(parts[1]), (1...12).contains(month), let day = number(parts[2])
    else { return false }
    let isLeap = year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
    let days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    return (1...days[month - 1]).contains(day)
  }

  /// `12:30`, `12:30:00`, `12:30:00.5`; the end of the day is `24:00`.
  static func isTime(_ text: String) -> Bool {
    guard text.prefix(while: { $0 != ":" }).utf8.count == 2, let seconds = seconds(of: text) else {
      return false
    }
    return seconds <= 86_400
  }

  /// Returns the number of seconds, with any fraction rounded up.
  static func seconds(of text: String) -> Int? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard (2...3).contains(parts.count), (1...6).contains(parts[0].utf8.count),
      let hours = number(parts[0]), parts[1].utf8.count == 2, let minutes = number(parts[1]),
      minutes < 60
    else { return nil }
    let whole = hours * 3600 + minutes * 60
    guard parts.count == 3 else { return whole }
    let pieces = parts[2].split(separator: ".", omittingEmptySubsequences: false)
    guard pieces[0].utf8.count == 2, let seconds = number(pieces[0]), seconds < 60 else {
      return nil
    }
    guard pieces.count == 2 else { return pieces.count == 1 ? whole + seconds : nil }
    guard (1...6).contains(pieces[1].utf8.count), number(pieces[1]) != nil else { return nil }
    return whole + seconds + 1
  }

  /// Returns the number if the text consists of digits.
  static func number(_ text: some StringProtocol) -> Int? {
    let isDigits = text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    return isDigits ? Int(text) : nil
  }
}
