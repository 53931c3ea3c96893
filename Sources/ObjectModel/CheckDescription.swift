/// A condition that every row of an entity's table fulfils, in the server's words.
public struct CheckDescription: Hashable, Sendable, Codable {
  /// The name of the constraint.
  public var name: String
  /// The condition, in SQL.
  public var expression: String

  /// Creates a condition.
  public init(name: String, expression: String) {
    self.name = name
    self.expression = expression
  }
}
