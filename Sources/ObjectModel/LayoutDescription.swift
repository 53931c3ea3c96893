/// How the tables of a whole model are laid out, where there is a choice.
public struct LayoutDescription: Hashable, Sendable {
  /// When foreign keys are checked that do not say it themselves.
  public var constraints: Constraints
  /// What indexes are called.
  public var indexNames: IndexNames
  /// What Citus spreads over the nodes of a database.
  public var distribution: Distribution

  /// When constraints are checked.
  public enum Constraints: String, Hashable, Sendable, Codable, CaseIterable {
    /// By every statement, unless a transaction wants it at its end.
    case deferrable
    /// By every statement.
    case immediate
  }

  /// What indexes are called.
  public enum IndexNames: String, Hashable, Sendable, Codable, CaseIterable {
    /// After their table and columns, as PostgreSQL calls them.
    case columns
    /// As in the model.
    case model
  }

  /// What Citus spreads over nodes.
  public enum Distribution: String, Hashable, Sendable, Codable, CaseIterable {
    /// The rows of each table, as its entity says.
    case tables
    /// Schemas: all tables of one are on the same node.
    case schema
  }

  /// Creates a layout.
  public init(
    constraints: Constraints = .deferrable,
    indexNames: IndexNames = .columns,
    distribution: Distribution = .tables
  ) {
    self.constraints = constraints
    self.indexNames = indexNames
    self.distribution = distribution
  }

  /// A Boolean value that indicates whether it is the usual one.
  package var isOrdinary: Bool { self == LayoutDescription() }
}

extension LayoutDescription: CustomStringConvertible {
  /// The layout on one line, for people.
  public var description: String {
    "constraints: \(constraints.rawValue), indexNames: \(indexNames.rawValue)"
      + (distribution == .tables ? "" : ", distribution: \(distribution.rawValue)")
  }
}

extension LayoutDescription: Codable {
  private enum Key: String, CodingKey {
    case constraints, indexNames, distribution
  }

  /// Reads from an archive.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    try self.init(
      constraints: values.decode(.constraints, else: .deferrable),
      indexNames: values.decode(.indexNames, else: .columns),
      distribution: values.decode(.distribution, else: .tables)
    )
  }

  /// Encodes all values that differ from their defaults.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    try values.encode(constraints, .constraints, unless: .deferrable)
    try values.encode(indexNames, .indexNames, unless: .columns)
    try values.encode(distribution, .distribution, unless: .tables)
  }
}
