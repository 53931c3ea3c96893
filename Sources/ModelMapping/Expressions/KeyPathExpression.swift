/// A key path from a row to a value, with an aggregate of many values at its end.
public struct KeyPathExpression: Hashable, Sendable {
  /// The start of the path.
  public var base: Base
  /// The names of the properties; empty only for an aggregate of the base itself.
  public var names: [String]
  /// The aggregate of many values.
  public var aggregate: Aggregate?

  /// The starts of a path.
  public indirect enum Base: Hashable, Sendable {
    /// At the row that the expression is about: a bare name, or `SELF.x`.
    case row
    /// A variable: `$source.x`.
    case variable(String)
    /// Another expression, which is not a path itself unless it has many values:
    /// `SUBQUERY(…).@count`.
    case expression(Expression)
  }

  /// The aggregates of many values.
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
    package var isCollection: Bool {
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
