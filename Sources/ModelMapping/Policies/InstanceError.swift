public import Diagnostics
public import ObjectModel

/// Why a value of a row cannot be read or set as a policy would have it.
public struct InstanceError: DiagnosticError, Hashable {
  /// The entity of the row.
  public let entityName: String
  /// The property.
  public let key: String
  /// The fault.
  public let fact: Fact

  /// The faults.
  public enum Fact: Hashable, Sendable {
    /// The policy has not declared the property, but these.
    case notHanded([String])
    /// The values of the type are read or set in another way.
    case otherType(AttributeType)
    /// The value is not of the requested kind.
    case notA(String)
    /// The value that is set is not one of the type.
    case notOfType(AttributeType)
    /// The policy does not create the rows of the entity mapping through the manager.
    case notCreatedByPolicy(String)
    /// The row is not one that the manager has created.
    case notCreatedByManager
    /// The policy has no method of the name in code any more.
    case withoutMethod(String)
  }

  init(entityName: String, key: String, fact: Fact) {
    self.entityName = entityName
    self.key = key
    self.fact = fact
  }
}

extension InstanceError {
  /// The error in words.
  public var diagnostics: [Diagnostic] {
    let property = "property \"\(key)\" of entity \"\(entityName)\""
    switch fact {
    case .notHanded(let names):
      return [
        Diagnostic(
          "\(property) is not a property of the policy",
          detail: names.isEmpty ? nil : "Its properties are \(names.joined(separator: ", ")).",
          hint: suggestion(for: key, among: names).map { "Did you mean \"\($0)\"?" }
            ?? "Name it in the policy's instance creation."
        )
      ]
    case .otherType(let type):
      return [
        Diagnostic(
          "\(property) has a value of type \(type) that cannot be read so",
          hint: "Use bytes(forKey:) for bytes, and text(forKey:) for what the server prints."
        )
      ]
    case .notCreatedByPolicy(let name):
      return [
        Diagnostic(
          "the policy does not create the rows of entity mapping \"\(name)\"",
          hint:
            "Let the policy of that mapping return an instance creation that names this mapping as "
            + "the creator."
        )
      ]
    case .notCreatedByManager:
      return [
        Diagnostic(
          "a row of entity \"\(entityName)\" cannot be associated: the manager has not created it",
          hint: "Create it with createInstance(forEntityMappingNamed:)."
        )
      ]
    case .withoutMethod(let selector):
      return [
        Diagnostic(
          "\(property) gets its value from method \"\(selector)\", which the policy no longer has",
          hint: "Let the policy have the same methods whenever it is asked for them."
        )
      ]
    case .notA(let kind): return [Diagnostic("\(property) is no \(kind)")]
    case .notOfType(let type):
      return [
        Diagnostic(
          "\(property) cannot have a value that is not of type \(type)",
          hint: "Give it a value of its type; setBytes(_:forKey:) is for bytes."
        )
      ]
    }
  }
}
