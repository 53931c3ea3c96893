public import Diagnostics
internal import ModelMapping
internal import ObjectModel

/// A reason why an expression of a model has no meaning in the database.
public enum ExpressionFault: Error, Hashable, Sendable {
  /// The text cannot be read.
  case unreadable(Diagnostic)
  /// The key path leads to nothing.
  case unrecognizedKeyPath(String, property: String, entity: String, suggestion: String?)
  /// The key path goes through a property that leads nowhere.
  case pathThroughAttribute(String, attribute: String)
  /// The key path ends where there is no value.
  case noValue(String, detail: String)
  /// Values of such types do not go together.
  case incompatible(String, detail: String)
  /// The attribute cannot keep what the expression gives.
  case unfittingType(String, attribute: String, suggestion: String?)
  /// The expression reads itself.
  case circular([String])
  /// The expression reads an attribute of another entity that is derived itself.
  case derivedElsewhere(String)
  /// The index or condition needs more than its own row, or the clock.
  case notImmutable(String)
  /// The expression reads no property.
  case readsNothing
  /// With the derived attributes that are computed in it, the expression goes over a limit.
  case tooLarge(String)
  /// Something of the language that has no counterpart in the database.
  case unsupported(String, hint: String)
}

extension ExpressionFault {
  /// The fault in words.
  ///
  /// - Parameter text: The expression that it is about.
  /// - Returns: The words, without a place.
  func diagnostic(about text: String) -> Diagnostic {
    if case .unreadable(let diagnostic) = self {
      return Diagnostic(
        "expression \"\(text)\" cannot be read: \(diagnostic.message)",
        hint: diagnostic.hint
      )
    }
    return diagnostic("expression \"\(text)\" cannot be laid out")
  }

  /// The fault in words.
  ///
  /// - Parameter message: What cannot be done because of it.
  /// - Returns: The words, without a place.
  func diagnostic(_ message: String) -> Diagnostic {
    switch self {
    case .unreadable(let diagnostic):
      return Diagnostic(message, detail: "\(diagnostic.message).", hint: diagnostic.hint)
    case .unrecognizedKeyPath(let path, let property, let entity, let suggestion):
      return Diagnostic(
        message,
        detail:
          "Key path \"\(path)\": entity \"\(entity)\" has no property \"\(property)\" that is "
          + "stored.",
        hint: suggestion.map { "Did you mean \"\($0)\"?" }
          ?? "Use properties that the entity declares or inherits."
      )
    case .pathThroughAttribute(let path, let attribute):
      return Diagnostic(
        message,
        detail: "Key path \"\(path)\" goes on after attribute \"\(attribute)\".",
        hint: "End the key path at the attribute."
      )
    case .noValue(let path, let detail):
      return Diagnostic(
        message,
        detail: "Key path \"\(path)\" \(detail)",
        hint: "End the key path at an attribute, or at @count, @sum, @min, @max or @avg of one "
          + "to-many relationship."
      )
    case .incompatible(let part, let detail):
      return Diagnostic(
        message,
        detail: "\"\(part)\": \(detail)",
        hint: "Use values of types that go together."
      )
    case .unfittingType(let given, let attribute, let suggestion):
      return Diagnostic(
        message,
        detail: "It gives \(given), the attribute is of type \(attribute).",
        hint: suggestion.map { "Make the attribute \($0), or change the expression." }
          ?? "Derive an attribute of a type that has a column of its own, from a value."
      )
    case .circular(let names):
      return Diagnostic(
        message,
        detail: "It reads itself: \(names.map { "\"\($0)\"" }.joined(separator: ", ")).",
        hint: "Derive it from attributes that do not depend on it."
      )
    case .derivedElsewhere(let path):
      return Diagnostic(
        message,
        detail: "Key path \"\(path)\" leads to an attribute that is derived itself.",
        hint: "Derive from the attributes that it is derived from."
      )
    case .notImmutable(let part):
      return Diagnostic(
        message,
        detail: "\"\(part)\" depends on more than the row itself.",
        hint: "Make it a derived attribute, and use that here."
      )
    case .readsNothing:
      return Diagnostic(
        message,
        detail: "It reads no property.",
        hint: "Use properties that the entity declares or inherits."
      )
    case .tooLarge(let limit):
      return Diagnostic(
        message,
        detail: "With the derived attributes that it reads, which are computed in it, it is "
          + "\(limit).",
        hint: "Derive it from fewer derived attributes, or have the application store one of them."
      )
    case .unsupported(let what, let hint):
      return Diagnostic(message, detail: "\(what).", hint: hint)
    }
  }
}
