internal import Diagnostics

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
  /// - Parameters:
  ///   - expression: The expression that it is about.
  ///   - property: The property of the destination whose value it is.
  ///   - mapping: The name of the entity mapping.
  /// - Returns: The words, without a place.
  func diagnostic(
    about expression: String,
    of property: String,
    in mapping: String
  ) -> Diagnostic {
    diagnostic(
      "expression \"\(expression)\" of \"\(property)\" in entity mapping \"\(mapping)\" cannot be "
        + "computed"
    )
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
        detail: "Key path \"\(path)\" continues after attribute \"\(attribute)\".",
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
    case .notAboutOneRow(let part):
      return Diagnostic(
        message,
        detail:
          "\"\(part)\" is not about the properties of one row alone, or gives another value at "
          + "another time.",
        hint: "Use properties, constants, operators and functions of these only."
      )
    case .unboundVariable(let name, let known):
      return Diagnostic(
        message,
        detail: "Variable \"$\(name)\" stands for nothing that has a value here.",
        hint: "There are \(known.map { "$\($0)" }.joined(separator: ", "))."
      )
    case .onlyInRelationshipMapping(let part):
      return Diagnostic(
        message,
        detail: "\"\(part)\" can stand only where a relationship is mapped.",
        hint: "Map an attribute from values of the source."
      )
    case .needsApplication(let part):
      return Diagnostic(
        message,
        detail: "\"\(part)\" is a method of the application, which a server cannot call.",
        hint: "Write the expression with functions, or as SQL(\"…\")."
      )
    case .unrecognizedEntity(let name, let part, let suggestion):
      return Diagnostic(
        message,
        detail: "\"\(part)\": there is no entity \"\(name)\" that has rows in the source.",
        hint: suggestion.map { "Did you mean \"\($0)\"?" }
      )
    case .unresolvedPlaceholder(let text):
      return Diagnostic(
        message,
        detail: "Placeholder \"${\(text)}\" names nothing that has a table or a column of its own.",
        hint: "Name entities and their stored properties: ${source.Entity.property}."
      )
    case .unassignable(let given, let attribute, let type, let castName):
      return Diagnostic(
        message,
        detail: "It gives \(given), attribute \"\(attribute)\" is of type \(type).",
        hint: castName.map { "Write CAST(…, \"\($0)\") around the value to convert." }
          ?? "Write an expression that gives a value of the attribute's type."
      )
    case .unsupported(let what, let hint):
      return Diagnostic(message, detail: "\(what).", hint: hint)
    }
  }
}
