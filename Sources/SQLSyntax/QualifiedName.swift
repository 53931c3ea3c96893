/// The name of a relation, sequence or function within its schema.
public struct QualifiedName: Hashable, Sendable {
  /// The schema.
  public var schema: SQLIdentifier
  /// The name within the schema.
  public var name: SQLIdentifier

  /// Creates a qualified name.
  public init(schema: SQLIdentifier, name: SQLIdentifier) {
    self.schema = schema
    self.name = name
  }

  /// Both parts, quoted.
  public var quoted: String { "\(schema.quoted).\(name.quoted)" }
}

extension QualifiedName: Comparable {
  /// Orders names by their schemas, then by themselves.
  public static func < (first: Self, second: Self) -> Bool {
    (first.schema, first.name) < (second.schema, second.name)
  }
}

extension QualifiedName: CustomStringConvertible {
  /// Both parts, unquoted, for messages.
  public var description: String { "\(schema).\(name)" }
}
