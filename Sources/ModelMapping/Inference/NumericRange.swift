internal import ObjectModel

/// Which numbers a numeric type can hold exactly.
struct NumericRange {
  /// How many bits an integer may have so that each one is held, sign aside.
  var integerBits: Int
  /// How many digits before and after the point values may have; `nil` for a binary fraction.
  var digits: (whole: Int, fraction: Int)?
  /// How many digits before the point any value may have so that it is held, where that is fewer.
  var heldDigits: Int?
  /// How many bits the fraction of a floating-point type has.
  var fractionBits: Int?

  func holds(_ other: NumericRange) -> Bool {
    if let otherDigits = other.digits {
      guard let digits else { return otherDigits.fraction == 0 && integerBits >= other.integerBits }
      // Of two kinds of integers the bits tell, of other numbers the digits.
      if heldDigits != nil, other.heldDigits != nil { return integerBits >= other.integerBits }
      return (heldDigits ?? digits.whole) >= otherDigits.whole
        && digits.fraction >= otherDigits.fraction
    }
    guard let otherBits = other.fractionBits, let bits = fractionBits else { return false }
    return bits >= otherBits
  }
}

extension AttributeType {
  /// The numbers that the type holds, if it is one of numbers.
  var numericRange: NumericRange? {
    switch self {
    case .integer16: NumericRange(integerBits: 15, digits: (5, 0), heldDigits: 4)
    case .integer32: NumericRange(integerBits: 31, digits: (10, 0), heldDigits: 9)
    case .integer64: NumericRange(integerBits: 63, digits: (19, 0), heldDigits: 18)
    case .decimal: NumericRange(integerBits: .max, digits: (.max, .max))
    case .numeric(let precision, let scale):
      NumericRange(
        integerBits: ((precision - scale) * 3322 + 999) / 1000,
        digits: (precision - scale, scale)
      )
    case .double: NumericRange(integerBits: 53, fractionBits: 53)
    case .float: NumericRange(integerBits: 24, fractionBits: 24)
    case .undefined, .string, .uri, .boolean, .date, .binary, .uuid, .transformable, .objectID,
      .composite, .json, .calendarDate, .time, .interval, .inet, .varchar, .array, .enumeration,
      .sql:
      nil
    }
  }
}
