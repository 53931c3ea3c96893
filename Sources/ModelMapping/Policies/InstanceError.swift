public import Diagnostics
public import ObjectModel

/// Why a value of a row cannot be read or set as a policy would have it.
public struct InstanceError: DiagnosticError, Hashable {
  /// The entity of the row.
  public let entityName: String
  /// The property.
  public let key: String
  /// What is wrong.
  public let fact: Fact

  /// What can be wrong.
  public enum Fact: Hashable, Sendable {
    /// The policy has not said that it is handed the property, or sets it; it has said these.
    case notHanded([String])
    /// The values of the type are read or set in another way.
    case otherType(AttributeType)
    /// The value is not of the kind that is asked for.
    case notA(String)
    /// The value that is set is not one of the type.
    case notOfType(AttributeType)
  }

  init(entityName: String, key: String, fact: Fact) {
    self.entityName = entityName
    self.key = key
    self.fact = fact
  }
}
