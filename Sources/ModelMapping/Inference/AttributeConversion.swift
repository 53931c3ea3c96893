public import ObjectModel

/// Whether values of one attribute type can become values of another without an expression.
public enum AttributeConversion: Hashable, Sendable {
  /// Both are stored alike.
  case identical
  /// Every value has its counterpart.
  case lossless
  /// Every value that passes a check has its counterpart.
  case checked
  /// The database may be able to, but Remodel does not infer it yet.
  case notYetInferred
  /// Only an expression can say how.
  case impossible

  /// Returns what becomes of values of one type in another.
  public init(from source: AttributeType, to destination: AttributeType) {
    if source == destination {
      self = .identical
    } else if let before = source.numericRange, let after = destination.numericRange {
      // A numeric column may hold NaN, which no integer is.
      let mayBeNaN = source.isExactDecimal && destination.isInteger
      self = after.holds(before) && !mayBeNaN ? .lossless : .checked
    } else {
      self = Self.conversionOfOthers(from: source, to: destination)
    }
  }

  private static func conversionOfOthers(
    from source: AttributeType,
    to destination: AttributeType
  ) -> AttributeConversion {
    switch (source, destination) {
    case (.string, .uri), (.uri, .string), (.binary, .transformable), (.transformable, .binary):
      .identical
    case (.varchar, .string), (.varchar, .uri):
      .lossless
    case (.varchar(let before), .varchar(let after)):
      before <= after ? .lossless : .checked
    case (.string, .varchar), (.uri, .varchar):
      .checked
    case (.boolean, .integer16), (.boolean, .integer32), (.boolean, .integer64):
      .lossless
    case (.composite, _), (_, .composite), (.array, .array), (.enumeration, _), (_, .enumeration):
      .notYetInferred
    case (.sql, _), (_, .sql):
      .notYetInferred
    default:
      // Pairs of types, not one of our enumerations: what is not listed needs an expression.
      .impossible
    }
  }
}

/// Which numbers a numeric type can hold exactly.
private struct NumericRange {
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
  fileprivate var isExactDecimal: Bool {
    if case .numeric = self { true } else { self == .decimal }
  }

  fileprivate var isInteger: Bool {
    self == .integer16 || self == .integer32 || self == .integer64
  }

  fileprivate var numericRange: NumericRange? {
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
