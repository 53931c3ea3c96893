/// The sizes of a schema's tables, and the speed of their server.
public struct TableSizes: Hashable, Sendable {
  /// The sizes, by the names of the tables.
  public private(set) var tables: [String: TableSize]
  /// The speed of the server, for the durations of work on the tables.
  public internal(set) var speed: ServerSpeed

  /// Creates sizes.
  ///
  /// - Parameters:
  ///   - tables: The sizes, by the names of the tables.
  ///   - speed: The speed of the server; by default that of the server on which the rates of work were
  ///     measured.
  package init(_ tables: [String: TableSize] = [:], speed: ServerSpeed = .reference) {
    self.tables = tables
    self.speed = speed
  }

  /// Returns the size of a table; `nil` if it is not known.
  public subscript(table: String) -> TableSize? { tables[table] }

  /// A Boolean value that indicates whether work on some table takes a while.
  package var areLarge: Bool { !tables.values.allSatisfy(\.isSmall) }
}

extension TableSizes: ExpressibleByDictionaryLiteral {
  /// Creates the sizes of tables on a server of which nothing was measured.
  public init(dictionaryLiteral elements: (String, TableSize)...) {
    self.init(Dictionary(elements) { $1 })
  }
}
