public import MigrationPlanning
public import ObjectModel
public import PostgresClient
internal import SQLSyntax

/// Reads what the metadata schema says of one store, and makes the schema or brings it up to date.
public struct MetadataStore: Sendable {
  /// The version of the metadata's layout that this tool reads and writes.
  package static var layoutVersion: Int { MetadataSchema.layoutVersion }

  /// The store.
  public let identity: StoreIdentity

  private var statements: MetadataStatements { MetadataStatements(identity) }

  /// Creates access to the metadata of a store.
  public init(_ identity: StoreIdentity) {
    self.identity = identity
  }

  /// What is known of a store.
  public enum Presence: Hashable, Sendable {
    /// There is no metadata schema.
    case noMetadata
    /// There is one, and it knows nothing of this store.
    case noStore
    /// The store is being created.
    case creating(CreationRecord)
    /// The store is at a version.
    case store(StoreRecord)
  }

  /// Reads the same outside of a transaction, with the copy job that is not ended: one query, too.
  public func presenceWithJob(_ connection: borrowing PostgresConnection) throws -> Presence {
    do {
      let (query, parameters) = statements.recordWithJob
      return try presence(connection, query, parameters)
    } catch let error as PostgresError
      where error.sqlState == .undefinedTable || error.sqlState == .invalidSchemaName
    {
      // Before layout 5 there is no other work to be left, and before layout 3 there are no jobs.
      let presence = try presence(connection)
      guard case .store(let record) = presence else { return presence }
      let job = try CopyJob.unfinished(of: identity, connection)
      return .store(record.with(unfinishedJobID: job?.id))
    }
  }

  /// Reads the record of a store, with its job, in a session that has no settings of ours.
  ///
  /// - Returns: The record; none if it takes a prepared session to tell what there is.
  package func recordAtOnce(_ connection: borrowing PostgresConnection) -> StoreRecord? {
    let (query, parameters) = statements.recordWithJob
    guard let row = try? connection.query(query, parameters).first,
      // A pooler is looked at before anything is believed that it says.
      row.integer("pid") == connection.backendPID,
      row.integer("layout_version") == MetadataSchema.layoutVersion
    else { return nil }
    return try? record(from: row)
  }

  /// Reads whether the store is there and what it is at: one query where it is.
  public func presence(_ connection: borrowing PostgresConnection) throws -> Presence {
    do {
      return try presence(connection, statements.record)
    } catch let error as PostgresError {
      switch error.sqlState {
      case .some(.undefinedTable), .some(.invalidSchemaName): return .noMetadata
      default: throw error  // The server's codes are not ours to enumerate.
      }
    }
  }

  /// Reads whether there is a metadata schema, which is no error for the server's log if there is none.
  package func isInstalled(_ connection: borrowing PostgresConnection) throws -> Bool {
    let table = statements.relation("store").quoted
    return try connection.query("SELECT to_regclass($1) IS NOT NULL", [table]).value == "t"
  }

  private func presence(
    _ connection: borrowing PostgresConnection,
    _ query: SQLFragment,
    _ parameters: [String] = []
  ) throws -> Presence {
    do {
      guard let row = try connection.query(query, parameters).first else {
        // Before layout 2, stores were always created in one transaction.
        guard try checkLayout(connection) >= 2,
          let creation = try connection.query(statements.creation).first
        else { return .noStore }
        return .creating(try creationRecord(from: creation))
      }
      if let version = row.integer("layout_version"), version > MetadataSchema.layoutVersion {
        throw ExecutionError(.newerMetadata(version))
      }
      return .store(try record(from: row))
    } catch let error as PostgresError {
      switch error.sqlState {
      case .some(.undefinedColumn):
        try checkLayout(connection)
        throw error
      default: throw error  // The server's codes are not ours to enumerate.
      }
    }
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
      let done = row.integer("done"), let total = row.integer("total"),
      let model = row["model"].flatMap({ try? ModelArchive.model(from: $0) })
    else { throw ExecutionError(.damagedMetadata("a creation cannot be read")) }
    try checkRules(row.integer("layout_rules") ?? 0)
    try checkConfiguration(row["configuration"])
    return CreationRecord(
      versionName: version,
      checksum: VersionHash(text: checksum),
      layoutDigest: VersionHash(text: layoutDigest),
      model: model,
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
      isUnfinished: row.boolean("unfinished") == true
    )
    try checkRules(rules)
    try checkConfiguration(record.configurationName)
    return record
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
  public func model(
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

  /// Reads what is retained, the earliest first.
  public func retained(_ connection: borrowing PostgresConnection) throws -> [RetainedObject] {
    try retainedEntries(connection).map(\.object)
  }

  /// Reads the audit trail, the earliest entry first.
  public func history(_ connection: borrowing PostgresConnection) throws -> [HistoryEntry] {
    try connection.query(statements.history).map { row in
      HistoryEntry(
        id: row.integer("id") ?? 0,
        kind: row["kind"].flatMap(HistoryKind.init) ?? .migration,
        source: row["from_version"],
        sourceChecksum: row["from_checksum"].map { VersionHash(text: $0) },
        target: row["to_version"] ?? "",
        planDigest: row["plan_digest"] ?? "",
        startedAt: row["started_at"] ?? "",
        endedAt: row["ended_at"],
        milliseconds: row.integer("milliseconds"),
        outcome: row["outcome"] ?? "",
        role: row["role"] ?? "",
        client: row["client"],
        application: row["application"],
        approval: row["approved_digest"].map {
          PlanApproval(planDigest: $0, approvedBy: row["approved_by"])
        },
        sqlState: row["sqlstate"],
        error: row["error"],
        statements: row["statements"],
        toolVersion: row["tool_version"] ?? ""
      )
    }
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

  /// Makes the metadata schema where it is not there yet, and brings an earlier layout up to date, in
  /// a short transaction of its own that only one migrator at a time gets to.
  public func createOrUpgrade(
    _ connection: borrowing PostgresConnection,
    _ interruption: Interruption
  ) throws {
    let key = SQLLiteral.integer(identity.bootstrapKey)
    while true {
      try interruption.check()
      try connection.execute("BEGIN")
      do {
        let turn = try connection.query("SELECT pg_try_advisory_xact_lock(\(key)) AS taken")
        if turn.first?.boolean("taken") == true {
          let schema = MetadataSchema(name: identity.metadataSchema)
          let names = ["metadata", "store"].map { SQLLiteral.text(schema.relation($0).quoted) }
          let found = try connection.query(
            """
            SELECT num_nonnulls(to_regclass(\(names[0])), to_regclass(\(names[1]))) AS count
            """
          ).first?.integer("count")
          switch found {
          case 0:
            for statement in schema.creation { try connection.execute(statement) }
          case 2:
            let version = try checkLayout(connection)
            for statement in schema.upgrade(from: version) { try connection.execute(statement) }
          default:
            throw ExecutionError(
              .damagedMetadata(
                "schema \"\(identity.metadataSchema)\" has only a part of it, or relations of others"
              )
            )
          }
          try connection.execute("COMMIT")
          return
        }
        try connection.execute("ROLLBACK")
      } catch {
        if !connection.isBroken { _ = try? connection.execute("ROLLBACK") }
        throw error
      }
      Pause.sleep(seconds: Double.random(in: 0.02...0.1), interruption)
    }
  }
}
