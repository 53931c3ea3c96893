package import ObjectModel

/// Whether values of one attribute type can become values of another without an expression.
///
/// A composite is converted element by element, so that between two different ones the question is
/// one of their elements.
package enum AttributeConversion: Hashable, Sendable {
  /// Both are stored alike.
  case identical
  /// Every value has its counterpart.
  case lossless
  /// Every value that passes a check has its counterpart.
  case checked
  /// Only an expression can convert it.
  case impossible

  /// Returns the conversion of values of one type to another.
  ///
  /// - Parameters:
  ///   - source: The type of the values.
  ///   - destination: The type that they are to have.
  ///   - isReturn: Whether the destination is of the older version: texts that were integers become integers
  ///     again.
  package init(
    from source: AttributeType,
    to destination: AttributeType,
    isReturn: Bool = false
  ) {
    let source = source.canonical
    let destination = destination.canonical
    if source == destination || source.kind == .bytes && destination.kind == .bytes {
      self = .identical
    } else if let before = source.numericRange, let after = destination.numericRange {
      // A numeric column may hold NaN, which no integer is.
      let mayBeNaN = source.isExactDecimal && destination.isInteger
      self = after.holds(before) && !mayBeNaN ? .lossless : .checked
    } else if case .text(let before) = source.kind, case .text(let after) = destination.kind {
      self = !after.holds(before) ? .checked : before.holds(after) ? .identical : .lossless
    } else if case .array(let before) = source, case .array(let after) = destination {
      self.init(from: before, to: after, isReturn: isReturn)
    } else if source == .boolean, destination.integerBits != nil {
      self = .lossless
    } else if source.integerBits != nil, destination == .boolean {
      self = .checked
    } else if let bits = source.integerBits, case .text(let texts) = destination.kind {
      self = texts.holdsIntegers(of: bits)
    } else if isReturn, destination.integerBits != nil, case .text(let texts) = source.kind {
      self = texts.isListed ? .impossible : .checked
    } else {
      self = .impossible
    }
  }
}

extension TextDomain {
  fileprivate var isListed: Bool { if case .listed = self { true } else { false } }

  /// Returns whether integers of so many bits can be written in it.
  fileprivate func holdsIntegers(of bits: Int) -> AttributeConversion {
    switch self {
    case .all: .lossless
    // The least one is the longest.
    case .upTo(let length):
      length >= String(Int64.min >> Int64(64 - bits)).count ? .lossless : .checked
    case .listed: .impossible
    }
  }
}

extension AttributeType {
  /// How many bits the integers have that values are; none if they are something else.
  fileprivate var integerBits: Int? {
    if case .integer(let bits) = kind { bits } else { nil }
  }

  fileprivate var isExactDecimal: Bool {
    if case .decimal = kind { true } else { false }
  }
}
