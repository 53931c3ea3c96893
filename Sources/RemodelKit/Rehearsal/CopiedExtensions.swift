internal import PostgresClient
internal import SQLSyntax

/// The extensions of a database, which a copy gets first, before any code of others that their
/// scripts could call.
struct CopiedExtensions: Sendable {
  private struct Extension: Sendable {
    var name: String
    var schema: String
  }

  /// The requested ones, after their dependencies.
  private let extensions: [Extension]

  /// Extensions that only a superuser can create and that access no file, program or server, except
  /// through what `OutsideWorld` cuts off.
  private static let harmless: Set<String> = [
    "amcheck", "autoinc", "bloom", "dblink", "dict_xsyn", "earthdistance", "file_fdw",
    "insert_username", "intagg", "moddatetime", "old_snapshot", "pageinspect", "pg_buffercache",
    "pg_freespacemap", "pg_prewarm", "pg_stat_statements", "pg_visibility", "pg_walinspect",
    "pgrowlocks", "pgstattuple", "postgis", "postgres_fdw", "refint", "sslinfo",
  ]

  init(_ connection: borrowing PostgresConnection) throws {
    extensions = try connection.query(
      """
      SELECT e.extname, n.nspname FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace \
      ORDER BY e.oid
      """
    ).compactMap { row in
      guard let name = row["extname"], let schema = row["nspname"] else { return nil }
      return Extension(name: name, schema: schema)
    }
  }

  /// The schemas that they need, but for those that every database has.
  private var schemas: Set<String> {
    Set(extensions.map(\.schema)).filter { !$0.hasPrefix("pg_") && $0 != "public" }
  }

  /// Returns the entries of a dump that need no further report, as `pg_restore` names them.
  func entries(but leftOut: LeftOut) -> [String] {
    schemas.map { "SCHEMA \($0)" }
      + extensions.filter { !leftOut.failed.contains($0.name) }
      .flatMap { ["EXTENSION \($0.name)", "COMMENT EXTENSION \($0.name)"] }
  }

  /// Creates the extensions that are trusted or harmless, and the schemas of all.
  ///
  /// - Parameters:
  ///   - owner: The role that owns the schemas.
  ///   - connection: A superuser's connection to the copy, which is still empty.
  /// - Returns: The extensions that the server does not have, and those left out.
  /// - Throws: The server's error.
  func make(
    schemasOf owner: SQLIdentifier,
    _ connection: borrowing PostgresConnection
  ) throws -> LeftOut {
    for schema in schemas.sorted() {
      try connection.execute("CREATE SCHEMA \(SQLIdentifier(schema)) AUTHORIZATION \(owner)")
      try connection.execute("GRANT CREATE ON SCHEMA \(SQLIdentifier(schema)) TO PUBLIC")
    }
    let available = Dictionary(
      try connection.query(
        """
        SELECT v.name, v.trusted FROM pg_available_extensions a \
        JOIN pg_available_extension_versions v ON v.name = a.name AND v.version = a.default_version
        """
      ).compactMap { row in row["name"].map { ($0, row.boolean("trusted") == true) } },
      uniquingKeysWith: { first, _ in first }
    )
    var leftOut = LeftOut()
    for one in extensions {
      switch available[one.name] {
      case nil: leftOut.missing.append(one.name)
      case false? where !Self.harmless.contains(one.name): leftOut.untrusted.append(one.name)
      case true?, false?:
        if try !isMade(one, connection) { leftOut.failed.append(one.name) }
      }
    }
    return leftOut
  }

  private func isMade(
    _ one: Extension,
    _ connection: borrowing PostgresConnection
  ) throws -> Bool {
    do {
      try connection.execute(
        """
        CREATE EXTENSION IF NOT EXISTS \(SQLIdentifier(one.name)) \
        SCHEMA \(SQLIdentifier(one.schema))
        """
      )
      return true
    } catch {
      guard error.kind == .server else { throw error }
      return false
    }
  }

  /// The extensions that a copy lacks.
  struct LeftOut: Sendable {
    /// Those that the server does not have.
    var missing: [String] = []
    /// Untrusted ones, which may access the outside of the server.
    var untrusted: [String] = []
    /// The extensions that the server could not create; restoring the dump reports the reasons.
    var failed: [String] = []
  }
}
