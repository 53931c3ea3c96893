extension Duration {
  /// Creates a duration from a number with a unit, such as `500ms`, `2s`, `1.5m`, `1h` or `7d`.
  ///
  /// Several may follow one another, as in `1h30m`; `0` needs no unit.
  init?(text: String) {
    guard text != "0" else {
      self = .zero
      return
    }
    guard !text.isEmpty else { return nil }
    var sum = Duration.zero
    var rest = text[...]
    while !rest.isEmpty {
      let number = rest.prefix { ("0"..."9").contains($0) || $0 == "." }
      rest = rest[number.endIndex...]
      let unit = rest.prefix { ("a"..."z").contains($0) }
      rest = rest[unit.endIndex...]
      guard let seconds = Self.seconds(of: unit), number.first != ".", number.last != ".",
        let value = Double(number), value * seconds < Self.longestSeconds
      else { return nil }
      sum += .microseconds(Int64((value * seconds * 1_000_000).rounded()))
    }
    guard sum <= .seconds(Self.longestSeconds) else { return nil }
    self = sum
  }

  /// A hundred years: more would overflow on its way into settings of the server.
  private static let longestSeconds = 100 * 366 * 86_400.0

  private static func seconds(of unit: Substring) -> Double? {
    switch unit {
    case "ms": 0.001
    case "s": 1
    case "m", "min": 60
    case "h": 3_600
    case "d": 86_400
    default: nil
    }
  }

  /// The duration in a unit that fits it: `340 ms`, `2.5 s`, `3 min 20 s`.
  var brief: String {
    let (whole, attoseconds) = components
    let milliseconds = Double(whole) * 1_000 + Double(attoseconds) / 1e15
    if milliseconds < 10 { return "\((milliseconds * 100).rounded() / 100) ms" }
    if milliseconds < 1_000 { return "\(Int(milliseconds.rounded())) ms" }
    if milliseconds < 60_000 { return "\((milliseconds / 100).rounded() / 10) s" }
    let seconds = Int((milliseconds / 1_000).rounded())
    if seconds < 3_600 { return "\(seconds / 60) min \(seconds % 60) s" }
    return "\(seconds / 3_600) h \(seconds / 60 % 60) min"
  }

  /// The duration in milliseconds, to the microsecond.
  var milliseconds: Double {
    let (whole, attoseconds) = components
    return ((Double(whole) * 1e6) + (Double(attoseconds) / 1e12)).rounded() / 1_000
  }
}
