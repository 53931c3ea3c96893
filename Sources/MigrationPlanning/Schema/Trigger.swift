public import SQLSyntax

/// A trigger that runs for each deleted row, and the function of the same name that it calls.
public struct Trigger: Hashable, Sendable {
  /// The name of the trigger and of its function.
  public var name: SQLIdentifier
  /// The PL/pgSQL statements of the function before it returns.
  public var body: SQLFragment

  /// Creates a trigger.
  public init(name: SQLIdentifier, body: SQLFragment) {
    self.name = name
    self.body = body
  }
}
