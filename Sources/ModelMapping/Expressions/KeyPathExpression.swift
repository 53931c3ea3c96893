/// The way from a row to a value: properties, and what is made of many values at the end.
public struct KeyPathExpression: Hashable, Sendable {
  /// Where the way begins.
  public var base: Base
  /// The names of the properties on the way; empty only if something is made of the base itself.
  public var names: [String]
  /// What is made of many values.
  public var aggregate: Aggregate?

  /// Where a way can begin.
  public indirect enum Base: Hashable, Sendable {
    /// At the row that the expression is about: a bare name, or `SELF.x`.
    case row
    /// At what a variable stands for: `$source.x`.
    case variable(String)
    /// At what another expression gives, which is no way itself unless it ends in many values:
    /// `SUBQUERY(…).@count`.
    case expression(Expression)
  }

  /// What can be made of many values.
  public enum Aggregate: String, Hashable, Sendable, CaseIterable {
    case count = "@count"
    case sum = "@sum"
    case minimum = "@min"
    case maximum = "@max"
    case average = "@avg"
    /// All values, as many as there are.
    case unionOfObjects = "@unionOfObjects"
    /// All values, each once.
    case distinctUnionOfObjects = "@distinctUnionOfObjects"

    /// A Boolean value that indicates whether many values remain many.
    public var isCollection: Bool {
      switch self {
      case .count, .sum, .minimum, .maximum, .average: false
      case .unionOfObjects, .distinctUnionOfObjects: true
      }
    }
  }

  /// Creates a path.
  public init(_ names: [String], aggregate: Aggregate? = nil, base: Base = .row) {
    self.base = base
    self.names = names
    self.aggregate = aggregate
  }
}
