/// Returns the seconds from 2001-01-01 00:00:00 UTC to an instant in ISO 8601, in digits, or `nil` if
/// the text is none: `2024-02-29`, `2024-02-29T12:30:00Z`, `2024-02-29 12:30:00.5+02`.
package func secondsSince2001(_ text: String) -> String? {
  var scanner = InstantScanner(text)
  guard let year = scanner.number(4), scanner.skip("-"), let month = scanner.number(2),
    scanner.skip("-"), let day = scanner.number(2), year > 0, (1...12).contains(month),
    (1...daysInMonth(month, of: year)).contains(day)
  else { return nil }
  var seconds = daysSince2001(year, month, day) * 86_400
  var fraction = ""
  if !scanner.isAtEnd {
    guard scanner.skip("T") || scanner.skip(" "), let hour = scanner.number(2), scanner.skip(":"),
      let minute = scanner.number(2), hour < 24, minute < 60
    else { return nil }
    seconds += hour * 3600 + minute * 60
    if scanner.skip(":") {
      guard let second = scanner.number(2), second < 60 else { return nil }
      seconds += second
      if scanner.skip(".") { fraction = scanner.digits() }
    }
    guard let offset = scanner.zone() else { return nil }
    seconds -= offset
  }
  guard scanner.isAtEnd else { return nil }
  return decimalText(seconds: seconds, fraction: fraction)
}

/// Joins whole seconds, which may be negative, with a fraction that counts forward.
private func decimalText(seconds: Int, fraction: String) -> String? {
  guard seconds < 0, fraction.contains(where: { $0 != "0" }) else {
    return canonicalDecimal(fraction.isEmpty ? "\(seconds)" : "\(seconds).\(fraction)")
  }
  guard let value = Double("0.\(fraction)") else { return nil }
  return canonicalDecimal("\(Double(seconds) + value)")
}

private func isLeapYear(_ year: Int) -> Bool {
  year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
}

private func daysInMonth(_ month: Int, of year: Int) -> Int {
  switch month {
  case 2: isLeapYear(year) ? 29 : 28
  case 4, 6, 9, 11: 30
  default: 31
  }
}

private func daysSince2001(_ year: Int, _ month: Int, _ day: Int) -> Int {
  let past = year - 1
  let days = past * 365 + past / 4 - past / 100 + past / 400
  let monthDays = (1..<month).reduce(0) { $0 + daysInMonth($1, of: year) }
  // 2001-01-01 is day 730,485 of the calendar that starts in year 1.
  return days + monthDays + day - 1 - 730_485
}

/// Takes an instant's text apart from the left.
private struct InstantScanner {
  private var rest: ArraySlice<UInt8>

  init(_ text: String) {
    rest = Array(text.utf8)[...]
  }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard rest.first == UInt8(ascii: character) else { return false }
    rest.removeFirst()
    return true
  }

  mutating func digits() -> String {
    let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    rest = rest[digits.endIndex...]
    return String(decoding: digits, as: UTF8.self)
  }

  mutating func number(_ length: Int) -> Int? {
    let text = digits()
    return text.utf8.count == length ? Int(text) : nil
  }

  /// Returns the seconds by which the zone is ahead of UTC; no zone is UTC.
  mutating func zone() -> Int? {
    if isAtEnd || skip("Z") { return 0 }
    let sign = skip("+") ? 1 : skip("-") ? -1 : 0
    guard sign != 0, let hour = number(2), hour < 24 else { return nil }
    guard skip(":") else { return isAtEnd ? sign * hour * 3600 : nil }
    guard let minute = number(2), minute < 60 else { return nil }
    return sign * (hour * 3600 + minute * 60)
  }
}
