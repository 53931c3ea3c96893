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
  package init(from source: AttributeType, to destination: AttributeType) {
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
      self.init(from: before, to: after)
    } else if source == .boolean, destination.isInteger, destination != .objectID {
      self = .lossless
    } else {
      self = .impossible
    }
  }
}

extension AttributeType {
  fileprivate var isExactDecimal: Bool {
    if case .decimal = kind { true } else { false }
  }
}
