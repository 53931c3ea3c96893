internal import ObjectModel

extension AttributeValidation {
  /// Returns whether the database has to check values that it has not checked before in this way.
  ///
  /// - Parameter attribute: The attribute that the values are from, which may be of another type.
  /// - Returns: Whether the validation is enforced, sets bounds, and is not what it was.
  func isNewlyEnforced(after attribute: AttributeDescription) -> Bool {
    isEnforced && hasBounds && self != attribute.validation
  }

  private var hasBounds: Bool {
    minimum != nil || maximum != nil || minimumLength != nil || maximumLength != nil
      || pattern != nil
  }
}
