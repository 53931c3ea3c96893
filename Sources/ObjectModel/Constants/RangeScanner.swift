/// Tells whether a text is a range: two bounds between brackets, either of which may be missing.
enum RangeScanner {
  static func example(of type: AttributeType.RangeType) -> String {
    switch type {
    case .int4range, .int8range: "[1,10)"
    case .numrange: "[0.5,1.5]"
    case .daterange: "[2001-01-01,2001-02-01)"
    case .tsrange: "[2001-01-01 09:00,2001-01-01 10:00)"
    case .tstzrange: "[2001-01-01 09:00Z,2001-01-01 10:00Z)"
    }
  }

  static func isRange(_ text: String, of type: AttributeType.RangeType) -> Bool {
    if text == "empty" { return true }
    guard let open = text.first, "[(".contains(open), let close = text.last, "])".contains(close)
    else { return false }
    let bounds = text.dropFirst().dropLast().split(separator: ",", omittingEmptySubsequences: false)
    guard bounds.count == 2 else { return false }
    let texts = bounds.map { bound -> String in
      let bound = bound.drop { $0 == " " }
      let isQuoted = bound.count > 2 && bound.first == "\"" && bound.last == "\""
      return String(isQuoted ? bound.dropFirst().dropLast() : bound)
    }
    let keys = texts.map { order(of: $0, type) }
    for (bound, key) in zip(bounds, keys) where key == nil && !bound.isEmpty { return false }
    if let limit = type.limit {
      // The server counts on from a bound that is not as it keeps them.
      if open == "(", keys[0] == limit { return false }
      if close == "]", keys[1] == limit { return false }
    }
    guard let lower = keys[0], let upper = keys[1] else { return true }
    // Bounds too close to compare may be in the wrong order.
    return lower < upper || texts[0] == texts[1]
  }

  /// Returns a number by which bounds are in order; none if a text is no bound.
  private static func order(of text: String, _ type: AttributeType.RangeType) -> Double? {
    switch type {
    case .int4range: Int32(text).map(Double.init)
    case .int8range: Int64(text).map(Double.init)
    case .numrange: canonicalDecimal(text).flatMap(Double.init)
    case .daterange: ClockScanner.isDate(text) ? instant(text) : nil
    case .tsrange: text.dropFirst(10).contains { "Z+-".contains($0) } ? nil : instant(text)
    case .tstzrange: instant(text)
    }
  }

  private static func instant(_ text: String) -> Double? {
    if text == "infinity" { return .infinity }
    if text == "-infinity" { return -.infinity }
    if let point = text.firstIndex(of: ".") {
      let fraction = text[point...].dropFirst().prefix { $0.isNumber }
      guard (1...6).contains(fraction.utf8.count) else { return nil }
    }
    let zone = text.dropFirst(11).drop { $0 != "+" && $0 != "-" }.dropFirst()
    guard zone.isEmpty || Int(zone.prefix(2)).map({ $0 < 16 }) ?? false else { return nil }
    return secondsSince2001(text).flatMap(Double.init)
  }
}

extension AttributeType.RangeType {
  /// The greatest value, if each value has one after it.
  fileprivate var limit: Double? {
    switch self {
    case .int4range: Double(Int32.max)
    case .int8range: Double(Int64.max)
    case .numrange, .daterange, .tsrange, .tstzrange: nil
    }
  }
}
