public import PostgresClient
public import SQLSyntax

/// One store of many: a database, and the schema in it.
public struct MigrationTarget: Hashable, Sendable {
  /// The name in reports; never with a password.
  public var name: String
  /// The database.
  public var database: ConnectionSource
  /// The schema of the tables; that of the configuration if there is none.
  public var schema: SQLIdentifier?
  /// The line of the file that names it; none if no file does.
  public internal(set) var line: Int?

  /// Creates a target.
  ///
  /// - Parameters:
  ///   - database: The database.
  ///   - schema: The schema of the tables; by default that of the configuration.
  ///   - name: The name in reports; by default host, database and schema.
  public init(_ database: ConnectionSource, schema: SQLIdentifier? = nil, name: String? = nil) {
    self.database = database
    self.schema = schema
    self.name = name ?? database.place + (schema.map { "/\($0.name)" } ?? "")
  }
}

/// The stores of a call: databases, schemas found in them, and the number of concurrent workers.
public struct MigrationTargets: Sendable {
  /// The databases, some with a schema.
  public var databases: [MigrationTarget]
  /// Which schemas are stores, in those databases for which no schema is given; the configuration's
  /// alone if there are none.
  public var schemaPatterns: [SchemaPattern]
  /// How many stores are worked on at a time, each with a session of its own.
  public var parallel: Int
  /// How many stores are worked on, the first of all; all if there is none.
  public var first: Int?
  /// After how many failures no further store is begun; all are if there is none.
  public var stopAfter: Int?

  /// Creates targets.
  public init(
    _ databases: [MigrationTarget],
    eachSchema schemaPatterns: [SchemaPattern] = [],
    parallel: Int = 1,
    first: Int? = nil,
    stopAfter: Int? = nil
  ) {
    self.databases = databases
    self.schemaPatterns = schemaPatterns
    self.parallel = parallel
    self.first = first
    self.stopAfter = stopAfter
  }
}
