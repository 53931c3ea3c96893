extension AttributeValue {
  /// Returns an instant as ISO 8601 in UTC, to the microsecond.
  package static func timestamp(secondsSince2001 seconds: Double) -> String {
    // Outside of the server's range, which begins in 4714 BC, only infinity is possible.
    guard seconds.isFinite, (-211_845_110_400..<9.0e12).contains(seconds) else {
      return seconds < 0 ? "-infinity" : "infinity"
    }
    let wholeSeconds = seconds.rounded(.down)
    var microseconds = Int(((seconds - wholeSeconds) * 1_000_000).rounded())
    var total = Int(wholeSeconds)
    if microseconds == 1_000_000 {
      microseconds = 0
      total += 1
    }
    let (days, secondOfDay) = total.quotientAndRemainder(flooringBy: 86_400)
    let (year, month, day) = civilDate(daysSince2001: days)
    let time = [secondOfDay / 3600, secondOfDay / 60 % 60, secondOfDay % 60].map { padded($0, 2) }
    let date = [padded(year > 0 ? year : 1 - year, 4), padded(month, 2), padded(day, 2)]
    let fraction = microseconds == 0 ? "" : "." + padded(microseconds, 6)
    return date.joined(separator: "-") + " " + time.joined(separator: ":") + fraction + "+00"
      + (year > 0 ? "" : " BC")
  }

  /// Returns the date of the proleptic Gregorian calendar, years counted with a year 0.
  private static func civilDate(daysSince2001 days: Int) -> (year: Int, month: Int, day: Int) {
    // Counted from 0000-03-01, so that the leap day is the last of its year.
    let shifted = days + 730_791
    let (era, dayOfEra) = shifted.quotientAndRemainder(flooringBy: 146_097)
    let yearOfEra =
      (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
  }

  private static func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}

extension Int {
  fileprivate func quotientAndRemainder(flooringBy divisor: Int) -> (Int, Int) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}
