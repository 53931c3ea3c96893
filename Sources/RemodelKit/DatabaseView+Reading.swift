internal import Diagnostics
internal import MigrationExecution
internal import MigrationPlanning
internal import ModelLoading
internal import ObjectModel
internal import PostgresClient
internal import SQLSyntax

extension DatabaseView {
  /// Reads a database, and repeats this while another migrator changes the store.
  ///
  /// - Parameters:
  ///   - catalog: The models.
  ///   - connection: The database.
  ///   - body: The function that uses the view.
  /// - Returns: The function's result.
  /// - Throws: The function's error, if no other migrator has changed the store.
  static func settled<Result>(
    _ catalog: VersionCatalog,
    _ connection: borrowing PostgresConnection,
    _ body: (DatabaseView, borrowing PostgresConnection) throws -> Result
  ) throws -> Result {
    try MetadataStore(catalog.store).settled(connection) { presence, connection in
      try body(DatabaseView(catalog, knowing: presence, connection), connection)
    }
  }

  /// Checks that the tables of the store belong to roles that are trusted, before rows are read.
  func checkOwners(_ connection: borrowing PostgresConnection) throws {
    guard let schema = try recordedVersion()?.projection.schema else { return }
    let tables = Array(schema.tables.keys) + retained.map(\.table)
    try StoreOwnership(
      of: tables.map { schema.qualified($0) },
      in: catalog.store,
      isWriting: false
    ).check(connection)
  }

  /// Reads a database once, whose store no other migrator changes.
  ///
  /// - Parameters:
  ///   - catalog: The models.
  ///   - known: The metadata, as far as it is known.
  ///   - connection: The database.
  /// - Throws: An error if the database does not belong to the models.
  init(
    _ catalog: VersionCatalog,
    knowing known: MetadataStore.Presence? = nil,
    _ connection: borrowing PostgresConnection
  ) throws {
    metadata = MetadataStore(catalog.store)
    let known = try known ?? metadata.presenceWithJob(connection)
    let knownLayout = known == .noMetadata ? nil : try metadata.layoutVersion(connection)
    if case .store(let record) = known, record.unfinishedJobID == nil {
      job = nil
    } else {
      job = try CopyJob.unfinished(
        of: catalog.store,
        inCheckedLayout: knownLayout,
        connection
      )
    }
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
    let tables =
      try catalog.configuration.tableSizes == nil
      ? SchemaInspection(catalog.store).tableSizes(connection) : [:]
    // A job keeps the strategy with which it began, whatever the configuration is now.
    if let job, job.state != .settling, let strategy = CopyStrategy(rawValue: job.strategy) {
      let inspection = SchemaInspection(catalog.store)
      // A job that is being taken back is not continued, and some of its tables are as they were.
      let tables =
        strategy == .filled
        ? job.state == .aborting ? [] : try inspection.filledTables(connection)
        : try inspection.stagedTables(connection)
      continued = (job.source, job.target, strategy, tables)
    }
    let found = try Self.settledPresence(known, metadata, catalog, connection)
    presence = found
    if case .store = found {
      kinds = try SchemaInspection(catalog.store).tableKinds(connection)
      fillObstacles = try SchemaInspection(catalog.store).fillObstacles(connection)
        .adding(kinds)
    } else {
      kinds = TableKinds(hasCitus: connection.hasCitus)
      fillObstacles = FillObstacles()
    }
    // Another migrator may have created the metadata meanwhile.
    metadataLayout =
      found == .noMetadata ? nil : try knownLayout ?? metadata.layoutVersion(connection)
    pending = try PendingWork.all(
      of: catalog.store,
      inCheckedLayout: metadataLayout,
      connection
    )
    marks = try metadata.marks(layout: metadataLayout, connection)
    sizes =
      catalog.configuration.tableSizes
      ?? TableSizes(tables, speed: marks.measuredSpeed?.speed ?? .reference)
    switch found {
    case .store(let record):
      hasSchema = true
      isBeingFilled = false
      recordedModel =
        try catalog.version(of: record.identity)?.model ?? metadata.model(of: record, connection)
      visited = try metadata.archivedModels(connection)
      self.catalog = catalog.knowing(visited)
      let entries = try metadata.retainedEntries(connection)
      retainedEntries = entries
      intact = try RetainedInspection(catalog.store).intact(entries.map(\.object), connection)
      interfaces = try metadata.interfaces(connection)
    case .creating(let creation):
      hasSchema = true
      isBeingFilled = try metadata.hasTransferRecord(connection)
      recordedModel = try creation.version.model
      visited = []
      retainedEntries = []
      intact = []
      interfaces = []
    case .noMetadata, .noStore:
      isBeingFilled = false
      recordedModel = nil
      visited = []
      retainedEntries = []
      intact = []
      interfaces = []
      hasSchema = try SchemaInspection(catalog.store).exists(connection)
    }
  }

  /// Returns the metadata, which has to be the same before and after reading the schema, since
  /// another migrator may be creating both.
  private static func settledPresence(
    _ known: MetadataStore.Presence,
    _ metadata: MetadataStore,
    _ catalog: VersionCatalog,
    _ connection: borrowing PostgresConnection
  ) throws -> MetadataStore.Presence {
    let inspection = SchemaInspection(catalog.store)
    var presence = known
    while true {
      switch presence {
      case .store, .creating: return presence
      case .noMetadata, .noStore: break
      }
      let foreign = try inspection.foreignRelations(
        connection,
        hasMetadata: presence != .noMetadata
      )
      if foreign.isEmpty { return presence }
      // Metadata is only ever added, so this ends.
      let now = try metadata.presenceWithJob(connection)
      guard now != presence else {
        throw ExecutionError(
          .foreignSchema(schema: catalog.configuration.schema.name, relations: foreign)
        )
      }
      presence = now
    }
  }
}

extension MetadataStore {
  /// Reads a store, and repeats this while another migrator changes it between two queries.
  ///
  /// - Parameters:
  ///   - connection: The database.
  ///   - look: The function that reads, given the metadata.
  /// - Returns: The function's result.
  /// - Throws: The function's error, if no migrator has changed the store.
  func settled<Found>(
    _ connection: borrowing PostgresConnection,
    _ look: (Presence, borrowing PostgresConnection) throws -> Found
  ) throws -> Found {
    while true {
      let before = try presenceWithJob(connection)
      do {
        let found = try look(before, connection)
        if try presenceWithJob(connection).isSameState(as: before) { return found }
      } catch {
        guard !connection.isBroken, try !presenceWithJob(connection).isSameState(as: before)
        else { throw error }
      }
    }
  }
}
