package import Diagnostics

/// A reason why an expression of a model has no meaning in the database.
package enum ExpressionFault: Error, Hashable, Sendable {
  /// The text cannot be read.
  case unreadable(Diagnostic)
  /// The key path leads to nothing.
  case unrecognizedKeyPath(String, property: String, entity: String, suggestion: String?)
  /// The key path continues after an attribute.
  case pathThroughAttribute(String, attribute: String)
  /// The key path ends where there is no value.
  case noValue(String, detail: String)
  /// Values of such types do not go together.
  case incompatible(String, detail: String)
  /// The attribute cannot store the expression's value.
  case unfittingType(String, attribute: String, suggestion: String?)
  /// The expression reads itself.
  case circular([String])
  /// The expression reads an attribute of another entity that is derived itself.
  case derivedElsewhere(String)
  /// The index or condition needs more than its own row, or the clock.
  case notImmutable(String)
  /// The expression reads no property.
  case readsNothing
  /// With its derived attributes inlined, the expression exceeds a limit.
  case tooLarge(String)
  /// The expression of one row's own values depends on other rows or on the time.
  case notAboutOneRow(String)
  /// The variable stands for nothing that has a value.
  case unboundVariable(String, known: [String])
  /// A relationship's destination is used as a value.
  case onlyInRelationshipMapping(String)
  /// Only the application could carry it out.
  case needsApplication(String)
  /// There is no such entity.
  case unrecognizedEntity(String, part: String, suggestion: String?)
  /// A placeholder in SQL names nothing that there is.
  case unresolvedPlaceholder(String)
  /// The attribute of the destination cannot take the value as it is.
  case unassignable(String, attribute: String, type: String, castName: String?)
  /// Something of the language that has no counterpart in the database.
  case unsupported(String, hint: String)
}
