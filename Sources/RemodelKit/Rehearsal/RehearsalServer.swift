internal import Diagnostics
internal import MigrationExecution
internal import PostgresClient
internal import SQLSyntax

/// A throwaway server with a copy of a database, on which a plan is rehearsed.
struct RehearsalServer {
  private let server: ScratchServer
  private let transfer: SchemaTransfer
  private let original: DatabaseProperties
  /// What ends the statements that run on it.
  private let interruption: Interruption

  /// The name of the copy.
  private static let name: SQLIdentifier = "rehearsal"
  /// The name of a copy of the copy, in which statements are measured one by one.
  private static let trialName: SQLIdentifier = "trial"

  /// Starts a server of the version of the original, and gives it to a function.
  static func with<Result>(
    _ original: DatabaseProperties,
    binaries path: String?,
    _ interruption: Interruption,
    _ body: (RehearsalServer) async throws -> Result
  ) async throws -> Result {
    let binaries = try await programs(of: original.serverMajor, at: path)
    let transfer = try await SchemaTransfer(of: original, binaries)
    // A plan that finds room for its locks there has to find it here.
    let server = try await ScratchServer.start(
      binaries,
      settings: [
        "max_locks_per_transaction": max(64, original.lockCapacity.setting(for: 90 * 64)),
        // What it writes is not to be taken for ours.
        "autovacuum": 0,
      ],
      keep: false
    )
    return try await server.use { server in
      try interruption.check()
      return try await body(
        RehearsalServer(
          server: server,
          transfer: transfer,
          original: original,
          interruption: interruption
        )
      )
    }
  }

  private static func programs(of major: Int, at path: String?) async throws -> ServerBinaries {
    let candidates =
      if let path { [try ServerBinaries(at: path)] } else { try await ServerBinaries.all() }
    var found: [String] = []
    for candidate in candidates {
      let version = await candidate.major
      if version == major { return candidate }
      if let version { found.append("PostgreSQL \(version) in \"\(candidate.path)\"") }
    }
    throw RehearsalError(.noServer(major: major, found: found))
  }

  /// The copy, for the role that the original is migrated by.
  var database: ConnectionSource { source(Self.name, as: original.roleName) }

  /// The copy of the copy, for the same role.
  var trial: ConnectionSource { source(Self.trialName, as: original.roleName) }

  private func source(_ database: SQLIdentifier, as role: String) -> ConnectionSource {
    let value = { (text: String) in
      let scalars = text.unicodeScalars.flatMap { $0 == "\\" || $0 == "'" ? ["\\", $0] : [$0] }
      return "'" + String(String.UnicodeScalarView(scalars)) + "'"
    }
    return .url(
      """
      host=\(value(server.directory)) port=5432 dbname=\(value(database.name)) user=\(value(role)) \
      options='' sslmode=disable
      """
    )
  }

  /// Makes the copy, without rows.
  ///
  /// - Parameters:
  ///   - snapshot: The snapshot of the original that is read.
  ///   - lockTimeout: For how long a lock may be waited for.
  /// - Returns: What may not have been expected.
  /// - Throws: Why there is no copy.
  func copySchema(snapshot: String, lockTimeout: Duration) async throws -> [Diagnostic] {
    let original = original
    try await run("postgres", as: "postgres") { try original.makeKeeper($0) }
    let (isSame, missing) = try await run("postgres", as: original.keeper) { connection in
      (
        try original.makeDatabase(Self.name, connection),
        try original.missingExtensions(connection)
      )
    }
    let failures = try await transfer.run(
      snapshot: snapshot,
      lockTimeout: lockTimeout,
      to: server.directory,
      Self.name.name,
      as: original.keeper
    )
    try await inCopy { connection in
      let triggers = try RowTriggers(resting: connection)
      try OutsideWorld.cutOff(connection)
      try original.grantRights(connection)
      try triggers.restore(connection)
    }
    return warnings(isSame: isSame, missing: missing, failures: failures)
  }

  private func warnings(isSame: Bool, missing: [String], failures: [String]) -> [Diagnostic] {
    var warnings: [Diagnostic] = []
    if !isSame {
      warnings.append(
        Diagnostic(
          .warning,
          "the rehearsal sorts texts in another way than the database",
          detail: "The collation of the database is not one that could be taken over.",
          hint: "Times of indexes over texts may be others."
        )
      )
    }
    if !missing.isEmpty {
      let names = missing.map { "\"\($0)\"" }.joined(separator: ", ")
      warnings.append(
        Diagnostic(
          .warning,
          "the rehearsal lacks \(missing.count == 1 ? "extension" : "extensions") \(names)",
          detail: "What is made with it is not there either.",
          hint: "Install it for the server in \"\(transfer.folder)\"."
        )
      )
    }
    // What lacks an extension has been told of already.
    if !failures.isEmpty, missing.isEmpty {
      warnings.append(
        Diagnostic(
          .warning,
          "the rehearsal lacks objects of the database",
          detail: failures.prefix(5).joined(separator: "\n")
        )
      )
    }
    return warnings
  }

  /// Gives a superuser's connection to the copy to a function.
  func inCopy<Result: Sendable>(
    _ body: @Sendable (borrowing PostgresConnection) throws -> Result
  ) async throws -> Result {
    try await run(Self.name, as: original.keeper, body)
  }

  /// Gives a connection to the copy to a function that loads rows: of a role that may write to all
  /// tables and is no superuser, as checks and types of people run with its rights.
  func loadingRows<Result: Sendable>(
    _ body: @Sendable (borrowing PostgresConnection) throws -> Result
  ) async throws -> Result {
    let triggers = try await inCopy { try RowTriggers(resting: $0) }
    let result = try await run(Self.name, as: original.loader, body)
    try await inCopy { try triggers.restore($0) }
    return result
  }

  /// Makes a copy of the copy as it is now, which nobody may be connected to.
  func makeTrial() async throws {
    let original = original
    try await run("postgres", as: original.keeper) { connection in
      try connection.execute("DROP DATABASE IF EXISTS \(Self.trialName) WITH (FORCE)")
      try original.makeDatabase(Self.trialName, from: Self.name, connection)
    }
  }

  private func run<Result: Sendable>(
    _ database: SQLIdentifier,
    as role: String,
    _ body: @Sendable (borrowing PostgresConnection) throws -> Result
  ) async throws -> Result {
    let session = try await PostgresSession.connect(to: source(database, as: role))
    do {
      let result = try await session.run { connection in
        let watch = interruption.alsoWatch(connection.canceller)
        defer { interruption.stopWatching(watch) }
        try interruption.check()
        return try body(connection)
      }
      await session.close()
      return result
    } catch {
      await session.close()
      throw error
    }
  }
}
