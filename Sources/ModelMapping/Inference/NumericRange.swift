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
    switch kind {
    case .integer(bits: let bits):
      // Of the most digits, the first need not be any.
      let held = Int(Double(bits - 1) * 0.30103)
      return NumericRange(integerBits: bits - 1, digits: (held + 1, 0), heldDigits: held)
    case .decimal(nil): return NumericRange(integerBits: .max, digits: (.max, .max))
    case .decimal(let limit?):
      let whole = limit.precision - limit.scale
      return NumericRange(integerBits: (whole * 3322 + 999) / 1000, digits: (whole, limit.scale))
    case .floating(bits: let bits): return NumericRange(integerBits: bits, fractionBits: bits)
    case .boolean, .text, .instant, .uuid, .bytes, .objectID, .constant, .array, .none: return nil
    }
  }
}
