internal import MigrationExecution
internal import MigrationPlanning
public import PostgresClient
internal import SQLSyntax

/// How a release finds its version in a database.
public struct ReleaseInterface: Hashable, Sendable {
  /// The version of the release.
  public let version: VersionReference
  /// The schema of the version's views.
  public let schema: String
  /// Whether the store's tables are in `public`: then that is not on the path, since a release whose version is
  /// retired would find the tables of another one there.
  let isInPublic: Bool
  /// The options of a session, as `PGOPTIONS` takes them: where it looks names up.
  ///
  /// The name of its application is to end with ``schema``: by that, `retire` sees that a session uses the
  /// version.
  public var sessionOptions: String {
    let path = SQLIdentifier(schema).quoted + (isInPublic ? "" : ",public")
    return "-c search_path=\(Self.escaped(path))"
  }

  /// Returns a value as the server splits options: with a backslash before each space and backslash.
  private static func escaped(_ value: String) -> String {
    value.reduce(into: "") { text, character in
      if character == "\\" || character.isWhitespace { text.append("\\") }
      text.append(character)
    }
  }
}

extension Remodel {
  /// Returns how a release on the current version finds it.
  ///
  /// - Parameter database: The database.
  /// - Returns: The interface; `nil` if the database serves no versions, so that releases use the tables.
  /// - Throws: That it serves others alone, or the server's error.
  public func interface(_ database: ConnectionSource) async throws -> ReleaseInterface? {
    let catalog = try VersionCatalog(configuration)
    let target = try catalog.version(nil)
    return try await call.withLook(at: database, catalog.store) { _, connection in
      let presence = try MetadataStore(catalog.store).presenceWithJob(connection)
      guard case .store(let record) = presence, !record.served.isEmpty else { return nil }
      guard
        let interface = record.served.first(where: { $0.versionName == target.name })
      else {
        let known = record.served.map(\.versionName)
        throw RemodelError(.versionNotServed(target.name, known: known))
      }
      return ReleaseInterface(
        version: target.reference,
        schema: interface.schema.name,
        isInPublic: catalog.store.schema == "public"
      )
    }
  }

  /// Serves a version no longer.
  ///
  /// - Parameters:
  ///   - version: The name of the version.
  ///   - database: The database.
  ///   - isForced: Whether to do so even if sessions use it.
  /// - Throws: That it is not served, that sessions use it, or the server's error; nothing has changed then.
  public func retire(
    _ version: String,
    of database: ConnectionSource,
    isForced: Bool = false
  ) async throws {
    let catalog = try VersionCatalog(configuration)
    try await call.withDatabase(to: database, catalog.store, isWriting: true) { call, connection in
      var run = RetirementRun(call, catalog, database, version, isForced: isForced)
      try run.run(connection)
    }
  }
}

/// The retirement of a version of one store.
struct RetirementRun: ResumableRun {
  private let call: RemodelCall
  private let catalog: VersionCatalog
  private let database: ConnectionSource
  private let version: String
  private let isForced: Bool
  var resumption: Resumption

  init(
    _ call: RemodelCall,
    _ catalog: VersionCatalog,
    _ database: ConnectionSource,
    _ version: String,
    isForced: Bool
  ) {
    self.call = call
    self.catalog = catalog
    self.database = database
    self.version = version
    self.isForced = isForced
    resumption = Resumption(call, database)
  }

  mutating func attempt(_ connection: borrowing PostgresConnection) throws {
    try call.holdingMigrationLock(of: catalog.store, connection) { connection in
      while true {
        let view = try DatabaseView(catalog, connection)
        let step = try view.step(retiring: version)
        resumption.serverStart = try ReadinessInspection(
          catalog.store,
          metadataLayout: view.metadataLayout
        ).check([step], connection)
        if !isForced { try view.checkInterfaces(of: [step], connection) }
        call.tellPlan(of: [step], in: catalog.store, connection)
        let execution = StepExecution(
          step,
          in: catalog.store,
          settings: call.configuration.stepSettings,
          source: database,
          interruption: call.interruption,
          onEvent: call.onEvent
        )
        // Otherwise others have changed the database.
        guard try execution.run(connection) == .committed else { continue }
        if step.hasDeferredWork {
          try call.deferredWork(of: catalog.store, database).run([.now, .deferred], connection)
        }
        return
      }
    }
  }
}
