internal import ObjectModel

extension AttributeValidation {
  /// Returns whether the database has to check values that it has not checked before in this way.
  ///
  /// - Parameters:
  ///   - attribute: The attribute that the values are from, which may be of another type.
  ///   - type: The type that the values are to have.
  /// - Returns: Whether the validation is enforced, sets bounds, and may be stricter than it was.
  func isNewlyEnforced(after attribute: AttributeDescription, in type: AttributeType) -> Bool {
    guard isEnforced, hasBounds, self != attribute.validation else { return false }
    return attribute.type != type || !follows(from: attribute.validation)
  }

  /// Returns whether all values that pass another validation pass this one.
  private func follows(from other: Self) -> Bool {
    other.isEnforced
      && (minimum == nil || Self.isInOrder(minimum, other.minimum))
      && (maximum == nil || Self.isInOrder(other.maximum, maximum))
      && (minimumLength ?? 0) <= (other.minimumLength ?? 0)
      && (maximumLength ?? .max) >= (other.maximumLength ?? .max)
      && (pattern == nil || pattern == other.pattern)
  }

  private var hasBounds: Bool {
    minimum != nil || maximum != nil || minimumLength != nil || maximumLength != nil
      || pattern != nil
  }

  /// Returns whether one bound is known to be no more than another.
  private static func isInOrder(_ lower: String?, _ upper: String?) -> Bool {
    guard let lower, let upper else { return false }
    if lower == upper { return true }
    // With more digits, two of them may come to the same number.
    guard [lower, upper].allSatisfy({ $0.count(where: \.isNumber) <= 15 }),
      let first = Double(lower), let second = Double(upper)
    else { return false }
    return first <= second
  }
}
