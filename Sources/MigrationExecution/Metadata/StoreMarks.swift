internal import MigrationPlanning
package import PostgresClient

/// What the metadata knows of a database besides the versions of its stores.
package struct StoreMarks: Hashable, Sendable {
  /// A Boolean value that indicates whether the database is for development.
  package var isDevelopment = false
  /// The names of the versions up to that of the store, as its bundle had them then; `nil` if
  /// that is unknown.
  package var lineage: [String]?

  /// How fast the server works, as it was measured last; `nil` if that is unknown.
  package var measuredSpeed: MeasuredSpeed?

  /// Creates the marks of a database without any.
  package init() {}
}

extension MetadataStore {
  /// Reads the marks of the database and the store.
  ///
  /// - Parameters:
  ///   - layout: The layout of the metadata; `nil` if there is none.
  ///   - connection: The database.
  /// - Returns: The marks; none before layout 8.
  /// - Throws: The server's error.
  package func marks(
    layout: Int?,
    _ connection: borrowing PostgresConnection
  ) throws -> StoreMarks {
    var marks = StoreMarks()
    guard let layout, layout >= 8,
      let row = try connection.query(MetadataStatements(identity).marks).first
    else { return marks }
    marks.isDevelopment = row.boolean("is_development") == true
    marks.lineage = row["lineage"].map { JSONText.strings(in: $0) }
    // A speed that no server has is measured again.
    marks.measuredSpeed = row["server_speed"].flatMap {
      try? JSONText.value(MeasuredSpeed.self, in: $0)
    }
    return marks
  }

  /// Marks the database as one for development, or takes the mark away.
  ///
  /// - Parameters:
  ///   - isDevelopment: Whether it is for development.
  ///   - connection: The database, whose metadata is of the current layout.
  ///   - interruption: Ends the work.
  /// - Throws: The server's error.
  package func mark(
    asDevelopment isDevelopment: Bool,
    _ connection: borrowing PostgresConnection,
    _ interruption: Interruption
  ) throws {
    let runner = TransactionRunner(interruption: interruption)
    try runner.transact(Transaction(), connection) { connection in
      try runner.run(MetadataStatements(identity).mark(asDevelopment: isDevelopment), connection)
    }
  }
}
