internal import Diagnostics
internal import MigrationExecution
internal import PostgresClient
internal import SQLSyntax

/// A throwaway server with a copy of a database, on which a plan is rehearsed.
struct RehearsalServer {
  private let server: ScratchServer
  private let transfer: SchemaTransfer
  private let original: DatabaseProperties
  private let superuser: ScratchSuperuser
  /// The password of the roles that are no superusers: no role may log in as another one.
  private let password = ScratchSuperuser.randomPassword()
  /// The interruption of statements that run on it.
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
    let superuser = ScratchSuperuser(
      name: original.keeper,
      password: ScratchSuperuser.randomPassword()
    )
    // A plan that finds room for its locks there has to find it here.
    let server = try await ScratchServer.start(
      binaries,
      settings: [
        "max_locks_per_transaction": max(64, original.lockCapacity.setting(for: 90 * 64)),
        // Its writes would be counted as those of the step.
        "autovacuum": 0,
      ],
      superuser: superuser,
      keep: false
    )
    return try await server.use { server in
      try interruption.check()
      return try await body(
        RehearsalServer(
          server: server,
          transfer: transfer,
          original: original,
          superuser: superuser,
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

  private func source(
    _ database: SQLIdentifier,
    as role: String,
    options: String = ""
  ) -> ConnectionSource {
    let value = { (text: String) in
      let scalars = text.unicodeScalars.flatMap { $0 == "\\" || $0 == "'" ? ["\\", $0] : [$0] }
      return "'" + String(String.UnicodeScalarView(scalars)) + "'"
    }
    let password = role == superuser.name ? superuser.password ?? "" : password
    return .url(
      """
      host=\(value(server.directory)) port=5432 dbname=\(value(database.name)) user=\(value(role)) \
      password=\(value(password)) options=\(value(options)) sslmode=disable
      """
    )
  }

  /// Creates the copy, without rows.
  ///
  /// - Parameters:
  ///   - metadata: The schema of the metadata.
  ///   - snapshot: The snapshot of the original to read.
  ///   - lockTimeout: The time to wait for a lock.
  /// - Returns: The warnings.
  /// - Throws: The reason why there is no copy.
  func copySchema(
    with metadata: SQLIdentifier,
    snapshot: String,
    lockTimeout: Duration
  ) async throws -> [Diagnostic] {
    let original = original
    let maker = SQLIdentifier(original.maker)
    let isSame = try await keeping("postgres") { connection in
      try original.makeDatabase(Self.name, password: password, connection)
    }
    // Only here a superuser creates objects in the copy, before it contains code of users.
    let leftOut = try await keeping(Self.name) { connection in
      let leftOut = try original.extensions.make(schemasOf: maker, connection)
      try original.superuserObjects.makeFirst(connection)
      try OutsideWorld.cutOff(connection)
      try original.openSchemas(of: Self.name, connection)
      return leftOut
    }
    let failures = try await transfer.run(
      snapshot: snapshot,
      lockTimeout: lockTimeout,
      to: Self.name,
      [
        "PGHOST": server.directory, "PGPORT": "5432", "PGUSER": original.maker,
        "PGPASSWORD": password, "PGPASSFILE": "/dev/null", "PGSSLMODE": "disable",
      ]
    )
    try await inCopy { connection in
      try OutsideWorld.forgetServers(connection)
      try original.closeSchemas(metadata: metadata, connection)
    }
    try await keeping("postgres") { try original.closeDatabase(Self.name, $0) }
    let told = original.extensions.entries(but: leftOut) + original.superuserObjects.entries
    return warnings(
      isSame: isSame,
      leftOut,
      failures: failures.filter { !$0.isAbout(told) }.map { "\($0.entry): \($0.message)" }
    )
  }

  /// Creates the event triggers of the copy, at the end so that creating the copy does not fire
  /// them.
  ///
  /// - Returns: The warnings.
  /// - Throws: The server's error.
  func makeEventTriggers() async throws -> [Diagnostic] {
    let objects = original.superuserObjects
    let failures = try await keeping(Self.name) { try objects.makeLast($0) }
    return failures.isEmpty ? [] : [Self.lacking(failures)]
  }

  /// The maximum number of objects that a message names.
  private static let mostNames = 50

  private static func lacking(_ failures: [String]) -> Diagnostic {
    let rest = failures.count - mostNames
    return Diagnostic(
      .warning,
      "the rehearsal lacks objects of the database",
      detail: (failures.prefix(mostNames) + (rest > 0 ? ["And \(rest) more."] : []))
        .joined(separator: "\n"),
      hint: "A role other than a superuser creates the copy, so that no code runs as a superuser."
    )
  }

  private func warnings(
    isSame: Bool,
    _ leftOut: CopiedExtensions.LeftOut,
    failures: [String]
  ) -> [Diagnostic] {
    let quoted = { (names: [String]) in names.map { "\"\($0)\"" }.joined(separator: ", ") }
    var warnings: [Diagnostic] = []
    if !isSame {
      warnings.append(
        Diagnostic(
          .warning,
          "the rehearsal uses another collation than the database",
          detail: "The throwaway server does not have the database's collation.",
          hint: "Indexes over texts may take more or less time in the database."
        )
      )
    }
    if !leftOut.missing.isEmpty {
      let noun = leftOut.missing.count == 1 ? "extension" : "extensions"
      warnings.append(
        Diagnostic(
          .warning,
          "the rehearsal lacks \(noun) \(quoted(leftOut.missing))",
          detail: "Objects that depend on it are missing as well.",
          hint: "Install it for the server in \"\(transfer.folder)\"."
        )
      )
    }
    if !leftOut.untrusted.isEmpty {
      let noun = leftOut.untrusted.count == 1 ? "extension" : "extensions"
      warnings.append(
        Diagnostic(
          .warning,
          "the rehearsal leaves out \(noun) \(quoted(leftOut.untrusted))",
          detail:
            "Only a superuser can create it, and its code may access files, programs or other "
            + "servers. Objects that depend on it are missing as well."
        )
      )
    }
    if !failures.isEmpty { warnings.append(Self.lacking(failures)) }
    return warnings
  }

  /// Calls a function with a connection of the role that created the copy, which has the rights of
  /// all owners but is not a superuser, since checks, types and triggers run with its rights.
  func inCopy<Result: Sendable>(
    _ body: @Sendable (borrowing PostgresConnection) throws -> Result
  ) async throws -> Result {
    try await run(source(Self.name, as: original.maker, options: Self.path), body)
  }

  /// Gives a superuser's connection to a function, which is not to touch anything that is not ours.
  private func keeping<Result: Sendable>(
    _ database: SQLIdentifier,
    _ body: @Sendable (borrowing PostgresConnection) throws -> Result
  ) async throws -> Result {
    // A login causes an event, too.
    let events = original.serverMajor >= 17 ? " -c event_triggers=off" : ""
    return try await run(
      source(database, as: superuser.name, options: Self.path + events),
      body
    )
  }

  /// Settings of the database's owner must not apply.
  private static let path = "-c search_path=pg_catalog,pg_temp"

  /// Makes a copy of the copy as it is now, to which no session may be connected.
  func makeTrial() async throws {
    let original = original
    try await keeping("postgres") { connection in
      try connection.execute("DROP DATABASE IF EXISTS \(Self.trialName) WITH (FORCE)")
      try original.makeDatabase(Self.trialName, from: Self.name, connection)
    }
  }

  private func run<Result: Sendable>(
    _ source: ConnectionSource,
    _ body: @Sendable (borrowing PostgresConnection) throws -> Result
  ) async throws -> Result {
    try await PostgresSession.with(source) { session in
      try await session.run { connection in
        let watch = interruption.alsoWatch(connection.canceller)
        defer { interruption.stopWatching(watch) }
        try interruption.check()
        return try body(connection)
      }
    }
  }
}
