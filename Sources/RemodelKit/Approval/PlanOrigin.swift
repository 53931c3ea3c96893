internal import Diagnostics
internal import PostgresClient
internal import SQLSyntax

/// The origin of a plan: database, role and time.
public struct PlanOrigin: Hashable, Sendable, Codable {
  /// The identifier of the server's cluster; empty if the role may not see it.
  public let systemIdentifier: String
  /// The name of the database.
  public let database: String
  /// The server's major version.
  public let serverMajor: Int
  /// The role that has logged in.
  public let role: String
  /// The role that was taken on after the login; none if it is that of the login.
  public let assumedRole: String?
  /// The server's clock, as ISO 8601 in UTC.
  public let time: String
  /// The server, as the connection has reached it; `nil` in a plan file of an earlier release.
  ///
  /// It identifies nothing: a replica or a tunnel has another address.
  public let server: Server?

  /// The address of a server and its version.
  public struct Server: Hashable, Sendable, Codable {
    /// The name or the address of the host, or the folder of the socket, which begins with a slash.
    public let host: String
    /// The port.
    public let port: Int
    /// The version of PostgreSQL, such as `16.4`.
    public let version: String
  }

  init(_ connection: borrowing PostgresConnection) throws {
    systemIdentifier = connection.systemIdentifier ?? ""
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
    assumedRole = connection.assumedRole?.name
    time = row?["time"] ?? ""
    server = Server(
      host: connection.serverHost,
      port: connection.serverPort,
      version: "\(serverMajor).\(connection.serverVersion % 10_000)"
    )
  }

  /// Returns the difference between this database and role and those of a plan.
  ///
  /// The login may differ, since those who review plans need not be those who migrate.
  func difference(from planned: PlanOrigin) -> PlanDifference? {
    if database != planned.database {
      return .database(planned: planned.database, found: database)
    }
    if systemIdentifier != planned.systemIdentifier, !systemIdentifier.isEmpty,
      !planned.systemIdentifier.isEmpty
    {
      return .server(planned: planned.systemIdentifier, found: systemIdentifier)
    }
    if serverMajor != planned.serverMajor {
      return .serverMajor(planned: planned.serverMajor, found: serverMajor)
    }
    if let role = planned.assumedRole, role != assumedRole {
      return .role(planned: role, found: assumedRole)
    }
    return nil
  }

  /// Returns a warning about an unexpected role, given the origin of a plan.
  func warning(from planned: PlanOrigin) -> Diagnostic? {
    guard planned.assumedRole == nil, let assumedRole else { return nil }
    return Diagnostic(
      .warning,
      "the plan runs as role \"\(assumedRole)\", and was made without a role",
      detail: "It was made by role \"\(planned.role)\".",
      hint: "Make the plan with the same --role, and it runs as no other."
    )
  }
}

extension PlanOrigin {
  /// Writes an origin as a plan file has it: every key, and null where there is nothing.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(systemIdentifier, forKey: .systemIdentifier)
    try container.encode(database, forKey: .database)
    try container.encode(serverMajor, forKey: .serverMajor)
    try container.encode(role, forKey: .role)
    try container.encode(assumedRole, forKey: .assumedRole)
    try container.encode(time, forKey: .time)
    try container.encode(server, forKey: .server)
  }
}

extension PostgresConnection {
  /// The identifier of the cluster; `nil` if the role may not see it.
  var systemIdentifier: String? {
    // Some servers keep the number from those who are no administrators.
    let number = try? query("SELECT system_identifier::text FROM pg_control_system()").value
    return number ?? nil
  }
}
