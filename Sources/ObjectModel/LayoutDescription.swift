/// How the tables of a whole model are laid out, where there is a choice.
public struct LayoutDescription: Hashable, Sendable {
  /// When foreign keys are checked that do not say it themselves.
  public var constraints: Constraints
  /// What indexes are called.
  public var indexNames: IndexNames

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

  /// Creates a layout.
  public init(constraints: Constraints = .deferrable, indexNames: IndexNames = .columns) {
    self.constraints = constraints
    self.indexNames = indexNames
  }

  /// A Boolean value that indicates whether it is the usual one.
  package var isOrdinary: Bool { self == LayoutDescription() }
}

extension LayoutDescription: CustomStringConvertible {
  /// The layout on one line, for people.
  public var description: String {
    "constraints: \(constraints.rawValue), indexNames: \(indexNames.rawValue)"
  }
}

extension LayoutDescription: Codable {
  private enum Key: String, CodingKey {
    case constraints, indexNames
  }

  /// Reads from an archive.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    try self.init(
      constraints: values.decode(.constraints, else: .deferrable),
      indexNames: values.decode(.indexNames, else: .columns)
    )
  }

  /// Encodes all values that differ from their defaults.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    try values.encode(constraints, .constraints, unless: .deferrable)
    try values.encode(indexNames, .indexNames, unless: .columns)
  }
}
