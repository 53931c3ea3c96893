package import MigrationPlanning
package import ObjectModel
package import PostgresClient
package import SQLSyntax

/// Reads the metadata of one store, and creates or upgrades the metadata schema.
package struct MetadataStore: Sendable {
  /// The version of the metadata's layout that this tool reads and writes.
  package static var layoutVersion: Int { MetadataSchema.layoutVersion }

  /// The store.
  package let identity: StoreIdentity

  private var statements: MetadataStatements { MetadataStatements(identity) }

  /// Creates access to the metadata of a store.
  package init(_ identity: StoreIdentity) {
    self.identity = identity
  }

  /// The known state of a store.
  package enum Presence: Hashable, Sendable {
    /// There is no metadata schema.
    case noMetadata
    /// There is one, and it knows nothing of this store.
    case noStore
    /// The store is being created.
    case creating(CreationRecord)
    /// The store is at a version.
    case store(StoreRecord)

    /// Returns whether a store is the same, however much of its creation is done.
    package func isSameState(as other: Presence) -> Bool {
      guard case .creating(var record) = self, case .creating(let later) = other else {
        return self == other
      }
      record.done = later.done
      return record == later
    }
  }

  /// Reads whether the store exists, its version and its unfinished copy job: a single query if it
  /// exists.
  package func presenceWithJob(_ connection: borrowing PostgresConnection) throws -> Presence {
    try presence(connection, statements.recordWithJob)
  }

  /// Reads whether the store exists and its version: a single query if it exists.
  package func presence(_ connection: borrowing PostgresConnection) throws -> Presence {
    try presence(connection, statements.record)
  }

  /// Reads the record of a store, with its job, in an unprepared session.
  ///
  /// - Returns: The record; `nil` if only a prepared session can read it.
  package func recordAtOnce(_ connection: borrowing PostgresConnection) -> StoreRecord? {
    // The syntax of constants is a setting, too.
    guard identity.isPlain else { return nil }
    // Check all relations, so that the result is the same as that of every other verb.
    let condition = MetadataGuard(store: identity, relations: MetadataRelation.all).statement
    // So is the role. A pooler may give the next transaction to another client.
    let role: SQLFragment = "SELECT \(PostgresConnection.superuserRole(isLocal: true))"
    let found = try? connection.query(statements.recordWithJob, after: [role, condition])
    guard let row = found?.first,
      // A pooler is checked before its results are trusted.
      row.integer("pid") == connection.backendPID,
      row.integer("layout_version") == MetadataSchema.layoutVersion
    else { return nil }
    return try? record(from: row)
  }

  /// Reads the records of all stores of the model, with their jobs, by a single query.
  ///
  /// - Parameter connection: A connection outside of a transaction.
  /// - Returns: The records by schema, without those of another configuration; `nil` if the metadata cannot
  ///   be read in this way.
  package func records(
    _ connection: borrowing PostgresConnection
  ) -> [SQLIdentifier: StoreRecord]? {
    let condition = MetadataGuard(
      store: identity,
      relations: MetadataRelation.all,
      trustsSchemaOwners: false
    )
    guard
      let rows = try? connection.query(
        statements.recordsWithJobs,
        after: [condition.statement]
      )
    else { return nil }
    return rows.reduce(into: [:]) { records, row in
      guard row.integer("layout_version") == MetadataSchema.layoutVersion,
        let schema = row["schema_name"], let record = try? record(from: row)
      else { return }
      records[SQLIdentifier(schema)] = record
    }
  }

  /// Notes by which files a store is at its version, if the session may write that.
  ///
  /// - Parameters:
  ///   - digest: The digest of the files.
  ///   - record: The store.
  ///   - connection: A connection outside of a transaction.
  /// - Throws: The server's error.
  package func noteFiles(
    _ digest: String,
    of record: StoreRecord,
    _ connection: borrowing PostgresConnection
  ) throws {
    guard record.metadataLayout >= 10, record.filesDigest != digest,
      try connection.query(statements.mayNoteFiles).value == "t"
    else { return }
    try connection.query(statements.notingFiles(digest, at: record.identity))
  }

  /// Reads whether there is a metadata schema, which is no error for the server's log if there is none.
  package func isInstalled(_ connection: borrowing PostgresConnection) throws -> Bool {
    let table = statements.relation("store").quoted
    return try connection.query("SELECT to_regclass($1) IS NOT NULL", [table]).value == "t"
  }

  /// Reads whether the store is being filled from another database.
  package func hasTransferRecord(_ connection: borrowing PostgresConnection) throws -> Bool {
    try connection.query("SELECT to_regclass($1) IS NOT NULL", [identity.transferRecord.quoted])
      .value == "t"
  }

  /// Checks that the existing metadata belongs to trusted roles.
  func checkOwners(_ connection: borrowing PostgresConnection) throws {
    _ = try MetadataGuard(store: identity, relations: MetadataRelation.all).found(connection)
  }

  private func presence(
    _ connection: borrowing PostgresConnection,
    _ query: SQLFragment
  ) throws -> Presence {
    if let rows = try guarded(query, connection) {
      return try presence(rows.first, layout: MetadataSchema.layoutVersion, connection)
    }
    guard let layout = try earlierLayout(connection) else { return .noMetadata }
    // Before layout 5 there is no other work to be left, and before layout 3 there are no jobs.
    let row = try connection.query(layout < 5 ? statements.record : query).first
    let presence = try presence(row, layout: layout, connection)
    guard layout < 5, case .store(var record) = presence else { return presence }
    record.unfinishedJobID = try CopyJob.unfinished(of: identity, connection)?.id
    return .store(record)
  }

  /// Reads whether there is a schema of the metadata's name, whatever is in it.
  private func hasSchema(_ connection: borrowing PostgresConnection) throws -> Bool {
    try !connection.query(
      """
      SELECT 1 FROM pg_catalog.pg_namespace n WHERE n.nspname OPERATOR(pg_catalog.=) \
      \(text: identity.metadataSchema.name)::pg_catalog.name
      """
    ).isEmpty
  }

  private func presence(
    _ row: QueryResult.Row?,
    layout: Int,
    _ connection: borrowing PostgresConnection
  ) throws -> Presence {
    if let row {
      if let version = row.integer("layout_version"), version > MetadataSchema.layoutVersion {
        throw ExecutionError(.newerMetadata(version))
      }
      return .store(try record(from: row))
    }
    // Before layout 2, stores were always created in one transaction.
    guard layout >= 2, try checkLayout(connection) >= 2,
      let creation = try connection.query(statements.creation).first
    else { return .noStore }
    return .creating(try creationRecord(from: creation))
  }

  /// Runs a query over the metadata.
  ///
  /// - Returns: The rows; none if the metadata is incomplete, of another layout or not owned by a trusted
  ///   role, and nothing of it was read.
  private func guarded(
    _ query: SQLFragment,
    _ connection: borrowing PostgresConnection
  ) throws -> QueryResult? {
    let relations = MetadataRelation.ofLayout(MetadataSchema.layoutVersion)
    let condition = MetadataGuard(store: identity, relations: relations)
    // In a transaction, an error would end it.
    guard connection.transactionStatus == .idle else {
      return try condition.holds(connection) ? connection.query(query) : nil
    }
    do {
      return try connection.query(query, after: [condition.statement])
    } catch {
      guard error.sqlState == .invalidTextRepresentation else { throw error }
      return nil
    }
  }

  /// Reads the layout of metadata of another layout, and reads nothing that an untrusted role owns.
  ///
  /// - Returns: The layout; none if there is no metadata.
  /// - Throws: That an untrusted role owns it, or that it is incomplete.
  private func earlierLayout(_ connection: borrowing PostgresConnection) throws -> Int? {
    guard try hasSchema(connection) else { return nil }
    let found = try MetadataGuard(store: identity, relations: MetadataRelation.all)
      .found(connection)
    guard !found.isEmpty else { return nil }
    guard found.isSuperset(of: ["metadata", "store"]) else {
      throw ExecutionError(
        .damagedMetadata(
          "schema \"\(identity.metadataSchema)\" has only a part of it, or relations of others"
        )
      )
    }
    let layout = try checkLayout(connection)
    // A missing view is created with the next layout.
    let isEarlier = layout < MetadataSchema.layoutVersion
    let missing = MetadataRelation.ofLayout(layout).filter { !isEarlier || !$0.isView }
      .map(\.name).filter { !found.contains($0) }
    guard missing.isEmpty else {
      let names = missing.map { "\"\($0)\"" }.joined(separator: ", ")
      throw ExecutionError(
        .damagedMetadata("schema \"\(identity.metadataSchema)\" lacks \(names)")
      )
    }
    return layout
  }

  @discardableResult
  private func checkLayout(_ connection: borrowing PostgresConnection) throws -> Int {
    let row = try connection.query(statements.layoutVersion).first
    let version = row?.integer("layout_version") ?? MetadataSchema.layoutVersion
    guard version <= MetadataSchema.layoutVersion else {
      throw ExecutionError(.newerMetadata(version))
    }
    return version
  }

  private func creationRecord(from row: QueryResult.Row) throws -> CreationRecord {
    guard let version = row["version_name"], let checksum = row["checksum"],
      let layoutDigest = row["layout_digest"], let digest = row["plan_digest"],
      let done = row.integer("done"), let total = row.integer("total"), let model = row["model"]
    else { throw ExecutionError(.damagedMetadata("a creation cannot be read")) }
    try checkRules(row.integer("layout_rules") ?? 0)
    try checkConfiguration(row["configuration"])
    return CreationRecord(
      version: ArchivedModel(
        VersionIdentity(
          name: version,
          checksum: VersionHash(text: checksum),
          layoutDigest: VersionHash(text: layoutDigest)
        ),
        isDraft: false,
        archive: model
      ),
      planDigest: digest,
      done: done,
      total: total
    )
  }

  private func record(from row: QueryResult.Row) throws -> StoreRecord {
    guard let id = row["id"], let version = row["version_name"], let checksum = row["checksum"],
      let layoutDigest = row["layout_digest"], let rules = row.integer("layout_rules")
    else { throw ExecutionError(.damagedMetadata("a store lacks its version")) }
    let record = StoreRecord(
      id: id,
      configurationName: row["configuration"],
      versionName: version,
      checksum: VersionHash(text: checksum),
      layoutDigest: VersionHash(text: layoutDigest),
      layoutRules: rules,
      unfinishedJobID: row["job"],
      isUnfinished: row.boolean("unfinished") == true,
      lacksPartitions: row.boolean("lacks_partitions"),
      served: try row["served"].map(interfaces) ?? [],
      metadataLayout: row.integer("layout_version") ?? MetadataSchema.layoutVersion,
      filesDigest: row["files_digest"]
    )
    try checkRules(rules)
    try checkConfiguration(record.configurationName)
    return record
  }

  private func interfaces(in text: String) throws -> [VersionInterface] {
    do {
      return try JSONText.value([VersionInterface].self, in: text)
    } catch {
      throw ExecutionError(.damagedMetadata("the versions that a store serves cannot be read"))
    }
  }

  /// Reads the versions that the store serves, with their views.
  package func interfaces(
    _ connection: borrowing PostgresConnection
  ) throws -> [VersionInterface] {
    try connection.query(statements.interfaces).value.map(interfaces) ?? []
  }

  private func checkRules(_ rules: Int) throws {
    guard rules <= ModelProjection.layoutRules else {
      throw ExecutionError(.newerMetadata(MetadataSchema.layoutVersion + 1))
    }
  }

  private func checkConfiguration(_ name: String?) throws {
    guard name == identity.configurationName else {
      throw ExecutionError(
        .otherConfiguration(recorded: name, requested: identity.configurationName)
      )
    }
  }

  /// Reads the model that the store is at.
  package func model(
    of record: StoreRecord,
    _ connection: borrowing PostgresConnection
  ) throws -> ManagedObjectModel {
    guard let archive = try connection.query(statements.archive(of: record)).value else {
      throw ExecutionError(
        .damagedMetadata("the model of version \"\(record.versionName)\" is missing")
      )
    }
    do {
      return try ModelArchive.model(from: archive)
    } catch {
      throw ExecutionError(
        .damagedMetadata("the model of version \"\(record.versionName)\" cannot be read")
      )
    }
  }

  /// Reads the retained objects, the earliest first.
  package func retained(_ connection: borrowing PostgresConnection) throws -> [RetainedObject] {
    try retainedEntries(connection).map(\.object)
  }

  /// Reads the audit log, the earliest entry first.
  package func history(_ connection: borrowing PostgresConnection) throws -> [HistoryEntry] {
    try connection.query(statements.history).map { HistoryEntry($0) }
  }

  /// Reads the digests of the steps that were taken of an approved plan, the earliest first.
  package func stepsTaken(
    ofPlan digest: String,
    _ connection: borrowing PostgresConnection
  ) throws -> [String] {
    try connection.query(statements.stepsTaken(ofPlan: digest)).compactMap { $0["plan_digest"] }
  }

  /// Reads the version of the metadata's own layout.
  package func layoutVersion(_ connection: borrowing PostgresConnection) throws -> Int {
    try checkLayout(connection)
  }

  /// Creates the metadata schema or upgrades an earlier layout, in a short transaction of its own
  /// that only one migrator at a time runs.
  package func createOrUpgrade(
    _ connection: borrowing PostgresConnection,
    _ interruption: Interruption
  ) throws {
    let runner = TransactionRunner(interruption: interruption)
    let lock = SQLLiteral.integer(identity.bootstrapKey)
    let isFree: SQLFragment = "SELECT pg_try_advisory_xact_lock(\(lock)) AS taken"
    let schema = MetadataSchema(name: identity.metadataSchema)
    while try !runner.transact(
      Transaction(),
      connection,
      { connection in
        guard try connection.query(isFree).first?.boolean("taken") == true else { return false }
        let layout = try earlierLayout(connection)
        for statement in layout.map(schema.upgrade) ?? schema.creation {
          try runner.run(statement, connection)
        }
        // Another role may have created the schema since the check.
        _ = try earlierLayout(connection)
        return true
      }
    ) {
      interruption.sleep(seconds: Double.random(in: 0.02...0.1))
    }
  }
}

extension MetadataStore {
  /// Reads the retained objects and their times, the earliest first.
  package func retainedEntries(
    _ connection: borrowing PostgresConnection
  ) throws -> [RetainedEntry] {
    try connection.query(MetadataStatements(identity).retained).map { row in
      try RetainedEntry(
        RetainedObject(
          table: SQLIdentifier(row["table_name"] ?? ""),
          column: row["column_name"].map { SQLIdentifier($0) },
          version: row["version_name"] ?? "",
          relationNames: JSONText.strings(in: row["relation_names"]).map { SQLIdentifier($0) },
          restoration: JSONText.strings(in: row["restoration"]),
          origin: row["origin"].map { try JSONText.value(RetainedObject.Origin.self, in: $0) }
        ),
        retainedAt: row["retained_at"] ?? "",
        age: .milliseconds(row.integer("age") ?? 0)
      )
    }
  }
}
