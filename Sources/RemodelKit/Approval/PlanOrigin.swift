internal import PostgresClient
internal import SQLSyntax

/// Where a plan was made, by whom and when.
public struct PlanOrigin: Hashable, Sendable {
  /// The number that the server's cluster has had since it was made; empty where the role may not see
  /// it.
  public let systemIdentifier: String
  /// The name of the database.
  public let database: String
  /// The server's major version.
  public let serverMajor: Int
  /// The role.
  public let role: String
  /// The server's clock, as ISO 8601 in UTC.
  public let time: String

  /// Creates an origin.
  public init(
    systemIdentifier: String,
    database: String,
    serverMajor: Int,
    role: String,
    time: String
  ) {
    self.systemIdentifier = systemIdentifier
    self.database = database
    self.serverMajor = serverMajor
    self.role = role
    self.time = time
  }

  init(_ connection: borrowing PostgresConnection) throws {
    // Some servers keep the number from those who are no administrators.
    let number = try? connection.query(
      "SELECT system_identifier::text FROM pg_control_system()"
    ).value
    systemIdentifier = number ?? ""
    let row = try connection.query(
      """
      SELECT current_database() AS database, \
      session_user::text AS role, \
      to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS time
      """
    ).first
    database = row?["database"] ?? connection.databaseName
    serverMajor = connection.serverVersion / 10_000
    role = row?["role"] ?? connection.userName
    time = row?["time"] ?? ""
  }

  /// Returns what tells a database from the one that a plan was made for.
  func difference(from planned: PlanOrigin) -> String? {
    if database != planned.database {
      return "It was made for database \"\(planned.database)\", and this is \"\(database)\"."
    }
    if systemIdentifier != planned.systemIdentifier, !systemIdentifier.isEmpty,
      !planned.systemIdentifier.isEmpty
    {
      return
        "It was made for the server with system identifier \(planned.systemIdentifier), and this "
        + "one has \(systemIdentifier)."
    }
    if serverMajor != planned.serverMajor {
      return "It was made for PostgreSQL \(planned.serverMajor), and this is \(serverMajor)."
    }
    return nil
  }
}
