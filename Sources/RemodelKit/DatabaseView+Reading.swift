internal import Diagnostics
internal import MigrationExecution
internal import MigrationPlanning
internal import ModelLoading
internal import ObjectModel
internal import PostgresClient
internal import SQLSyntax

extension DatabaseView {
  /// Looks at a database.
  ///
  /// - Parameters:
  ///   - catalog: The models at hand.
  ///   - connection: The database.
  /// - Throws: That the database is none that the models can say anything about.
  init(
    _ catalog: VersionCatalog,
    _ connection: borrowing PostgresConnection
  ) throws {
    let look = try MetadataStore(catalog.store).settled(connection) { connection in
      try DatabaseView(once: catalog, connection)
    }
    self = look.found
    seen = look.seen
  }

  /// Looks at a database, and again where another migrator moves it before something is made of the
  /// look.
  ///
  /// - Parameters:
  ///   - catalog: The models at hand.
  ///   - connection: The database.
  ///   - body: What is made of it.
  /// - Returns: The view, and what was made of it.
  /// - Throws: What the body throws, where nobody has moved the store.
  static func settled<Result>(
    _ catalog: VersionCatalog,
    _ connection: borrowing PostgresConnection,
    _ body: (DatabaseView, borrowing PostgresConnection) throws -> Result
  ) throws -> (view: DatabaseView, result: Result) {
    while true {
      let view = try DatabaseView(catalog, connection)
      let result = try view.unlessOutdated(connection) { connection in try body(view, connection) }
      if let result { return (view, result) }
    }
  }

  /// Returns what is made of the view; none where that fails and another migrator has moved the store
  /// since: what the catalog says of it then need not fit what was seen.
  func unlessOutdated<Result>(
    _ connection: borrowing PostgresConnection,
    _ body: (borrowing PostgresConnection) throws -> Result
  ) throws -> Result? {
    do {
      return try body(connection)
    } catch {
      guard !connection.isBroken, try metadata.presenceWithJob(connection) != seen else {
        throw error
      }
      return nil
    }
  }

  /// Makes sure that the tables of the store belong to roles that are trusted, before rows are read.
  func checkOwners(_ connection: borrowing PostgresConnection) throws {
    guard let schema = try recordedVersion()?.projection.schema else { return }
    let tables = Array(schema.tables.keys) + retained.map(\.table)
    try StoreOwnership(
      of: tables.map { schema.qualified($0) },
      in: catalog.store,
      isWriting: false
    ).check(connection)
  }

  private init(
    once catalog: VersionCatalog,
    _ connection: borrowing PostgresConnection
  ) throws {
    metadata = MetadataStore(catalog.store)
    job = try CopyJob.unfinished(of: catalog.store, connection)
    self.catalog = catalog
    serverMajor = connection.serverVersion / 10_000
    guard connection.serverVersion >= 150_000 else {
      throw ExecutionError(.oldServer(connection.serverVersion))
    }
    let capacity = try LockCapacity(connection)
    lockBudget = LockBudget(
      capacity: catalog.configuration.lockCapacity.map {
        LockCapacity(perTransaction: $0, transactions: 1)
      } ?? capacity,
      sharers: catalog.configuration.lockSharers
    )
    sizes =
      try catalog.configuration.tableSizes
      ?? SchemaInspection(catalog.store).tableSizes(connection)
    // What has begun in one way is continued in it, whatever is asked for now.
    if let job, job.state != .settling, let strategy = CopyStrategy(rawValue: job.strategy) {
      let tables = try SchemaInspection(catalog.store).stagedTables(connection)
      continued = (job.source, job.target, strategy, tables)
    }
    let found = try Self.settledPresence(metadata, catalog, connection)
    presence = found
    pending = try PendingWork.all(of: catalog.store, connection)
    metadataLayout = found == .noMetadata ? nil : try metadata.layoutVersion(connection)
    switch found {
    case .store(let record):
      hasSchema = true
      recordedModel =
        try catalog.version(of: record.model)?.model ?? metadata.model(of: record, connection)
      visited = try metadata.archivedModels(connection)
      self.catalog = catalog.knowing(visited)
      retained = try metadata.retained(connection)
      intact = try RetainedInspection(catalog.store).intact(retained, connection)
    case .creating(let creation):
      hasSchema = true
      recordedModel = creation.model
      visited = []
      retained = []
      intact = []
    case .noMetadata, .noStore:
      recordedModel = nil
      visited = []
      retained = []
      intact = []
      hasSchema = try SchemaInspection(catalog.store).exists(connection)
    }
  }

  /// Returns what the metadata says, which has to be the same before and after a look at the schema:
  /// another migrator may be making both.
  private static func settledPresence(
    _ metadata: MetadataStore,
    _ catalog: VersionCatalog,
    _ connection: borrowing PostgresConnection
  ) throws -> MetadataStore.Presence {
    let inspection = SchemaInspection(catalog.store)
    while true {
      let presence = try metadata.presence(connection)
      switch presence {
      case .store, .creating: return presence
      case .noMetadata, .noStore: break
      }
      let foreign = try inspection.foreignRelations(
        connection,
        hasMetadata: presence != .noMetadata
      )
      if foreign.isEmpty { return presence }
      // Metadata only ever comes, so this ends.
      guard try metadata.presence(connection) == presence else { continue }
      throw ExecutionError(
        .foreignSchema(schema: catalog.configuration.schema.name, relations: foreign)
      )
    }
  }
}

extension MetadataStore {
  /// Looks at a store until nobody moves it meanwhile: another migrator may do so between two of the
  /// questions.
  ///
  /// - Parameters:
  ///   - connection: The database.
  ///   - look: Reads what there is.
  /// - Returns: What was found, and what the metadata said before and after the look.
  /// - Throws: What the look throws, where nobody has moved the store.
  func settled<Found>(
    _ connection: borrowing PostgresConnection,
    _ look: (borrowing PostgresConnection) throws -> Found
  ) throws -> (found: Found, seen: Presence) {
    while true {
      let before = try presenceWithJob(connection)
      do {
        let found = try look(connection)
        if try presenceWithJob(connection) == before { return (found, before) }
      } catch {
        guard !connection.isBroken, try presenceWithJob(connection) != before else { throw error }
      }
    }
  }
}
