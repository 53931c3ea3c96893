internal import MigrationExecution
internal import MigrationPlanning
internal import PostgresClient
internal import SQLSyntax

/// A version that a database serves by a schema of views.
public struct ServedVersion: Hashable, Sendable {
  /// The version.
  public let version: VersionReference
  /// The schema of its views.
  public let schema: String
  /// A Boolean value that indicates whether the database is at it.
  public let isCurrent: Bool
  /// The tables that it is not served with any more, by its own names.
  public let unservedTables: [String]
  /// The constraints of the version that the database is at which hold when this one is retired, in words.
  public let postponedConstraints: [String]
  /// The sessions that use it, as far as the server shows them; a line for each.
  public let sessions: [String]
  /// For how many seconds none of them has done anything; `nil` if that is not known.
  public let idleSeconds: Int?
}

extension DatabaseView {
  /// Returns the versions that are served, with the sessions that use them.
  func servedVersions(_ connection: borrowing PostgresConnection) throws -> [ServedVersion] {
    try interfaces.map { interface in
      let use = try InterfaceInspection(interface).use(connection)
      return ServedVersion(
        version: VersionReference(
          name: interface.versionName,
          checksum: interface.version.checksum
        ),
        schema: interface.schema.name,
        isCurrent: interface.versionName == reference?.name,
        unservedTables: interface.views.filter { $0.table == nil }.map(\.name.name),
        postponedConstraints: interface.postponed.map { "\($0)" },
        sessions: use.sessions,
        idleSeconds: use.idleSeconds
      )
    }
  }

  /// Refuses to retire versions that sessions use, and to serve one by a schema that is there already.
  func checkInterfaces(
    of steps: [MigrationStep],
    _ connection: borrowing PostgresConnection
  ) throws {
    for schema in Set(steps.flatMap { $0.interfaces ?? [] }.map(\.schema))
      .subtracting(interfaces.map(\.schema)).sorted()
    {
      let found = try connection.query(
        "SELECT FROM pg_namespace WHERE nspname = $1",
        [schema.name]
      )
      if !found.isEmpty { throw RemodelError(.takenInterfaceSchema(schema.name)) }
    }
    for interface in steps.flatMap(\.retiredInterfaces) where interfaces.contains(interface) {
      let sessions = try InterfaceInspection(interface).use(connection).sessions
      guard sessions.isEmpty else {
        throw RemodelError(.versionInUse(interface.versionName, sessions: sessions))
      }
    }
  }
}
